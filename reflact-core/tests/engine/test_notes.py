"""Skill-aware reflection: reminders go into an appendix, and through the gate with everything else."""

import json
from pathlib import Path
from typing import Any

from reflact.engine.train import train
from reflact.skill import regions
from reflact.types import ChatRequest
from world import insightful, obedient, world

ON = {"use_skill_aware_reflection": True, "use_slow_update": False, "use_meta_skill": False}


def run(root: Path, teacher: Any, student: Any = obedient, **optimizer: Any) -> dict[str, Any]:
    resolved, plugins = world(student, teacher, optimizer={**ON, **optimizer}, gradient={"merge": "concat"})
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return dict(train(resolved, plugins, root, observers=quiet).values)


def reminding(*notes: str, edits: Any = ()) -> Any:
    def teacher(request: ChatRequest) -> str:
        if request.stage == "appendix_consolidate":
            return json.dumps({"appendix_notes": ["RULE 0. RULE 1. RULE 2. RULE 3."]})
        said = {"failure_summary": [], "patch": {"reasoning": "", "edits": list(edits)}, "appendix_notes": list(notes)}
        return json.dumps(said)

    return teacher


def appendix(root: Path) -> str | None:
    return regions.read((root / "best_skill.md").read_text(), regions.APPENDIX)


def test_notes_without_edits_make_a_candidate_that_is_gated(tmp_path: Path) -> None:
    values = run(tmp_path, reminding("RULE 0. RULE 1. RULE 2. RULE 3."))
    assert values["test_hard"] == 1.0
    assert appendix(tmp_path) == "## Execution Notes Appendix\n\n- RULE 0. RULE 1. RULE 2. RULE 3."


def test_notes_that_do_not_help_never_reach_the_skill_but_are_kept_on_record(tmp_path: Path) -> None:
    values = run(tmp_path, reminding("Take care."))
    assert (values["test_hard"], appendix(tmp_path)) == (0.0, None)
    record = json.loads((tmp_path / "steps/step_0001/appendix_notes.json").read_text())
    assert record["step_notes"] == ["Take care."]


def test_notes_of_a_rejected_candidate_come_with_the_next_one(tmp_path: Path) -> None:
    def teacher(request: ChatRequest) -> str:
        if "Step 1: reject" in request.messages[-1].text:
            return insightful(request)
        return str(reminding("Look twice.")(request))

    run(tmp_path, teacher)
    assert "Look twice." in (appendix(tmp_path) or "")


def test_equal_notes_stand_once(tmp_path: Path) -> None:
    run(tmp_path, reminding("RULE 0. RULE 1.", "rule 0.  rule 1", "- RULE 0. RULE 1.."))
    assert (appendix(tmp_path) or "").count("RULE 0") == 1


def test_too_many_notes_are_said_in_fewer(tmp_path: Path) -> None:
    values = run(tmp_path, reminding("One.", "Two.", "Three."), skill_aware_consolidate_threshold=2)
    assert values["test_hard"] == 1.0
    assert (appendix(tmp_path) or "").count("\n- ") == 1


def test_an_edit_cannot_touch_the_appendix(tmp_path: Path) -> None:
    edit = {"op": "delete", "target": "- RULE 0. RULE 1. RULE 2. RULE 3.", "content": ""}
    run(tmp_path, reminding("RULE 0. RULE 1. RULE 2. RULE 3.", edits=[edit]))
    assert "RULE 0" in (appendix(tmp_path) or "")


def test_switched_off_nothing_is_asked_and_nothing_is_read(tmp_path: Path) -> None:
    seen: list[str] = []

    def teacher(request: ChatRequest) -> str:
        seen.append(request.messages[0].text)
        return str(reminding("RULE 0. RULE 1. RULE 2. RULE 3.")(request))

    run(tmp_path, teacher, use_skill_aware_reflection=False)
    assert not [text for text in seen if "appendix_notes" in text]
    assert appendix(tmp_path) is None
