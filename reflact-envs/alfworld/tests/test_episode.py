"""One game, from the first view to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, Rollout, Skill, Task
from reflact.errors import BackendFault
from reflact.kit.scripted import EchoStudent

PLAN = ("go to desk 1", "take mug 1 from desk 1", "go to shelf 1", "move mug 1 to shelf 1")
Build = Callable[..., Any]


def says(*replies: str) -> EchoStudent:
    """Return a student that gives *replies* in turn, and then the last one for ever."""
    left = list(replies)
    return EchoStudent(lambda _: left.pop(0) if len(left) > 1 else left[0])


def act(command: str) -> str:
    return f"<think>so</think><action>{command}</action>"


def play(env: Any, student: Any, task: Task | None = None, skill: str = "") -> Rollout:
    one = task or env.tasks("train")[0]
    found: Rollout = env.run(one, skill=Skill(skill), student=student, workdir=Path("unused"))
    return found


def test_a_game_that_is_won_scores_one_and_ends_there(build: Build) -> None:
    student = says(*map(act, PLAN), act("look"))
    rollout = play(build(), student)
    assert (rollout.hard, rollout.soft, rollout.outcome, rollout.feedback) == (1.0, 1.0, "ok", "")
    assert (rollout.extra["stopped_by"], rollout.extra["n_steps"], len(student.prompts)) == ("won", 4, 4)


def test_a_game_that_is_not_won_in_time_scores_zero_and_says_so(build: Build) -> None:
    rollout = play(build(max_steps=3), says(act("look")))
    assert (rollout.hard, rollout.scored, rollout.error) == (0.0, True, None)
    assert rollout.extra["stopped_by"] == "steps"
    assert rollout.extra["fail_reason"] == "not solved within 3 steps"
    assert rollout.feedback.startswith("not solved within 3 steps (3 steps, 0 with an action that could not be done")


def test_more_than_fifty_steps_can_be_had(build: Build) -> None:
    """[BUG 5] The game itself has no limit; ours is the one that is told."""
    student = says(*[act("look")] * 60, *map(act, PLAN))
    rollout = play(build(max_steps=64), student)
    assert (rollout.hard, rollout.extra["n_steps"]) == (1.0, 64)
    short = play(build(max_steps=63), says(*[act("look")] * 60, *map(act, PLAN)))
    assert (short.hard, short.extra["fail_reason"]) == (0.0, "not solved within 63 steps")


def test_a_reply_without_an_action_is_asked_for_again_and_then_costs_a_step(build: Build, tales: Any) -> None:
    """[BUG 3] It is not turned into an action."""
    student = says("hm", act(PLAN[0]), "hm", "hm again", *map(act, PLAN[1:]))
    rollout = play(build(), student)
    assert tales.lent[0].done == list(PLAN)
    assert (rollout.extra["n_steps"], rollout.extra["n_turns"], rollout.extra["n_missing"]) == (5, 7, 1)
    assert "Your last reply held no action:\n\nhm\n" in student.prompts[1]
    assert rollout.trace[1]["action"] is None


@pytest.mark.parametrize(("fault", "outcome"), [("unavailable", "infra_error"), ("timeout", "timeout")])
def test_a_model_that_fails_is_no_failure_of_the_skill(build: Build, fault: BackendFault, outcome: str) -> None:
    """[BUG 3] What happened before is kept."""

    def down(replies: Iterator[str]) -> Callable[[str], str]:
        def reply(_: str) -> str:
            for one in replies:
                return one
            raise BackendError("no answer", fault=fault)

        return reply

    rollout = play(build(), EchoStudent(down(iter([act(PLAN[0])]))))
    assert (rollout.scored, rollout.outcome, rollout.error) == (False, outcome, "no answer")
    assert (rollout.extra["stopped_by"], rollout.trace[0]["action"]) == ("error", PLAN[0])


def test_a_fault_that_no_call_can_escape_is_passed_on(build: Build) -> None:
    def refuse(_: str) -> str:
        raise BackendError("bad key", fault="auth")

    with pytest.raises(BackendError, match="bad key"):
        play(build(), EchoStudent(refuse))


def test_a_game_that_crashes_leaves_its_task_unscored_and_keeps_the_steps(
    build: Build, root: Path, write: Build
) -> None:
    write(root, "train", 9, crash_at=3)
    env = build()
    rollout = play(env, says(*map(act, PLAN)), next(one for one in env.tasks("train") if one.id.endswith("T9")))
    assert (rollout.scored, rollout.outcome, rollout.extra["stopped_by"]) == (False, "infra_error", "error")
    assert (rollout.error, rollout.extra["n_steps"]) == ("the game's process ended by signal 11", 2)


def test_a_task_that_is_out_of_time_is_not_scored(build: Build) -> None:
    def slow(_: str) -> str:
        time.sleep(0.02)
        return act("look")

    rollout = play(build(episode_timeout=0.1), EchoStudent(slow))
    assert (rollout.scored, rollout.outcome, rollout.extra["stopped_by"]) == (False, "timeout", "time")
    assert rollout.error == "the time of the task is over (env.episode_timeout)"
    assert 0 < rollout.extra["n_steps"] < 50


def test_an_action_that_is_not_in_the_list_is_passed_on_and_counted(build: Build, tales: Any) -> None:
    rollout = play(build(max_steps=2), says(act("Fly to the moon"), act("look")))
    assert tales.lent[0].done == ["fly to the moon", "look"]
    assert rollout.extra["n_invalid"] == 1
    assert rollout.trace[0]["output"] == "Nothing happens."


def test_the_trace_holds_every_step_and_the_verdict_last(build: Build) -> None:
    rollout = play(build(), says(*map(act, PLAN)))
    step = rollout.trace[0]
    assert (step["step"], step["action"], step["reasoning"], step["reward"]) == (1, PLAN[0], "so", 0.0)
    assert (step["content"], step["output"]) == (f"so\n> {PLAN[0]}", f"You do it: {PLAN[0]}.")
    assert (rollout.trace[3]["done"], rollout.trace[3]["reward"]) == (True, 1.0)
    assert rollout.trace[-1]["content"].startswith("[EVALUATION RESULT] won (4 steps")
    assert rollout.extra["task_description"] == "put a mug on shelf train 0."
