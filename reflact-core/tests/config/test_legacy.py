"""Old keys and old flags still work, and say so once."""

from collections.abc import Callable
from typing import Any

import pytest
from reflact.config import Resolved, load
from reflact.config.legacy import ENV_KEYS, FLAT, RENAMED, flag_keys
from reflact.config.run import SECTIONS
from reflact.errors import ConfigError
from reflact.plugins import Plugins

Loaded = Callable[..., Resolved]
Given = Callable[..., Resolved]

MODEL = """
teacher_backend student_backend reasoning_effort rewrite_reasoning_effort rewrite_max_completion_tokens codex_exec_path
codex_exec_sandbox codex_exec_profile codex_exec_full_auto codex_exec_reasoning_effort codex_exec_use_sdk
codex_exec_network_access codex_exec_web_search codex_exec_approval_policy claude_code_exec_path
claude_code_exec_profile claude_code_exec_use_sdk claude_code_exec_effort claude_code_exec_max_thinking_tokens
codex_trace_to_teacher qwen_chat_base_url qwen_chat_api_key qwen_chat_temperature qwen_chat_timeout_seconds
qwen_chat_max_tokens qwen_chat_enable_thinking azure_openai_endpoint azure_openai_api_version azure_openai_api_key
azure_openai_auth_mode azure_openai_ad_scope azure_openai_managed_identity_client_id teacher_azure_openai_endpoint
teacher_azure_openai_api_version teacher_azure_openai_api_key teacher_azure_openai_auth_mode
teacher_azure_openai_ad_scope teacher_azure_openai_managed_identity_client_id student_azure_openai_endpoint
student_azure_openai_api_version student_azure_openai_api_key student_azure_openai_auth_mode
student_azure_openai_ad_scope student_azure_openai_managed_identity_client_id
"""
TRAIN = "num_epochs train_size steps_per_epoch batch_size accumulation seed"
GRADIENT = """
minibatch_size merge_batch_size analyst_workers max_analyst_rounds failure_only use_deep_reflect deep_reflect_failures
deep_reflect_successes
"""
OPTIMIZER = """
lr_scheduler lr_control_mode skill_update_mode use_meta_reflect use_slow_update slow_update_samples
longitudinal_pair_policy use_meta_skill
"""
EVALUATION = "use_gate sel_env_num test_env_num eval_test"
ENV = """
skill_init out_root max_steps max_api_workers data_path split_mode split_ratio split_seed split_dir split_output_dir
data_root max_turns workers limit shuffle_choices use_theorem use_sketch image_detail judge_max_completion_tokens
judge_retries mode
"""
SAME = {
    "model": MODEL,
    "train": TRAIN,
    "gradient": GRADIENT,
    "optimizer": OPTIMIZER,
    "evaluation": EVALUATION,
    "env": ENV,
}
FLAGS = {key: f"{section}.{key}" for section, keys in SAME.items() for key in keys.split()} | {
    "env": "env.name",
    "backend": "model.backend",
    "teacher_model": "model.teacher",
    "student_model": "model.student",
    "judge_model": "model.judge",
    "edit_budget": "optimizer.learning_rate",
    "min_edit_budget": "optimizer.min_learning_rate",
    "meta_edit_budget": "optimizer.meta_learning_rate",
    "azure_endpoint": "model.azure_openai_endpoint",
    "azure_api_version": "model.azure_openai_api_version",
    "azure_api_key": "model.azure_openai_api_key",
}


@pytest.mark.parametrize(("flag", "dotted"), FLAGS.items())
def test_an_old_flag_leads_to_todays_key(flag: str, dotted: str) -> None:
    assert flag_keys(f"--{flag}") == flag_keys(flag.replace("_", "-")) == tuple(dotted.split("."))


REACHING = [name for name, keys in FLAT.items() if keys[1] in SECTIONS[keys[0]].model_fields]
BY_TYPE: dict[Any, str] = {bool: "true", int: "3", str: "text"}
BY_NAME = {
    "env": "capitals",
    "backend": "codex",
    "model_backend": "codex",
    "teacher_backend": "claude",
    "student_backend": "codex",
    "judge_backend": "claude",
    "optimizer_backend": "claude",
    "target_backend": "codex",
    "merge": "concat",
    "gate_metric": "soft",
    "gate_mixed_weight": "0.25",
    "gate_epsilon": "0.01",
    "leak_check": "off",
    "skill_aware_appendix_source": "failure_only",
    "codex_exec_sandbox": "read-only",
    "codex_exec_use_sdk": "cli",
    "claude_code_exec_use_sdk": "cli",
    "reasoning_effort": "high",
    "lr_scheduler": "linear",
    "lr_control_mode": "auto",
    "skill_update_mode": "edits",
    "longitudinal_pair_policy": "changed",
    "max_error_rate": "0.5",
    "min_learning_rate": "2",
    "min_edit_budget": "2",
    "qwen_chat_enable_thinking": "true",
    "teacher_qwen_chat_enable_thinking": "true",
    "student_qwen_chat_enable_thinking": "true",
    "optimizer_qwen_chat_enable_thinking": "true",
    "target_qwen_chat_enable_thinking": "true",
}


@pytest.mark.parametrize("name", REACHING)
def test_an_old_flag_reaches_the_resolved_value(plugins: Plugins, name: str) -> None:
    section, key = FLAT[name]
    default = SECTIONS[section].model_fields[key].default
    found = load(
        None, flags={"env": "capitals", name: BY_NAME.get(name, BY_TYPE.get(type(default), "3"))}, plugins=plugins
    )
    assert found.origins[f"{section}.{key}"] == "command line"
    assert any(f"--{name} " in warning for warning in found.warnings)


def test_a_flat_file_resolves_like_its_sectioned_twin(loaded: Loaded) -> None:
    flat = loaded(
        """
        env: capitals
        teacher_model: gpt-9
        student_backend: codex_exec
        codex_exec_path: /bin/codex
        batch_size: 20
        edit_budget: 4
        split_dir: data/x
        workers: 3
        polite: true
        """
    )
    sectioned = loaded(
        """
        env: {name: capitals, split_dir: data/x, workers: 3, polite: true}
        model: {teacher: gpt-9, student_backend: codex_exec, codex_exec_path: /bin/codex}
        train: {batch_size: 20}
        optimizer: {learning_rate: 4}
        """
    )
    assert (flat.run, flat.env, flat.roles) == (sectioned.run, sectioned.env, sectioned.roles)
    assert sectioned.warnings == ()
    assert len(flat.warnings) == 9


def test_an_override_leaves_a_flat_file_as_it_is(loaded: Loaded) -> None:
    found = loaded("env: capitals\nbatch_size: 20\nedit_budget: 4\n", "optimizer.learning_rate=5", "train.seed=1")
    assert (found.run.train.batch_size, found.run.optimizer.learning_rate, found.run.train.seed) == (20, 5, 1)


def test_a_misspelt_key_of_a_flat_file_is_recognised(loaded: Loaded) -> None:
    with pytest.raises(ConfigError, match=r"run\.yaml:2: unknown key 'batch_sise'. Did you mean 'batch_size'\?"):
        loaded("env: capitals\nbatch_sise: 20\n")


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
@pytest.mark.parametrize("base_is_old", [True, False])
def test_the_child_wins_whatever_the_spelling(
    loaded: Loaded, old: tuple[str, str], new: tuple[str, str], base_is_old: bool
) -> None:
    values = ("read-only", "danger-full-access") if "sandbox" in old[1] else ("a", "b")
    base, child = (old, new) if base_is_old else (new, old)
    found = loaded(
        f"_base_: base.yaml\nenv: {{name: capitals}}\nmodel: {{{child[1]}: {values[1]}}}",
        base=f"model: {{{base[1]}: {values[0]}}}",
    )
    value = getattr(found.run.model, new[1])
    assert (value.get_secret_value() if "api_key" in new[1] else value) == values[1]


@pytest.mark.parametrize(
    ("base", "child"),
    [
        ("optimizer: {learning_rate: 8}", "edit_budget: 4"),
        ("edit_budget: 8", "optimizer: {learning_rate: 4}"),
    ],
)
def test_a_flat_and_a_sectioned_file_may_inherit_from_each_other(loaded: Loaded, base: str, child: str) -> None:
    found = loaded(f"_base_: base.yaml\n{child}", "env.name=capitals", base=base)
    assert found.run.optimizer.learning_rate == 4


def test_a_flat_model_beats_a_nested_one_of_the_base(loaded: Loaded) -> None:
    found = loaded(
        "_base_: base.yaml\nenv: capitals\nteacher_model: b",
        base="model: {teacher: {backend: openai_chat, model: a, effort: low}}",
    )
    assert found.run.model.teacher == "b"
    assert found.roles["teacher"].settings.effort == "low"  # type: ignore[attr-defined]


def test_todays_name_beats_the_old_one_in_one_layer(given: Given) -> None:
    found = given(model={"azure_openai_endpoint": "new", "azure_endpoint": "old"})
    assert found.run.model.azure_openai_endpoint == "new"


def test_every_old_key_is_warned_about_once(loaded: Loaded, tmp_path: Any) -> None:
    found = loaded("_base_: base.yaml\nedit_budget: 4\nenv: capitals", base="edit_budget: 8")
    assert found.warnings == (
        f"{tmp_path}/base.yaml:1: edit_budget is an old name; write optimizer.learning_rate",
        f"{tmp_path}/run.yaml:3: env is an old name; write env.name",
    )


@pytest.mark.parametrize("section", SECTIONS)
def test_the_names_of_the_contract_never_warn(given: Given, section: str) -> None:
    values = {
        key: field.default
        for key, field in SECTIONS[section].model_fields.items()
        if key != "backend" and isinstance(field.default, str | int | float)
    }
    assert given(**{section: values | ({"judge_backend": "openai_chat"} if section == "model" else {})}).warnings == ()


def test_steps_per_epoch_is_accepted_and_said_to_do_nothing(given: Given) -> None:
    (warning,) = given(train={"steps_per_epoch": 5}).warnings
    assert warning.startswith("given: train.steps_per_epoch has no effect: it follows from train_size")


def test_a_truth_value_on_the_old_command_line_may_be_said_in_words(plugins: Plugins) -> None:
    found = load(None, flags={"env": "capitals", "eval_test": "No", "failure-only": "1"}, plugins=plugins)
    assert (found.run.evaluation.eval_test, found.run.gradient.failure_only) == (False, True)


def test_the_old_gate_flag_cannot_turn_it_off(plugins: Plugins) -> None:
    with pytest.raises(ConfigError, match="--use_gate: the gate is always on"):
        load(None, flags={"env": "capitals", "use_gate": "0"}, plugins=plugins)


def test_a_flag_nobody_knows_is_named_with_the_nearest(plugins: Plugins) -> None:
    with pytest.raises(ConfigError, match=r"unknown flag 'techer_model'\. Did you mean 'teacher_model'"):
        load(None, flags={"techer_model": "x"}, plugins=plugins)


def test_a_flag_of_an_env_that_lacks_it_is_refused(plugins: Plugins) -> None:
    with pytest.raises(ConfigError, match="command line: unknown key '--max_steps'"):
        load(None, flags={"env": "capitals", "max_steps": "5"}, plugins=plugins)


def test_flags_beat_overrides(plugins: Plugins) -> None:
    found = load(None, overrides=["env.name=capitals", "train.seed=1"], flags={"seed": "2"}, plugins=plugins)
    assert found.run.train.seed == 2


def test_the_codex_sandbox_is_found_under_its_short_old_name(loaded: Loaded) -> None:
    found = loaded("env: capitals\nstudent_backend: codex_exec\nsandbox: read-only\n")
    assert found.roles["student"].settings.sandbox == "read-only"  # type: ignore[attr-defined]


def test_no_name_leads_to_two_keys() -> None:
    assert set(ENV_KEYS).isdisjoint(
        key for section, model in SECTIONS.items() if section != "env" for key in model.model_fields
    )
