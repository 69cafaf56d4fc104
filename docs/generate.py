"""Write the reference pages that are made from the code: `make docs`; a test compares them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from reflact import hookspecs
from reflact.config.reference import reference as config_reference
from reflact.contracts import envs, events, models, modes, specs, words
from reflact.types import calls, source, task
from reflact_cli.reference import reference as cli_reference

N = TypeVar("N", ast.FunctionDef, ast.ClassDef)
REFERENCE = Path(__file__).parent / "reference"

INTRO = """# Hooks

A plugin is a module, or an object, with functions marked `@hookimpl` (`from reflact import hookimpl`). Four hooks
register components: they return records and are called once, when a component is named. Five observe a run: they are
told what happened, and change nothing. An implementation may take fewer arguments than its hook has; one that takes
others, or has a name that is no hook, is refused when the plugin is loaded.

A distribution announces its components by entry points. The group says the kind, the name is the component's name, and
the value is the module with the hooks, so that names are listed without importing anything:

| kind | entry-point group | hook |
|---|---|---|
| benchmark | `reflact.envs` | `reflact_envs` |
| model backend | `reflact.backends` | `reflact_backends` |
| update mode | `reflact.update_modes` | `reflact_update_modes` |
| prompt pack | `reflact.prompts` | `reflact_prompts` |
| observer | `reflact.observers` | any of the five below |

`--plugin FILE` registers a Python file without packaging; `Plugins.register` does the same with an object. An observer
that raises stops the run: what is done is kept, and the run can be resumed.

This page is made from the docstrings of `reflact.hookspecs`, `reflact.contracts` and `reflact.types`; `make docs`
writes it.
"""

REGISTERING = ("reflact_envs", "reflact_backends", "reflact_update_modes", "reflact_prompts")
OBSERVING = (
    "reflact_run_started",
    "reflact_stage_finished",
    "reflact_step_finished",
    "reflact_epoch_finished",
    "reflact_run_finished",
)
RECORDS = ("EnvSpec", "DataSpec", "DataSource", "BackendSpec", "UpdateModeSpec", "PromptPack")
TOLD = ("RunInfo", "StageDone", "StepRecord", "EpochRecord", "Summary")
IMPLEMENTED = (
    "Env",
    "SupportsCheck",
    "SupportsPlay",
    "SupportsReference",
    "SupportsBatch",
    "Regrades",
    "SupportsSubmission",
    "ChatModel",
    "ExecAgent",
    "ExaminesItself",
    "UpdateMode",
    "ExplainsMisses",
)
GIVEN = (
    *("Student", "Task", "Skill", "Rollout", "Usage", "ChatRequest", "ChatReply", "ExecJob", "ExecResult", "Resume"),
    *("Finding", "Access"),
)
EMPTY = "field(default_factory=dict)"
CHOICES = ("Split", "Kind", "RoleName", "Ability", "Hosted", "Outcome", "Finish")


def hooks() -> str:
    """Return `docs/reference/hooks.md`."""
    hooked = _named(ast.FunctionDef, hookspecs)
    classes = _named(ast.ClassDef, envs, events, models, modes, specs, task, calls, source)
    chapters = {
        "Registering": [_hook(hooked[name]) for name in REGISTERING],
        "Observing": [_hook(hooked[name]) for name in OBSERVING],
        "What is registered": [_class(classes[name]) for name in RECORDS],
        "What observers are told": [_class(classes[name]) for name in TOLD],
        "What a plugin implements": [_class(classes[name]) for name in IMPLEMENTED],
        "What it is given, and gives back": [_class(classes[name]) for name in GIVEN],
        "Fixed sets of words": [_choices(_aliases(words, task, calls))],
    }
    return INTRO + "".join(f"\n## {title}\n\n" + "\n".join(parts) for title, parts in chapters.items())


def _hook(node: ast.FunctionDef) -> str:
    returns = ast.unparse(node.returns) if node.returns else "None"
    given = "" if returns == "None" else f"Gives `{returns}`. "
    return f"### `{node.name}({ast.unparse(node.args)})`\n\n{given}{_text(node)}\n"


def _class(node: ast.ClassDef) -> str:
    lines = [f"### `{node.name}`\n", _text(node) + "\n"]
    for member, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(member, ast.AnnAssign):
            default = f" = {ast.unparse(member.value)}".replace(EMPTY, "{}") if member.value else ""
            meaning = _constant(after)
            lines.append(_line(f"{ast.unparse(member.target)}: {ast.unparse(member.annotation)}{default}", meaning))
        elif isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
            lines.append(_line(_signature(member), _text(member)))
    return "\n".join([*lines, ""])


def _signature(method: ast.FunctionDef) -> str:
    is_property = any(ast.unparse(one) == "property" for one in method.decorator_list)
    arguments = ast.unparse(method.args).removeprefix("self").removeprefix(", ")
    returns = ast.unparse(method.returns) if method.returns else "None"
    return f"{method.name}: {returns}" if is_property else f"{method.name}({arguments}) -> {returns}"


def _choices(aliases: Mapping[str, ast.expr]) -> str:
    return "\n".join(f"- `{name} = {ast.unparse(aliases[name])}`" for name in CHOICES) + "\n"


def _line(code: str, meaning: str) -> str:
    return f"- `{code}`" + (f": {meaning}" if meaning else "")


def _constant(node: ast.stmt | None) -> str:
    """Return the docstring that *node* is, if it is one."""
    value = node.value if isinstance(node, ast.Expr) else None
    text = value.value if isinstance(value, ast.Constant) else ""
    return " ".join(text.split()) if isinstance(text, str) else ""


def _text(node: ast.FunctionDef | ast.ClassDef) -> str:
    return " ".join((ast.get_docstring(node) or "").split())


def _named(kind: type[N], *modules: ModuleType) -> dict[str, N]:
    return {node.name: node for module in modules for node in _body(module) if isinstance(node, kind)}


def _aliases(*modules: ModuleType) -> dict[str, ast.expr]:
    assigned = (node for module in modules for node in _body(module) if isinstance(node, ast.Assign))
    return {ast.unparse(node.targets[0]): node.value for node in assigned}


def _body(module: ModuleType) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(module)).body


PAGES: Mapping[str, Callable[[], str]] = {"hooks.md": hooks, "config.md": config_reference, "cli.md": cli_reference}
"""The generated pages by name."""


if __name__ == "__main__":
    for page, make in PAGES.items():
        (REFERENCE / page).write_text(make(), encoding="utf-8")
        print(REFERENCE / page)
