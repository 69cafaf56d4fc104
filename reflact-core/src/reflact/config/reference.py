"""The page of all keys, from the models: `python -m reflact.config.reference > docs/reference/config.md`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflact.config.choices import LR_CONTROL, PAIR_POLICY, UPDATE_MODE
from reflact.config.legacy import FLAT, RENAMED
from reflact.config.run import SECTIONS, RunConfig, TopLevel
from reflact.config.schema import Config
from reflact.config.settle import BACKENDS, PAIRS
from reflact.config.spelling import ALIASES, ROLES
from reflact.config.spend import Limits, Prices, RoleBudget
from reflact.config.split import SplitConfig
from reflact.errors import ConfigError

INTRO = """# Configuration

A config is a YAML file of sections. `_base_` names a file, or a list of files, it inherits from, relative to itself;
mappings are merged, everything else is replaced. `section.key=value` on the command line overrides any key and is read
by the same rules. `reflact config FILE` shows what results, and where each value comes from.

Files are YAML 1.2: `on`, `yes` and `2:1:7` are text, `010` is ten, and a key given twice is an error. A key nobody
knows is an error too. A number given for a text key stays the text that was written.

This page is generated from the models; `python -m reflact.config.reference` prints it.
"""

SPLIT_NOTE = """\
The keys every dataset env shares. Whichever of `split_dir` and `data_path` is given later (in a file that inherits, or
on the command line) decides how the tasks are split, unless `split_mode` is given there too. Further keys are the
env's own: `reflact plugins` lists the envs, and a key the env does not have is an error.
"""

ROLES_NOTE = """\
`teacher: {backend: openai_chat, model: gpt-5.4, effort: medium}` is an equal spelling of `teacher_backend` and
`teacher`, and the place for every other setting the role's backend has. The same holds for `student` and `judge`.
A role that another backend plays does not keep the default model: it gets that backend's own. Keys that begin with a
backend's name reach only roles that name this backend; `reasoning_effort` reaches chat models that have an effort.
"""


LIMITS_NOTE = """\
Every role's mapping also takes these: `teacher: {backend: openai_chat, model: gpt-5.4, concurrency: 8}`.
"""

INNER: Mapping[str, Sequence[tuple[str, type[Config], str]]] = {
    "model": [("How a role's calls are made", Limits, LIMITS_NOTE)],
    "budget": [("`budget.teacher`, `budget.student`", RoleBudget, ""), ("`prices`: one model", Prices, "")],
}
"""Sections that are explained after the one they belong to."""


TYPES = {"string": "text", "boolean": "true or false", "array": "list of text", "object": "mapping"}
"""What a reader calls a JSON type, where that is another word."""


def reference() -> str:
    """Return `docs/reference/config.md`."""
    parts = [INTRO, _section("Top level", TopLevel)]
    for name, model in SECTIONS.items():
        parts.append(_section(f"`{name}`", model, note=ROLES_NOTE if name == "model" else ""))
        parts += [_section(title, inner, note=note) for title, inner, note in INNER.get(name, ())]
    parts.append(_section("`env` of a dataset env", SplitConfig, note=SPLIT_NOTE))
    parts.append("## Other spellings\n\n" + "\n".join(_spellings()))
    parts.append("## Old names\n\nThey work, and each is warned about once.\n\n" + _old_names())
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def schema_json() -> str:
    """Return the JSON schema of a config file, for editors; `env` and the roles take their plugins' keys too."""
    schema = RunConfig.model_json_schema()
    definitions = schema["$defs"]
    definitions["EnvCommon"]["additionalProperties"] = True
    for role in ROLES:
        text = definitions["Model"]["properties"][role]
        nested = {"type": "object", "properties": {"backend": {"type": "string"}, "model": {"type": "string"}}}
        definitions["Model"]["properties"][role] = {
            "description": text["description"],
            "default": text["default"],
            "anyOf": [{"type": "string"}, nested],
        }
    paths = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    schema["properties"]["_base_"] = {"description": "Files this one inherits from, relative to it.", **paths}
    schema["required"] = []
    return json.dumps(schema, indent=2, ensure_ascii=False)


def _section(title: str, model: type[Config], *, note: str = "") -> str:
    schema = model.model_json_schema()
    required = schema.get("required", [])
    rows = [
        f"| `{key}` | {_type(field)} | {_default(field, required=key in required)} | {_meaning(field, key)} |"
        for key, field in schema["properties"].items()
    ]
    head = "| key | type | default | meaning |\n|---|---|---|---|"
    return "\n".join([f"## {title}", "", *([note] if note else []), head, *rows])


def _type(field: Mapping[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if "$ref" in field:
        return "mapping"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if field.get("format") == "password":
        return "text, hidden"
    name = TYPES.get(field["type"], field["type"])
    bounds = {"exclusiveMinimum": "> ", "minimum": "≥ ", "exclusiveMaximum": "< ", "maximum": "≤ "}
    return ", ".join([name, *(f"{sign}{field[key]}" for key, sign in bounds.items() if key in field)])


def _default(field: Mapping[str, Any], *, required: bool) -> str:
    return "required" if required else f"`{json.dumps(field.get('default'), ensure_ascii=False)}`"


def _meaning(field: Mapping[str, Any], key: str) -> str:
    if "description" not in field:
        raise ConfigError(f"{key} has no docstring, so the reference cannot say what it means")
    return " ".join(str(field["description"]).split()).replace("|", "\\|")


def _spellings() -> Iterator[str]:
    yield "| where | may be written | means |\n|---|---|---|"
    for where, aliases in (
        ("section `model`", {f"{alias}, {alias}_…": f"{role}, {role}_…" for alias, role in ALIASES.items()}),
        ("a backend's name", {**BACKENDS, "qwen_chat": "openai_chat at http://localhost:8000/v1"}),
        ("`optimizer.lr_control_mode`", LR_CONTROL),
        ("`optimizer.longitudinal_pair_policy`", PAIR_POLICY),
        ("`optimizer.skill_update_mode`", UPDATE_MODE),
    ):
        for written, meant in aliases.items():
            yield f"| {where} | `{written}` | `{meant}` |"
    for label, (teacher, student) in PAIRS.items():
        yield f"| `model.backend` (legacy) | `{label}` | teacher `{teacher}`, student `{student}` |"


def _old_names() -> str:
    rows = [f"| `{'.'.join(old)}` | `{'.'.join(new)}` |" for old, new in RENAMED.items()]
    rows += [f"| `{old}`, `--{old}` | `{'.'.join(new)}` |" for old, new in FLAT.items()]
    return "\n".join(["| old | today |", "|---|---|", *rows])


if __name__ == "__main__":
    sys.stdout.write(reference())
