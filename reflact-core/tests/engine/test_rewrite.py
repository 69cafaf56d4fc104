"""The update modes that replace the document: they learn, they keep what is protected, and they fail softly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import Summary
from reflact.engine.train import train
from reflact.skill import regions
from reflact.types import ChatRequest
from rewriters import composing, suggesting
from world import obedient, world

MODES = [("rewrite_from_suggestions", suggesting), ("full_rewrite_minibatch", composing)]
both = pytest.mark.parametrize(("mode", "teacher"), MODES, ids=[name for name, _ in MODES])
PROTECTED = (
    "---\nname: rules\ndescription: what to know\n---\n\n# Skill\n\n"
    "<!-- SLOW_UPDATE_START -->\nKeep calm.\n<!-- SLOW_UPDATE_END -->\n"
)


def run(root: Path, mode: str, teacher: Callable[[ChatRequest], str], **sections: Any) -> Summary:
    optimizer = {
        "skill_update_mode": mode,
        "use_slow_update": False,
        "use_meta_skill": False,
        **sections.pop("optimizer", {}),
    }
    resolved, plugins = world(obedient, teacher, **{"optimizer": optimizer, **sections})
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, root, observers=quiet)


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@both
def test_what_the_teacher_finds_and_the_gate_confirms_is_learnt(
    mode: str, teacher: Callable[[ChatRequest], str], tmp_path: Path
) -> None:
    summary = run(tmp_path, mode, teacher, train={"num_epochs": 2})
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert summary.values["learnt"][0]["edits"]


@both
def test_front_matter_and_guidance_survive_a_teacher_who_loses_or_changes_them(
    mode: str, teacher: Callable[[ChatRequest], str], tmp_path: Path
) -> None:
    initial = tmp_path / "initial.md"
    initial.write_text(PROTECTED, encoding="utf-8")
    summary = run(tmp_path / "out", mode, teacher, train={"num_epochs": 2}, env={"skill_init": str(initial)})
    best = (tmp_path / "out/best_skill.md").read_text(encoding="utf-8")
    assert summary.values["test_hard"] == 1.0
    assert regions.protected(best) == regions.protected(PROTECTED)
    assert best.startswith("---\nname: rules\n")
    assert "invented" not in best
    assert "changed" not in best


@both
def test_accepted_guidance_stays_in_a_document_that_is_replaced_later(
    mode: str, teacher: Callable[[ChatRequest], str], tmp_path: Path
) -> None:
    slowly = {"learning_rate": 1, "use_slow_update": True, "slow_update_samples": 2}
    run(
        tmp_path,
        mode,
        teacher,
        train={"num_epochs": 3},
        optimizer=slowly,
        gradient={"minibatch_size": 16},
        env={"rules": 8},
    )
    guidance = load(tmp_path / "slow_update/epoch_02/slow_result.json")
    assert guidance["action"] == "accept_new_best"
    later = [entry for entry in load(tmp_path / "history.json") if entry["epoch"] == 3]
    assert "accept_new_best" in [entry["action"] for entry in later]
    after = (tmp_path / f"steps/step_{later[0]['step']:04d}/candidate_skill.md").read_text(encoding="utf-8")
    assert regions.read(after, regions.SLOW_UPDATE) == guidance["slow_update_content"]
    assert after.count("SLOW_UPDATE_START") == 1


@both
def test_meta_reflect_makes_a_candidate_in_the_mode_of_the_run(
    mode: str, teacher: Callable[[ChatRequest], str], tmp_path: Path
) -> None:
    summary = run(
        tmp_path,
        mode,
        teacher,
        optimizer={"use_meta_reflect": True, "learning_rate": 1},
        gradient={"minibatch_size": 8},
    )
    assert load(tmp_path / "meta_reflect/epoch_01/meta_result.json")["action"] == "accept_new_best"
    assert summary.values["test_hard"] == 1.0


def test_a_rewrite_leaves_its_result_and_its_summary(tmp_path: Path) -> None:
    run(tmp_path, "rewrite", suggesting)
    step = tmp_path / "steps/step_0001"
    result = load(step / "rewrite_result.json")
    assert sorted(result) == ["change_summary", "new_skill", "reasoning"]
    assert result["new_skill"] == (step / "candidate_skill.md").read_text(encoding="utf-8")
    record = load(step / "step_record.json")
    assert record["rewrite_change_summary"] == record["accepted_edits"] == ["more rules"]
    assert record["tokens"]["update"]["calls"] == 1
    assert load(step / "ranked_edits.json")["revise_suggestions"][0]["type"] == "add_rule"
    assert not (step / "edit_apply_report.json").exists()


def test_the_rewriting_call_has_its_own_limit_and_effort(tmp_path: Path) -> None:
    requests: list[ChatRequest] = []

    def recording(request: ChatRequest) -> str:
        requests.append(request)
        return suggesting(request)

    model = {"rewrite_max_completion_tokens": 1234, "rewrite_reasoning_effort": "high"}
    roles = {"student": {"backend": "scripted_student"}, "teacher": {"backend": "scripted_teacher"}}
    run(tmp_path, "rewrite", recording, model={**roles, **model})
    limits = {(one.stage == "rewrite", one.max_tokens, one.effort) for one in requests}
    assert limits == {(True, 1234, "high"), (False, None, None)}


def test_suggestions_are_cut_to_the_learning_rate(tmp_path: Path) -> None:
    run(tmp_path, "rewrite", suggesting, optimizer={"learning_rate": 1}, gradient={"minibatch_size": 1})
    ranked = load(tmp_path / "steps/step_0001/ranked_edits.json")["revise_suggestions"]
    assert len(ranked) == 1
    assert len(load(tmp_path / "steps/step_0001/merged_patch.json")["revise_suggestions"]) == 4


def test_without_a_usable_document_the_step_is_skipped_and_the_run_goes_on(tmp_path: Path) -> None:
    def wordless(request: ChatRequest) -> str:
        blank = {"reasoning": "", "change_summary": [], "new_skill": "<!-- SLOW_UPDATE_START -->\n"}
        return json.dumps(blank) if request.stage == "rewrite" else suggesting(request)

    run(tmp_path, "rewrite", wordless)
    history = load(tmp_path / "history.json")
    assert [entry["action"] for entry in history] == ["skip_no_rewrite", "skip_no_rewrite"]
    assert all("new_skill: " in " ".join(entry["notes"]) for entry in history)
    assert history[0]["tokens"]["update"]["calls"] == 2
    assert "new_skill: " in load(tmp_path / "steps/step_0001/rewrite_result.json")["note"]
    assert not list(tmp_path.glob("steps/*/selection_eval"))


@both
def test_what_was_rejected_is_remembered_in_short(
    mode: str, teacher: Callable[[ChatRequest], str], tmp_path: Path
) -> None:
    analysts: list[str] = []

    def useless(request: ChatRequest) -> str:
        if request.stage == "analyst":
            analysts.append(request.messages[1].text)
        return teacher(request).replace("RULE", "WISH")

    run(tmp_path, mode, useless, gradient={"minibatch_size": 8})
    assert [entry["action"] for entry in load(tmp_path / "history.json")] == ["reject", "reject"]
    [short] = load(tmp_path / "steps/step_0001/trajectory_digest.json")["rejected_edits"]
    assert "new_skill" not in short
    assert f"title: {short['title']}" in analysts[1]


def test_whole_documents_are_neither_ranked_nor_written_again(tmp_path: Path) -> None:
    run(tmp_path, "full_rewrite", composing, optimizer={"learning_rate": 1})
    calls = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {one["stage"] for one in calls if one["role"] == "teacher"} == {"analyst", "merge"}
    step = tmp_path / "steps/step_0001"
    result = load(step / "full_rewrite_result.json")
    assert result["selected_candidate"]["title"] == "rules"
    assert result["selected_candidate"]["new_skill"] == (step / "candidate_skill.md").read_text(encoding="utf-8")
    record = load(step / "step_record.json")
    assert record["edit_budget"] is None
    assert record["support_counts"] == [8]


def test_candidates_of_single_minibatches_can_be_screened(tmp_path: Path) -> None:
    run(tmp_path, "full_rewrite", composing, optimizer={"candidates_per_step": 3, "screen_size": 4})
    first = load(tmp_path / "steps/step_0001/step_record.json")
    assert first["candidates"][0]["name"] == "selected"
    assert first["action"] == "accept_new_best"


def test_the_writer_is_told_what_was_rejected_before(tmp_path: Path) -> None:
    asked: list[str] = []

    def teacher(request: ChatRequest) -> str:
        if request.stage == "rewrite":
            asked.append(request.messages[1].text)
            return json.dumps({"reasoning": "", "change_summary": [], "new_skill": f"# Useless {len(asked)}\n"})
        return suggesting(request)

    run(tmp_path, "rewrite", teacher)
    assert "Earlier steps of this epoch" not in asked[0]
    assert "Earlier steps of this epoch" in asked[1] and "Rejected" in asked[1]
