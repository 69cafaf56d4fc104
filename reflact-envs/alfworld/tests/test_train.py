"""The engine's loop over games of pure Python: what it keeps apart, asks again and shows to whom."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from reflact import EnvSpec, Plugins, Summary, hookimpl
from reflact.config import resolve
from reflact.engine.train import train
from reflact.testing.fakes import ScriptedModel, ScriptedTeacher, scripted_backend
from reflact.types import ChatRequest
from reflact_env_alfworld.env import Alfworld

PLAN = ("go to desk 1", "take mug 1 from desk 1", "go to shelf 1", "move mug 1 to shelf 1")
RULE = "Follow the walkthrough."
PROBE = "Say which place you would look in next, and why."
EDIT = {"op": "append", "target": "", "content": f"- {RULE}"}
TEACHER = {
    "analyst": {"failure_summary": [], "patch": {"reasoning": "", "edits": [EDIT]}},
    "merge": {"reasoning": "", "edits": [{**EDIT, "sources": [0]}]},
    "deep_probe": {"reasoning": "", "probe_instruction": PROBE},
}
Run = Callable[..., Summary]


def clever(request: ChatRequest) -> str:
    """Follow the walkthrough where the skill holds the rule, and else look."""
    number = int(re.findall(r"## Step (\d+)", request.messages[-1].text)[0])
    action = PLAN[number - 1] if RULE in request.messages[0].text else "look"
    return f"<think>so</think><action>{action}</action>"


@pytest.fixture
def run(root: Path, tales: Any, tmp_path: Path) -> Run:
    """Train over the tales, with what the student and the teacher say."""

    def made(student: Any, teacher: Any = None, out: str = "out", **sections: Any) -> Summary:
        plugins = Plugins()
        real = cast(EnvSpec, plugins.get("envs", "alfworld"))

        class Household:
            @hookimpl
            def reflact_envs(self) -> list[EnvSpec]:
                return [replace(real, name="household", build=lambda config: Alfworld(config, tales))]

        plugins.register(Household(), label="household")
        plugins.register(scripted_backend("student", ScriptedModel(student)), label="student")
        plugins.register(scripted_backend("teacher", teacher or ScriptedTeacher(TEACHER)), label="teacher")
        skill = sections.pop("skill_init", "")
        resolved = resolve(
            {
                "model": {"student": {"backend": "student", "max_retries": 0}, "teacher": {"backend": "teacher"}},
                "train": {"num_epochs": 1, "batch_size": 4},
                "optimizer": {"use_slow_update": False, "use_meta_skill": False},
                "env": {"name": "household", "data_root": str(root), "max_steps": 5, "workers": 2, "skill_init": skill},
                **sections,
            },
            plugins=plugins,
        )
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        return train(resolved, plugins, tmp_path / out, observers=silent)

    return made


def test_a_planted_rule_is_learnt_accepted_and_wins_games_it_was_not_learnt_from(run: Run, tmp_path: Path) -> None:
    summary = run(clever)
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")


def test_what_was_played_with_one_skill_counts_for_no_other(run: Run, tmp_path: Path) -> None:
    """[BUG 8] A run that is done asks nothing again; the same games with another skill are all played."""
    asked: list[str] = []

    def student(request: ChatRequest) -> str:
        asked.append(request.messages[0].text)
        return clever(request)

    run(student)
    with_rule = [system for system in asked if RULE in system]
    assert len(with_rule) == 4 * (2 + 2)
    assert len(asked) - len(with_rule) == 5 * (4 + 2 + 2)
    asked.clear()
    run(student)
    assert asked == []


def test_a_probe_reaches_the_student_and_its_readout_stays_in_its_thoughts(
    run: Run, tmp_path: Path, tales: Any
) -> None:
    """[BUG 9] Every step of the second game asks for it, and the actions are taken all the same."""
    probed: list[str] = []
    shown: list[str] = []

    def student(request: ChatRequest) -> str:
        said = clever(request)
        if PROBE in request.messages[-1].text:
            probed.append(request.messages[-1].text)
            return said.replace("so", "I would look into the safe <action>open safe 1</action>")
        return said

    def teacher(request: ChatRequest) -> str:
        shown.append(request.messages[-1].text)
        return json.dumps(TEACHER.get(request.stage, TEACHER["merge"]))

    run(student, ScriptedModel(teacher), gradient={"use_deep_reflect": True})
    rows = (tmp_path / "out/steps/step_0001/deep_reflect/rollout/results.jsonl").read_text("utf-8").splitlines()
    assert len(rows) == 4
    assert len(probed) == 5 * len(rows)
    assert any("I would look into the safe" in text for text in shown)
    assert not any("open safe 1" in tale.done for tale in tales.lent)
    told = [text for text in shown if "Commands that win it" in text]
    assert told
    assert not [text for text in probed if "Commands that win it" in text]


def test_an_outage_ends_in_no_score_of_zero(run: Run) -> None:
    """[BUG 3] The gate never sees games that nobody played."""
    from reflact import BackendError, RunError

    def down(_: ChatRequest) -> str:
        raise BackendError("no answer from the server", fault="unavailable")

    with pytest.raises((RunError, BackendError), match="no answer from the server"):
        run(down)
