"""The flat form of a configuration, as `config.json` holds it, and what changed between two of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reflact.config.resolve import Resolved
from reflact.config.run import NEW, SECTIONS, RunConfig, TopLevel
from reflact.config.secret import HIDDEN, is_secret, public
from reflact.config.spelling import ROLES
from reflact.config.spend import Limits

RENAMED: Mapping[str, str] = {
    "optimizer.learning_rate": "edit_budget",
    "optimizer.min_learning_rate": "min_edit_budget",
    "optimizer.meta_learning_rate": "meta_edit_budget",
    "env.name": "env",
    "model.teacher": "teacher_model",
    "model.student": "student_model",
    "model.judge": "judge_model",
}
"""Flat names that are not simply the last part of the dotted key."""

ENGINE_KEYS = (
    "reasoning_effort",
    "rewrite_reasoning_effort",
    "rewrite_max_completion_tokens",
    "codex_trace_to_teacher",
)
"""Keys of section `model` that are not a role's settings."""

_ROLE_KEYS = ("timeout", "timeout_s", "timeout_seconds", "connections", *Limits.model_fields)
_WAY_KEYS = (
    *("base_url", "headers", "api_key_env", "key_header", "path", "auth_command", "pass_env", "request_retries"),
    *(f"azure_openai_{key}" for key in ("endpoint", "auth_mode", "ad_scope", "managed_identity_client_id")),
)

OPERATIONAL: frozenset[str] = frozenset(
    {
        "env.workers",
        "env.out_root",
        "env.exec_timeout",
        "env.task_timeout",
        "env.split_output_dir",
        "gradient.analyst_workers",
        "evaluation.max_error_rate",
        "evaluation.max_infra_retries",
        "prices",
        *(f"{section}.{key}" for section in NEW for key in SECTIONS[section].model_fields),
        *(f"model.{role}.{key}" for role in ROLES for key in _ROLE_KEYS),
    }
)
"""Dotted keys that say how a run is carried out and not what it computes: they may change when it is resumed."""

WAYS: frozenset[str] = frozenset(f"model.{role}.{key}" for role in ROLES for key in _WAY_KEYS)
"""Dotted keys that say on which way a model is reached. They may change too: a server moves, the model stays."""


def flat(resolved: Resolved) -> dict[str, Any]:
    """Return the configuration that is in force as JSON-ready values by flat name, sorted, without any secret.

    Keys of the env stand under their own names; a role's settings are `teacher_model`, `teacher_backend`, `teacher_…`.
    """
    values = top_level(resolved.run)
    for name in SECTIONS:
        for key, value in getattr(resolved.run, name).model_dump(mode="json").items():
            if name != "model" or key in ENGINE_KEYS:
                values[_flat_name(f"{name}.{key}")] = value
    for role_name, role in resolved.roles.items():
        values[f"{role_name}_backend"] = role.backend
        for part in (role.settings, role.limits):
            values |= {f"{role_name}_{key}": value for key, value in part.model_dump(mode="json").items()}
    taken = {*values, *SECTIONS["model"].model_fields}
    for key, value in resolved.env.model_dump(mode="json").items():
        values[f"env_{key}" if key in taken else key] = value
    return {key: _without_secrets(key, values[key]) for key in sorted(values)}


def top_level(run: RunConfig) -> dict[str, Any]:
    """Return the keys of *run* that stand in no section, as JSON-ready values."""
    return run.model_dump(mode="json", include=set(TopLevel.model_fields))


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each key whose value differs between two flat forms and matters to the result."""
    changed = []
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        dotted = _dotted(key)
        if before != after and dotted not in OPERATIONAL | WAYS and HIDDEN not in (before, after):
            changed.append(f"{dotted} was {_shown(old, key)}, now {_shown(new, key)}")
    return changed


def _flat_name(dotted: str) -> str:
    section, _, key = dotted.rpartition(".")
    return RENAMED.get(dotted, f"{section}_{key}" if section in NEW else key)


def _dotted(name: str) -> str:
    """Return the dotted key whose flat name is *name*; a name the core does not know is the env's."""
    if name in TopLevel.model_fields:
        return name
    for dotted, short in RENAMED.items():
        if short == name:
            return dotted
    for section, model in SECTIONS.items():
        if section in NEW and name.removeprefix(f"{section}_") in model.model_fields:
            return f"{section}.{name.removeprefix(f'{section}_')}"
        if name in model.model_fields and section not in NEW:
            return f"{section}.{name}"
    role, _, key = name.partition("_")
    return f"model.{role}.{key}" if role in ROLES and key else f"env.{name.removeprefix('env_')}"


def _shown(values: Mapping[str, Any], key: str) -> str:
    return json.dumps(values[key], ensure_ascii=False).strip('"') if key in values else "not set"


def _without_secrets(key: str, value: Any) -> Any:
    if is_secret(key):
        return HIDDEN if value else value
    if isinstance(value, dict):
        return {inner: _without_secrets(inner, one) for inner, one in value.items()}
    if isinstance(value, list):
        return [_without_secrets(key, one) for one in value]
    return public(value) if isinstance(value, str) else value
