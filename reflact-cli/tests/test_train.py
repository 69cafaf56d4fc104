"""`reflact train`: whole runs with scripted models."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


def test_each_step_is_told_in_a_line(train: Reflact) -> None:
    ran = train()
    steps = [line for line in ran.out.splitlines() if line.startswith("step ")]
    assert (ran.code, len(steps)) == (0, 4)
    assert re.fullmatch(
        r"step 1/4  rollout 0/4 right · 2 patches · 1 edit kept · "
        r"selection 0.000 -> 0.250 ACCEPTED \(new best\) · 2 better, 0 worse",
        steps[0],
    )
    assert steps[3].endswith("selection 0.750 -> 1.000 ACCEPTED (new best) · 2 better, 0 worse")


def test_the_report_has_before_and_after_with_counts_and_intervals(train: Reflact) -> None:
    out = train().out
    assert "held-out test   0/8 (0 %, 0–32 %)  ->  8/8 (100 %, 68–100 %)   +100 points" in out
    assert "8 improved, 0 got worse, 0 as before" in out
    assert "selection       0.000 -> 1.000 on 8 items, best after step 4" in out


def test_the_report_has_a_row_for_each_kind_of_task(train: Reflact) -> None:
    rows = [line.split() for line in train("train.num_epochs=1").out.splitlines()]
    assert ["even", "0", "%", "50", "%", "+50", "points", "4"] in rows
    assert ["odd", "0", "%", "50", "%", "+50", "points", "4"] in rows


def test_the_report_shows_what_was_learnt_and_what_it_cost(train: Reflact) -> None:
    out = train().out
    assert "learnt          4 of 4 steps accepted, 0 rejected, 0 skipped" in out
    for rule in Path("run/best_skill.md").read_text().splitlines():
        assert not rule or f"    + {rule}" in out.splitlines()
    calls = [json.loads(line) for line in Path("run/calls.jsonl").read_text().splitlines()]
    students = sum(call["role"] == "student" for call in calls)
    cost = next(line for line in out.splitlines() if line.startswith("  student scripted"))
    assert cost.split()[2] == str(students)
    assert "USD: not priced" in out


def test_what_the_end_of_an_epoch_brings_is_told_and_counted_as_learnt(train: Reflact) -> None:
    ends = ("optimizer.use_slow_update=true", "optimizer.use_meta_skill=true", "optimizer.use_meta_reflect=true")
    out = train("train.batch_size=8", *ends).out
    assert "  meta reflect: selection 0.250 -> 0.500 ACCEPTED (new best)" in out
    assert "  meta skill: the teacher renewed its notes on how to edit this skill" in out
    assert re.search(r"  slow update: selection 0.750 -> 1.000 ACCEPTED \(new best\)", out)
    learnt = out.split("learnt  ")[1]
    assert re.search(r"  slow update after epoch 2 \(selection 1.000\)\n    \+ RULE of the long run\n", learnt)
    assert re.search(r"  meta reflect after epoch 1 \(selection 0.500\)\n    \+ - RULE of rules\.\n", learnt)


def test_scores_are_in_the_metric_of_the_gate(train: Reflact) -> None:
    out = train("train.num_epochs=1", "evaluation.gate_metric=soft").out
    assert "selection       0.000 -> 0.500 on 8 items" in out


def test_a_rule_of_the_gate_is_named_when_it_decides(train: Reflact) -> None:
    out = train("train.num_epochs=1", "evaluation.gate_epsilon=0.3").out
    assert "selection 0.000 -> 0.250 rejected: not better than the current skill (better by less than 0.3)" in out


def test_the_next_command_of_the_report_works(train: Reflact, reflact: Reflact) -> None:
    out = train("train.num_epochs=1").out
    line = next(line for line in out.splitlines() if line.startswith("  score it again"))
    words = line.split("reflact ", 1)[1].split()
    ran = reflact(*words)
    assert ran.code == 0
    assert "test   4/8 (50 %," in ran.out


def test_what_goes_to_a_pipe_has_no_control_characters(train: Reflact) -> None:
    out = train("model.teacher_backend=mumbling_coach", "train.num_epochs=1").out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", out)
    assert "  rollout: 4 of 4 in " in out
    assert "analyst: the reply holds no JSON object that can be read" in out


def test_a_run_without_a_folder_gets_one_named_after_env_teacher_and_time(reflact: Reflact) -> None:
    ran = reflact("train", "desks.yaml", "--plugin", DESKS, "train.num_epochs=1", "model.teacher.model=acme/large")
    assert ran.code == 0
    (made,) = Path("outputs").iterdir()
    assert re.fullmatch(r"reflact_desks_acme-large_\d{8}_\d{6}", made.name)


def test_a_run_goes_to_the_folder_its_config_names(reflact: Reflact) -> None:
    ran = reflact("train", "desks.yaml", "--plugin", DESKS, "train.num_epochs=1", "env.out_root=here")
    assert ran.code == 0
    assert Path("here/best_skill.md").is_file()


def test_a_finished_run_that_is_started_again_calls_no_model(train: Reflact) -> None:
    first = train("train.num_epochs=1").out
    calls = Path("run/calls.jsonl").read_text()
    again = train("train.num_epochs=1").out
    assert Path("run/calls.jsonl").read_text() == calls
    assert "goes on after step 2 of 2" in again
    held_out = [line for line in first.splitlines() if line.startswith("held-out")]
    assert held_out == [line for line in again.splitlines() if line.startswith("held-out")]


def test_a_fork_starts_from_the_best_skill_and_leaves_the_old_run_as_it_was(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    before = {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}
    ran = reflact("train", "--fork", "run", "--plugin", DESKS, "--out", "new")
    assert ran.code == 0
    assert Path("new/skills/skill_v0000.md").read_text() == Path("run/best_skill.md").read_text()
    assert "selection       0.500 -> 1.000" in ran.out
    assert before == {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}


def test_a_fork_of_a_run_whose_config_names_its_folder_gets_a_new_one(reflact: Reflact) -> None:
    Path("desks.yaml").write_text(Path("desks.yaml").read_text() + "  out_root: here\n")
    reflact("train", "desks.yaml", "--plugin", DESKS, "train.num_epochs=1")
    ran = reflact("train", "desks.yaml", "--fork", "here", "--plugin", DESKS, "train.num_epochs=1")
    assert ran.code == 0
    assert [path.name.startswith("reflact_desks_") for path in Path("outputs").iterdir()] == [True]


def test_without_the_console_a_run_says_nothing_of_itself(train: Reflact) -> None:
    ran = train("train.num_epochs=1", "--no-observer", "console")
    assert ran.code == 0
    assert "step 1" not in ran.out
    assert "held-out" not in ran.out


def test_legacy_names_are_warned_about_once_at_the_start(train: Reflact) -> None:
    out = train("--batch_size", "8", "train.num_epochs=1").out
    assert out.count("--batch_size is an old name; write train.batch_size") == 1
    assert "step 1/1" in out
