"""Every configuration that is shipped loads, and every key and flag that was promised is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from reflact.config import load
from reflact.errors import ConfigError
from reflact.plugins import Plugins
from reflact_cli.arguments import sort_out
from workspace import ROOT

CONFIGS = sorted([*(ROOT / "configs").rglob("*.yaml"), *(ROOT / "examples").rglob("*.yaml")])
KEYS = yaml.safe_load("""
model.teacher: gpt-5.4
model.student: gpt-5.4
model.teacher_backend: openai_chat
model.student_backend: openai_chat
model.reasoning_effort: medium
model.rewrite_reasoning_effort: ""
model.rewrite_max_completion_tokens: 64000
model.codex_exec_path: codex
model.codex_exec_sandbox: workspace-write
model.codex_exec_profile: ""
model.codex_exec_full_auto: false
model.codex_exec_reasoning_effort: none
model.claude_code_exec_path: claude
model.claude_code_exec_profile: ""
model.codex_trace_to_teacher: true
train.num_epochs: 4
train.train_size: 0
train.batch_size: 80
train.accumulation: 1
train.seed: 42
gradient.minibatch_size: 16
gradient.merge_batch_size: 16
gradient.analyst_workers: 16
gradient.max_analyst_rounds: 3
gradient.failure_only: false
gradient.use_deep_reflect: false
gradient.deep_reflect_failures: 4
gradient.deep_reflect_successes: 2
optimizer.learning_rate: 8
optimizer.min_learning_rate: 2
optimizer.lr_scheduler: cosine
optimizer.skill_update_mode: patch
optimizer.use_meta_reflect: false
optimizer.meta_learning_rate: 8
optimizer.use_slow_update: true
optimizer.slow_update_samples: 20
optimizer.use_meta_skill: true
evaluation.use_gate: true
evaluation.sel_env_num: 0
evaluation.test_env_num: 0
evaluation.eval_test: true
""")
"""The promised keys of the core with their promised defaults."""
ENV_KEYS = {"split_mode": "ratio", "split_ratio": '"2:1:7"', "split_seed": "42", "data_path": "items.jsonl"}
AZURE = {
    "azure_openai_endpoint": "https://mine.openai.azure.com",
    "azure_openai_api_version": "2025-04-01-preview",
    "azure_openai_api_key": "secret",
    "azure_openai_auth_mode": "api_key",
    "azure_openai_ad_scope": "https://cognitiveservices.azure.com/.default",
    "azure_openai_managed_identity_client_id": "1234",
}
FLAGS = {
    "teacher_model": "gpt-5.4",
    "student_model": "gpt-5.4",
    "teacher_backend": "openai_chat",
    "student_backend": "openai_chat",
    "backend": "openai_chat",
    "reasoning_effort": "high",
    "rewrite_reasoning_effort": "high",
    "rewrite_max_completion_tokens": "32000",
    "codex_exec_path": "codex",
    "codex_exec_sandbox": "read-only",
    "codex_exec_profile": "fast",
    "codex_exec_full_auto": "true",
    "codex_exec_reasoning_effort": "low",
    "claude_code_exec_path": "claude",
    "claude_code_exec_profile": "fast",
    "codex_trace_to_teacher": "false",
    "skill_init": "skill.md",
    "num_epochs": "2",
    "train_size": "10",
    "steps_per_epoch": "5",
    "batch_size": "20",
    "accumulation": "2",
    "seed": "7",
    "edit_budget": "4",
    "min_edit_budget": "2",
    "lr_scheduler": "linear",
    "lr_control_mode": "fixed",
    "merge_batch_size": "8",
    "max_analyst_rounds": "2",
    "sel_env_num": "10",
    "test_env_num": "10",
    "eval_test": "false",
    "use_gate": "true",
    "analyst_workers": "4",
    "failure_only": "true",
    "minibatch_size": "4",
    "use_meta_reflect": "true",
    "meta_edit_budget": "4",
    "skill_update_mode": "patch",
    "use_deep_reflect": "false",
    "deep_reflect_failures": "1",
    "deep_reflect_successes": "1",
    "use_slow_update": "false",
    "slow_update_samples": "5",
    "longitudinal_pair_policy": "mixed",
    "use_meta_skill": "false",
    "out_root": "outputs/mine",
    "data_path": "items.jsonl",
    "split_mode": "ratio",
    "split_ratio": "1:1:1",
    "split_seed": "7",
    "split_output_dir": "splits",
    "workers": "4",
    "limit": "10",
}
"""The old flat flags, as far as they belong to the core, to every dataset or to a shipped backend."""


@pytest.fixture(scope="module")
def plugins() -> Plugins:
    return Plugins()


@pytest.mark.parametrize("config", CONFIGS, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_shipped_config_loads_without_a_warning(config: Path, plugins: Plugins) -> None:
    named = [] if "_base_" not in config.parts else ["env.name=qa"]
    given = load(config, overrides=[*named, *_data(config)], plugins=plugins)
    assert not given.warnings


@pytest.mark.parametrize("key", KEYS)
def test_a_promised_key_has_its_default_and_is_taken_without_a_warning(key: str, plugins: Plugins) -> None:
    section, _, name = key.partition(".")
    value = KEYS[key]
    written = str(value).lower() if isinstance(value, bool) else value if value != "" else '""'
    given = load(None, overrides=["env.name=qa", "env.data_path=items.jsonl", f"{key}={written}"], plugins=plugins)
    default = load(None, overrides=["env.name=qa", "env.data_path=items.jsonl"], plugins=plugins)
    assert not given.warnings
    assert _value(default, section, name) == value


@pytest.mark.parametrize("key", AZURE)
def test_a_promised_key_of_azure_is_taken_and_never_called_old(key: str, plugins: Plugins) -> None:
    overrides = ["env.name=qa", "env.data_path=items.jsonl", f"model.{key}={AZURE[key]}"]
    warnings = load(None, overrides=overrides, plugins=plugins).warnings
    assert not [text for text in warnings if "old name" in text or "legacy" in text]


@pytest.mark.parametrize("key", ENV_KEYS)
def test_a_promised_key_of_every_dataset_is_taken_without_a_warning(key: str, plugins: Plugins) -> None:
    overrides = ["env.name=searchqa", "env.data_path=items.jsonl", f"env.{key}={ENV_KEYS[key]}"]
    assert not load(None, overrides=overrides, plugins=plugins).warnings


@pytest.mark.parametrize("flag", FLAGS)
def test_an_old_flag_is_taken(flag: str, plugins: Plugins) -> None:
    words = ["configs/qa/default.yaml", f"--{flag}", FLAGS[flag]]
    rest, flags = sort_out(words, own=())
    assert (rest, flags) == (words[:1], {flag: FLAGS[flag]})
    load(ROOT / rest[0], overrides=["env.data_path=items.jsonl"], flags=flags, plugins=plugins)


@pytest.mark.parametrize("written", ["false", "False", "no", "off", "0"])
def test_a_gate_that_is_switched_off_is_refused(written: str, plugins: Plugins) -> None:
    with pytest.raises(ConfigError, match="use_gate"):
        load(None, overrides=["env.name=qa", f"evaluation.use_gate={written}"], plugins=plugins)


def _data(config: Path) -> list[str]:
    return ["env.data_path=items.jsonl"] if "qa" in config.parts else []


def _value(resolved: Any, section: str, name: str) -> Any:
    return getattr(getattr(resolved.run, section), name)
