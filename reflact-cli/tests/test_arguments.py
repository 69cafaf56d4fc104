"""How a command line is sorted out, and which of two settings wins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from reflact_cli.arguments import sort_out

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


OWN = {"--out", "--plugin"}
OLD_FLAGS = """
env backend teacher_model student_model teacher_backend student_backend reasoning_effort skill_init
num_epochs train_size steps_per_epoch batch_size accumulation seed edit_budget min_edit_budget
lr_scheduler lr_control_mode merge_batch_size max_analyst_rounds sel_env_num test_env_num eval_test
use_gate analyst_workers failure_only minibatch_size use_meta_reflect meta_edit_budget skill_update_mode
use_deep_reflect deep_reflect_failures deep_reflect_successes use_slow_update slow_update_samples
longitudinal_pair_policy use_meta_skill out_root max_steps max_api_workers data_path split_mode
split_ratio split_seed split_dir split_output_dir data_root max_turns workers limit shuffle_choices
use_theorem use_sketch image_detail judge_model judge_max_completion_tokens judge_retries mode
codex_exec_path codex_exec_sandbox claude_code_exec_path codex_trace_to_teacher rewrite_reasoning_effort
azure_openai_endpoint azure_openai_api_key teacher_azure_openai_endpoint qwen_chat_base_url
"""


@pytest.mark.parametrize(
    ("words", "rest", "flags"),
    [
        ("c.yaml a.b=1", "c.yaml a.b=1", {}),
        ("--cfg-options a.b=1 c.d=2 --out x e.f=3", "a.b=1 c.d=2 --out x e.f=3", {}),
        ("--cfg-options=a.b=1 c.d=2", "a.b=1 c.d=2", {}),
        ("c.yaml --batch_size 4 a.b=1", "c.yaml a.b=1", {"batch_size": "4"}),
        ("--teacher-model=x --seed -1", "", {"teacher-model": "x", "seed": "-1"}),
        ("--out=x --plugin y", "--out=x --plugin y", {}),
        ("-- --batch_size 4", "-- --batch_size 4", {}),
    ],
)
def test_older_spellings_are_sorted_out(words: str, rest: str, flags: dict[str, str]) -> None:
    assert sort_out(words.split(), OWN) == (rest.split(), flags)


def test_a_flag_without_a_value_is_refused() -> None:
    with pytest.raises(click.UsageError, match="--seed needs a value"):
        sort_out(["--seed", "--out", "x"], OWN)


def shown(reflact: Reflact, *words: object) -> dict[str, dict[str, object]]:
    ran = reflact("config", "--plugin", DESKS, *words)
    assert ran.code == 0, ran.err
    found: dict[str, dict[str, object]] = yaml.safe_load(ran.out)
    return found


def test_the_command_line_beats_the_file_and_a_flag_beats_both(reflact: Reflact) -> None:
    assert shown(reflact, "desks.yaml")["train"]["batch_size"] == 4
    assert shown(reflact, "desks.yaml", "train.batch_size=5")["train"]["batch_size"] == 5
    words = ("--config", "desks.yaml", "--cfg-options", "train.batch_size=5", "--batch_size", "6")
    assert shown(reflact, *words)["train"]["batch_size"] == 6


def test_no_file_is_needed_when_the_command_line_names_an_env(reflact: Reflact) -> None:
    words = ("env.name=desks", "model.teacher_backend=coach", "model.student_backend=clerk")
    assert shown(reflact, *words)["train"]["num_epochs"] == 4


def test_a_file_whose_name_has_an_equals_sign_is_a_file(reflact: Reflact) -> None:
    Path("desks.yaml").rename("desks=1.yaml")
    assert shown(reflact, "desks=1.yaml")["train"]["batch_size"] == 4


def test_every_older_flag_of_the_method_is_known() -> None:
    flags = OLD_FLAGS.split()
    rest, found = sort_out([word for flag in flags for word in (f"--{flag}", "1")], OWN)
    assert (rest, list(found)) == ([], flags)
