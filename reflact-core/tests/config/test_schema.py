"""The promised keys, with the promised defaults and limits."""

from collections.abc import Callable
from typing import Any

import pytest
from reflact.config import Optimizer, Resolved
from reflact.config.run import SECTIONS, TopLevel
from reflact.config.split import SplitConfig

Given = Callable[..., Resolved]
Faults = Callable[..., list[str]]

PROMISED: dict[str, dict[str, Any]] = {
    "model": {
        "backend": "azure_openai",
        "teacher": "gpt-5.4",
        "student": "gpt-5.4",
        "teacher_backend": "openai_chat",
        "student_backend": "openai_chat",
        "reasoning_effort": "medium",
        "rewrite_reasoning_effort": "",
        "rewrite_max_completion_tokens": 64000,
        "codex_exec_path": "codex",
        "codex_exec_sandbox": "workspace-write",
        "codex_exec_profile": "",
        "codex_exec_full_auto": False,
        "codex_exec_reasoning_effort": "none",
        "claude_code_exec_path": "claude",
        "claude_code_exec_profile": "",
        "codex_trace_to_teacher": True,
    },
    "train": {"num_epochs": 4, "train_size": 0, "batch_size": 80, "accumulation": 1, "seed": 42},
    "gradient": {
        "minibatch_size": 16,
        "merge_batch_size": 16,
        "analyst_workers": 16,
        "max_analyst_rounds": 3,
        "failure_only": False,
        "use_deep_reflect": False,
        "deep_reflect_failures": 4,
        "deep_reflect_successes": 2,
        "merge": "teacher",
    },
    "optimizer": {
        "learning_rate": 8,
        "min_learning_rate": 2,
        "lr_scheduler": "cosine",
        "lr_control_mode": "fixed",
        "skill_update_mode": "patch",
        "use_meta_reflect": False,
        "meta_learning_rate": 8,
        "use_slow_update": True,
        "slow_update_samples": 20,
        "longitudinal_pair_policy": "mixed",
        "use_meta_skill": True,
        "candidates_per_step": 1,
        "screen_size": 6,
    },
    "evaluation": {
        "use_gate": True,
        "sel_env_num": 0,
        "test_env_num": 0,
        "eval_test": True,
        "max_error_rate": 0.1,
        "max_infra_retries": 1,
    },
    "env": {"skill_init": "", "out_root": "", "workers": 16},
}


@pytest.mark.parametrize("section", PROMISED)
def test_a_promised_key_has_its_promised_default(given: Given, section: str) -> None:
    assert given().run.model_dump()[section].items() >= PROMISED[section].items()


def test_a_dataset_env_splits_two_one_seven() -> None:
    split = SplitConfig()
    assert (split.split_mode, split.split_ratio, split.split_seed, split.limit) == ("ratio", "2:1:7", 42, 0)


@pytest.mark.parametrize("model", [*SECTIONS.values(), TopLevel, SplitConfig])
def test_every_key_says_what_it_means(model: Any) -> None:
    assert [key for key, field in model.model_fields.items() if not field.description] == []


def test_a_configuration_cannot_be_changed(given: Given) -> None:
    with pytest.raises(ValueError, match="frozen"):
        given().run.train.seed = 5  # type: ignore[misc]


@pytest.mark.parametrize("spelling", [False, 0, 0.0, "off", "no", "false", "No", "OFF", "0", "none", "", None, [], {}])
def test_the_gate_cannot_be_turned_off_in_any_spelling(faults: Faults, spelling: Any) -> None:
    (line,) = faults(evaluation={"use_gate": spelling})
    assert "evaluation.use_gate: the gate is always on" in line
    assert "remove the key" in line


@pytest.mark.parametrize("spelling", [True, 1, "on", "yes", "TRUE"])
def test_the_gate_may_be_said_to_be_on(given: Given, spelling: Any) -> None:
    assert given(evaluation={"use_gate": spelling}).run.evaluation.use_gate is True


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("train", "batch_size", 0),
        ("train", "accumulation", 0),
        ("train", "num_epochs", -1),
        ("train", "train_size", -1),
        ("gradient", "merge_batch_size", 1),
        ("gradient", "merge", "both"),
        ("optimizer", "learning_rate", 0),
        ("optimizer", "lr_scheduler", "cosin"),
        ("optimizer", "lr_control_mode", "magic"),
        ("optimizer", "longitudinal_pair_policy", "some"),
        ("evaluation", "max_error_rate", 1.5),
        ("evaluation", "max_error_rate", float("nan")),
        ("env", "workers", 0),
    ],
)
def test_a_value_out_of_range_is_refused(faults: Faults, section: str, key: str, value: Any) -> None:
    (line,) = faults(**{section: {key: value}})
    assert line.startswith(f"given: {section}.{key}: input should be ")


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("train", "seed", "many"),
        ("train", "seed", "42"),
        ("train", "seed", 1.0),
        ("train", "seed", True),
        ("train", "seed", None),
        ("evaluation", "max_error_rate", "0.1"),
        ("evaluation", "eval_test", "yes"),
        ("evaluation", "eval_test", 1),
        ("model", "teacher_backend", None),
        ("env", "skill_init", ["a"]),
        ("env", "polite", "true"),
    ],
)
def test_a_value_of_another_type_is_refused(faults: Faults, section: str, key: str, value: Any) -> None:
    (line,) = faults(**{section: {key: value}})
    assert line.startswith(f"given: {section}.{key}: ")


def test_an_integer_may_stand_for_a_float(given: Given) -> None:
    assert given(evaluation={"max_error_rate": 1}).run.evaluation.max_error_rate == 1.0


def test_a_number_given_for_text_stays_the_text_that_was_written(loaded: Callable[..., Resolved]) -> None:
    found = loaded(
        """
        model: {teacher: 0123, student: {model: 1e3}}
        env: {name: capitals, labels: [007, true, north], hints: {x: 1.50}}
        """
    )
    assert (found.run.model.teacher, found.run.model.student) == ("0123", "1e3")
    assert found.env.labels == ("007", "true", "north")  # type: ignore[attr-defined]
    assert found.env.hints == {"x": "1.50"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("key", "written", "meant"),
    [
        ("lr_control_mode", "Manual", "fixed"),
        ("lr_control_mode", "auto", "autonomous"),
        ("lr_control_mode", "off", "none"),
        ("longitudinal_pair_policy", "10_01", "changed"),
        ("longitudinal_pair_policy", "same", "unchanged"),
        ("longitudinal_pair_policy", "ALL", "mixed"),
        ("skill_update_mode", "edits", "patch"),
    ],
)
def test_an_alias_means_its_value(given: Given, key: str, written: str, meant: str) -> None:
    assert getattr(given(optimizer={key: written}).run.optimizer, key) == meant


def test_an_update_mode_that_is_not_installed_is_refused(faults: Faults) -> None:
    (line,) = faults(optimizer={"skill_update_mode": "pach"})
    assert line == "given: optimizer.skill_update_mode: unknown update mode 'pach'. Did you mean 'patch'?"


def test_a_prompt_pack_is_named_alone_or_in_order(given: Given, faults: Faults) -> None:
    assert given(prompts="small").run.prompts == ("small",)
    assert given(prompts=["small", "default"]).run.prompts == ("small", "default")
    assert given(prompts=None).run.prompts == given(prompts="").run.prompts == ()
    assert faults(prompts=["smal"]) == ["given: prompts: unknown prompt pack 'smal'. Did you mean 'small'?"]


def test_the_minimal_learning_rate_is_at_most_the_learning_rate(faults: Faults) -> None:
    (line,) = faults(optimizer={"learning_rate": 3, "min_learning_rate": 4})
    assert line == "given: optimizer.min_learning_rate: must be at most optimizer.learning_rate, which is 3 (got 4)"


def test_the_minimal_learning_rate_follows_when_only_the_other_is_lowered(given: Given) -> None:
    assert given(optimizer={"learning_rate": 1}).run.optimizer.min_learning_rate == 1
    assert Optimizer(learning_rate=1).min_learning_rate == 1
