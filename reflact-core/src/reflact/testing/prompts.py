"""What every prompt pack must do, as a pytest class to subclass: its templates fit the places the core uses them in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from reflact.contracts import PromptPack
from reflact.llm.prompts import ENDING, Prompts
from reflact.plugins import Plugins
from reflact.stages.trajectories import trajectories
from reflact.types import Candidate, Edit, Failure, Memory, Rollout, StepDigest, Suggestion

SUFFIXES = ("", "_rewrite", "_full_rewrite")
MAY_BE_EMPTY = ("skill", "evidence", "previous_skill", "previous_guidance", "previous_memory", "previous_summary")
BRACES = "keep {{ this }}, {% that %} and {these}"
_ROLLOUT = Rollout(
    task_id="task-1",
    hard=0.0,
    soft=0.5,
    answer="blue",
    question="Which colour?",
    expected=("green", "teal"),
    feedback="not the colour of the door",
    trace=({"role": "user", "content": "Which colour?"}, {"role": "assistant", "content": "blue"}),
)
_BARE = Rollout(task_id="task-2", hard=0.0, soft=0.0, outcome="empty")
_EDITS = (
    Edit(op="append", content="A rule.", support_count=2),
    Edit(op="replace", target="old", content="new", support_count=1, source_type="success"),
)
_SUGGESTIONS = (
    Suggestion(type="add_rule", title="Units", motivation="lost", instruction="Add a rule.", support_count=2),
    Suggestion(type="compress", instruction="Be brief.", priority_hint="low", source_type="success"),
)
_CANDIDATES = (
    Candidate(title="Units", change_summary=("units", "order"), new_skill="# Skill\n\n- A rule.\n", support_count=2),
    Candidate(new_skill="# Skill\n", source_type="success"),
)
_REJECTED = (
    {"op": "replace", "target": "old", "content": "new"},
    {"title": "Units", "change_summary": ["units", "order"]},
)
_MEMORY = Memory(
    steps=(
        StepDigest(step=1, action="accept", n_total=8, n_fail=3, failure_patterns=(Failure(failure_type="unit"),)),
        StepDigest(
            step=2, action="reject", n_total=8, n_fail=2, score_before=0.5, score_after=0.25, rejected_edits=_REJECTED
        ),
    ),
    meta_skill="Short rules are kept.",
)
_SITUATION = {"skill": BRACES, "memory": "Tried: nothing.", "evidence": "All answers are colours."}
_ANALYST = {
    **_SITUATION,
    "trajectories": trajectories((_ROLLOUT, _BARE)),
    "n": 2,
    "budget": 4,
    "variant": 1,
    "skill_aware": True,
}


def _merge(first: Any, second: Any) -> dict[str, Any]:
    return {"skill": BRACES, "memory": "", "groups": [[(0, first)], [(1, second)]], "counts": [1, 1], "level": 1}


def _run(hard: float, answer: str, reason: str) -> SimpleNamespace:
    return SimpleNamespace(hard=hard, soft=hard, answer=answer, reason=reason, conversation="user: Which colour?")


_PAIR = SimpleNamespace(id="task-1", task="Which colour?", prev=_run(1, "green", ""), curr=_run(0, "", "not it"))
_VERSIONS = {
    "previous_skill": "# Skill",
    "skill": BRACES,
    "counts": {"regressed": 1, "persistent_fail": 0, "improved": 0, "stable_success": 1},
    "groups": [("regressed", [_PAIR]), ("persistent_fail", []), ("improved", []), ("stable_success", [_PAIR])],
}
_EPOCH = {"skill": BRACES, "budget": 4, "history": "Step 1: ACCEPT", "previous_summary": "Rules help."}
_RANK = {"skill": BRACES, "memory": "", "pool": [(0, "append: A rule."), (1, "replace old")], "budget": 1}

VALUES: Mapping[str, Mapping[str, Any]] = {
    "student": {"skill": BRACES},
    **{f"analyst_{kind}{suffix}": _ANALYST for kind in ("failure", "success") for suffix in SUFFIXES},
    **{
        f"merge_{kind}{suffix}": _merge(*pool)
        for kind in ("failure", "success", "final")
        for suffix, pool in zip(SUFFIXES, (_EDITS, _SUGGESTIONS, _CANDIDATES), strict=True)
    },
    "rank": _RANK,
    "rank_rewrite": _RANK,
    "rewrite_skill": {"skill": BRACES, "suggestions": _SUGGESTIONS, "memory": ""},
    **{f"meta_reflect{suffix}": _EPOCH for suffix in SUFFIXES},
    "slow_update": {**_VERSIONS, "previous_guidance": "Name the unit."},
    "meta_skill": {**_VERSIONS, "previous_memory": "Short rules are kept."},
    "lr_autonomous": {**_RANK, "rollout_n": 8, "rollout_hard": 0.5, "rollout_soft": 0.625},
    "memory": {"memory": _MEMORY, "refuted": _REJECTED},
    "appendix_consolidate": {"notes": ("Read the unit.", BRACES)},
    "deep_probe_steps": {
        **_SITUATION,
        "trajectories": trajectories((_ROLLOUT, _BARE), references={"task-1": "A proof."}),
    },
    "deep_probe": {**_SITUATION, "trajectories": trajectories((_ROLLOUT, _BARE), references={"task-1": "A proof."})},
    "ask_again": {"fault": f"no JSON in: {BRACES}"},
}
"""What the core fills its templates with, by template: the variables a pack may use."""


class PromptContract:
    """Subclass it: `class TestMine(PromptContract): name = "mine"`."""

    name: str
    """The pack's name, as it is registered."""
    own: frozenset[str] = frozenset()
    """Templates that only the pack itself asks for."""
    suffixes: tuple[str, ...] = SUFFIXES
    """What update modes append to a template's name."""

    def pack(self) -> PromptPack:
        """Return what the package registers."""
        return cast(PromptPack, Plugins().get("prompts", self.name))

    @pytest.fixture
    def prompts(self) -> Prompts:
        """The pack as a run uses it: what it lacks comes from the core."""
        return Prompts((self.pack().root, files("reflact.prompts") / "default"))

    def test_every_template_has_a_name_the_core_asks_for(self) -> None:
        known = {f"{name}{suffix}" for name in VALUES for suffix in self.suffixes} | self.own
        unknown = {stem for stem in self._stems() if not stem.startswith("_")} - known
        assert not unknown, f"the core asks for none of {sorted(unknown)}"

    def test_every_template_is_filled_from_the_documented_variables(self, prompts: Prompts) -> None:
        for name in self._asked_for():
            assert all(message.text for message in prompts.messages(name, **VALUES[name]))

    def test_a_template_manages_without_what_may_be_empty(self, prompts: Prompts) -> None:
        for name in self._asked_for():
            blank = {key: "" for key in MAY_BE_EMPTY if key in VALUES[name]}
            memory = {"memory": Memory() if name == "memory" else ""} if "memory" in VALUES[name] else {}
            prompts.messages(name, **{**VALUES[name], **blank, **memory})

    def test_braces_in_a_skill_stay_as_they_are(self, prompts: Prompts) -> None:
        for name in self._asked_for():
            text = "".join(message.text for message in prompts.messages(name, **VALUES[name]))
            assert BRACES in text or BRACES not in VALUES[name].get("skill", "")

    def test_a_reply_schema_is_json_and_stands_beside_its_template(self) -> None:
        for file in self._files(".schema.json"):
            schema = json.loads(file.read_text(encoding="utf-8"))
            assert isinstance(schema, dict)
            assert file.name.removesuffix(".schema.json") in self._stems()

    def _asked_for(self) -> set[str]:
        return self._stems() & VALUES.keys()

    def _stems(self) -> set[str]:
        return {file.name.removesuffix(ENDING) for file in self._files(ENDING)}

    def _files(self, ending: str) -> list[Traversable]:
        return [file for file in self.pack().root.iterdir() if file.name.endswith(ending)]
