"""What the student sees of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import Skill
from reflact.kit.scripted import EchoStudent

PLAN = ("go to desk 1", "take mug 1 from desk 1", "go to shelf 1", "move mug 1 to shelf 1")
SKILL = "Rule {x} {{ y }} {% z %} $w back\\slash\r\n</answer> 東"
Build = Callable[..., Any]


def seen(env: Any, skill: str = "", n: int = 4) -> EchoStudent:
    replies = iter([*[f"<action>{one}</action>" for one in PLAN[:n]]])
    student = EchoStudent(lambda _: next(replies, "<action>look</action>"))
    env.run(env.tasks("train")[0], skill=Skill(skill), student=student, workdir=Path("unused"))
    return student


def test_a_prompt_holds_task_step_view_and_actions_but_not_help(build: Build) -> None:
    prompt = seen(build()).prompts[0]
    assert "put a mug on shelf train 0." in prompt
    assert "Step 1 of at most 50" in prompt
    assert "You are in the middle of a room." in prompt
    assert "\n- take mug 1 from desk 1\n" in prompt
    assert "- help" not in prompt


@pytest.mark.parametrize(("length", "told"), [(0, []), (1, [3]), (2, [2, 3]), (-1, [1, 2, 3])])
def test_the_history_goes_back_as_far_as_is_set(build: Build, length: int, told: list[int]) -> None:
    prompt = seen(build(history_length=length)).prompts[3]
    assert [int(one) for one in re.findall(r"Step (\d+), you did:", prompt)] == told


def test_a_step_of_the_history_is_what_was_seen_and_done_then(build: Build) -> None:
    prompt = seen(build()).prompts[2]
    assert f"Step 2, you saw: You do it: {PLAN[0]}.\nStep 2, you did: {PLAN[1]}\n" in prompt


def test_the_skill_is_in_the_system_prompt_or_before_every_step(build: Build) -> None:
    system, user = seen(build(), SKILL), seen(build(skill_position="user"), SKILL)
    assert system.skills == [SKILL] * 4
    assert not any("Skill Knowledge" in prompt for prompt in system.prompts)
    assert user.skills == [""] * 4
    assert all(prompt.startswith(f"## Skill Knowledge\n\n{SKILL}\n") for prompt in user.prompts)


def test_a_blank_skill_leaves_no_heading(build: Build) -> None:
    assert not any("Skill" in prompt for prompt in seen(build(skill_position="user"), " \n").prompts)


def test_what_else_is_asked_for_belongs_into_the_thoughts(build: Build) -> None:
    """[BUG 9] A probe's instruction follows the prompt; its readout must not take the place of the action."""
    prompt = seen(build()).prompts[0]
    assert prompt.index("whatever else you are asked to tell belongs there too") < prompt.index("exactly one action")


def test_neither_prompt_nor_initial_skill_teaches_a_verb_that_games_may_not_have(build: Build) -> None:
    package = Path(__import__("reflact_env_alfworld").__file__).parent
    told = [*(package / "prompts").iterdir(), package / "skill.md"]
    assert not [file for file in told if re.search(r"\bput\b|\bmove \w+ to\b", file.read_text(encoding="utf-8"))]


def test_the_walkthrough_is_not_in_the_first_prompt_nor_in_the_rollout(build: Build) -> None:
    env = build()
    task = env.tasks("train")[0]
    student = EchoStudent("<action>look</action>")
    rollout = env.run(task, skill=Skill(""), student=student, workdir=Path("unused"))
    assert "walkthrough" not in repr(rollout)
    assert set(task.data) == {"gamefile"}
