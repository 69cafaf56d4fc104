"""Old names: flat keys, old key names and old flags, as one table each; every use is warned about once."""

from __future__ import annotations

from collections.abc import Mapping

from reflact.config.layers import Layer, Leaf
from reflact.config.run import NEW, SECTIONS
from reflact.config.spelling import ALIASES
from reflact.config.yaml import Keys

ENV_KEYS = (
    "skill_init",
    "out_root",
    "split_mode",
    "split_ratio",
    "split_seed",
    "split_dir",
    "data_path",
    "split_output_dir",
    "data_root",
    "max_steps",
    "max_api_workers",
    "max_turns",
    "exec_timeout",
    "workers",
    "limit",
    "shuffle_choices",
    "use_theorem",
    "use_sketch",
    "image_detail",
    "mode",
    "judge_max_completion_tokens",
    "judge_retries",
)

FLAT: Mapping[str, Keys] = {
    **{
        key: (section, key)
        for section, model in SECTIONS.items()
        if section not in {"env", *NEW}
        for key in model.model_fields
    },
    **{key: ("env", key) for key in ENV_KEYS},
    "env": ("env", "name"),
    "backend": ("model", "backend"),
    "model_backend": ("model", "backend"),
    "teacher_model": ("model", "teacher"),
    "student_model": ("model", "student"),
    "judge_model": ("model", "judge"),
    "optimizer_model": ("model", "teacher"),
    "target_model": ("model", "student"),
    **{
        f"{alias}{key.removeprefix(role)}": ("model", key)
        for alias, role in ALIASES.items()
        for key in SECTIONS["model"].model_fields
        if key.startswith(f"{role}_")
    },
    "codex_trace_to_optimizer": ("model", "codex_trace_to_teacher"),
    "edit_budget": ("optimizer", "learning_rate"),
    "min_edit_budget": ("optimizer", "min_learning_rate"),
    "meta_edit_budget": ("optimizer", "meta_learning_rate"),
    "steps_per_epoch": ("train", "steps_per_epoch"),
    "azure_endpoint": ("model", "azure_openai_endpoint"),
    "azure_api_version": ("model", "azure_openai_api_version"),
    "azure_api_key": ("model", "azure_openai_api_key"),
}
"""Where a key of a flat file, or an old flag, lives now."""

RENAMED: Mapping[Keys, Keys] = {
    ("model", "azure_endpoint"): ("model", "azure_openai_endpoint"),
    ("model", "azure_api_version"): ("model", "azure_openai_api_version"),
    ("model", "azure_api_key"): ("model", "azure_openai_api_key"),
    ("model", "codex_path"): ("model", "codex_exec_path"),
    ("model", "codex_cli_bin"): ("model", "codex_exec_path"),
    ("model", "codex_bin"): ("model", "codex_exec_path"),
    ("model", "sandbox"): ("model", "codex_exec_sandbox"),
    ("model", "codex_sandbox"): ("model", "codex_exec_sandbox"),
}
"""Old names of keys in sections."""

DEAD: Mapping[Keys, str] = {("train", "steps_per_epoch"): "it follows from train_size, batch_size and accumulation"}
"""Keys that never had an effect, and why."""


def modernise(given: Layer) -> tuple[Layer, list[str]]:
    """Return *given* under today's names, and a warning for each old one.

    A file without any section is flat: keys it has beyond the table belong to the env. Where a layer has a key under
    its old and its new name, the new one counts.
    """
    flat = any(_is_flat(keys, leaf) for keys, leaf in given.items()) and not any(
        keys[0] in SECTIONS and len(keys) > 1 for keys in given
    )
    renamed: dict[Keys, Leaf] = {}
    old: dict[Keys, Leaf] = {}
    warnings: list[str] = []
    for keys, leaf in given.items():
        new = _today(keys, leaf, flat=flat)
        if new in DEAD:
            warnings.append(f"{leaf.place}: {leaf.written} has no effect: {DEAD[new]}; remove it")
        elif new == keys:
            renamed[keys] = leaf
            if keys == ("model", "backend"):
                warnings.append(_sets_both(leaf))
        else:
            old[new] = leaf
            warnings.append(_sets_both(leaf) if new == ("model", "backend") else _renamed(leaf, new))
    return {**old, **renamed}, warnings


def flag_keys(flag: str) -> Keys | None:
    """Return where the value of the old flag *flag* (`teacher_model`, `--teacher-model`) lives, if it is one."""
    return FLAT.get(flag.lstrip("-").replace("-", "_"))


def flag_layer(keys: Keys, value: object, *, flag: str, place: str, rank: int) -> tuple[Layer, str]:
    """Return the layer an old flag makes, and the warning it deserves."""
    leaf = Leaf(value, place, f"--{flag.lstrip('-')}", rank)
    if keys in DEAD:
        return {}, f"{place}: {leaf.written} has no effect: {DEAD[keys]}; leave it out"
    return {keys: leaf}, _sets_both(leaf) if keys == ("model", "backend") else _renamed(leaf, keys)


def once(warnings: list[str]) -> tuple[str, ...]:
    """Return *warnings* with each old key warned about once, where it first stands."""
    first: dict[str, str] = {}
    for warning in warnings:
        first.setdefault(warning.partition(": ")[2], warning)
    return tuple(first.values())


def _is_flat(keys: Keys, leaf: Leaf) -> bool:
    return keys[0] in FLAT and len(keys) == 1 and not (keys[0] in SECTIONS and leaf.value in (None, {}))


def _today(keys: Keys, leaf: Leaf, *, flat: bool) -> Keys:
    if keys in RENAMED:
        return RENAMED[keys]
    if _is_flat(keys, leaf):
        return FLAT[keys[0]]
    aliased = RENAMED.get(("model", *keys)) if flat else None
    if aliased:
        return aliased
    return ("env", *keys) if flat and keys[0] not in (*SECTIONS, "prompts") else keys


def _renamed(leaf: Leaf, new: Keys) -> str:
    return f"{leaf.place}: {leaf.written} is an old name; write {'.'.join(new)}"


def _sets_both(leaf: Leaf) -> str:
    return f"{leaf.place}: {leaf.written} is legacy; write model.teacher_backend and model.student_backend"
