"""What happens at the end of an epoch: slow update, meta skill, meta reflect; all of it through the same gate."""

import json
from pathlib import Path
from typing import Any

import pytest
from reflact import Summary
from reflact.engine.train import train
from reflact.skill import regions
from reflact.types import ChatRequest
from world import insightful, obedient, world

OFF = {"use_slow_update": False, "use_meta_skill": False, "use_meta_reflect": False, "slow_update_samples": 6}
QUIET = json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": []}})


def run(root: Path, *on: str, student: Any = obedient, teacher: Any = insightful, **sections: Any) -> Summary:
    optimizer = {**OFF, **dict.fromkeys(on, True), **sections.pop("optimizer", {})}
    sections = {"train": {"num_epochs": 2}, **sections}
    resolved, plugins = world(student, teacher, optimizer=optimizer, **sections)
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, root, observers=quiet)


def read(root: Path, name: str) -> Any:
    return json.loads((root / name).read_text())


def silent_analyst(request: ChatRequest) -> str:
    """Propose nothing in the steps, so that only the epoch's end can teach."""
    return QUIET if request.stage == "analyst" else insightful(request)


def test_slow_update_makes_room_in_the_first_epoch_without_a_new_skill(tmp_path: Path) -> None:
    run(tmp_path, "use_slow_update", teacher=silent_analyst, train={"num_epochs": 1})
    assert read(tmp_path, "slow_update/epoch_01/slow_result.json")["action"] == "inject_placeholder"
    state = read(tmp_path, "runtime_state.json")
    assert regions.read((tmp_path / state["current_skill_path"]).read_text(), regions.SLOW_UPDATE) == ""
    assert (state["current_origin"], state["current_score"]) == ("initial_skill", 0.0)
    assert not list((tmp_path / "slow_update").rglob("selection_eval"))


def test_slow_update_guidance_is_gated_and_written_into_its_region(tmp_path: Path) -> None:
    summary = run(tmp_path, "use_slow_update", teacher=silent_analyst)
    result = read(tmp_path, "slow_update/epoch_02/slow_result.json")
    assert (result["action"], result["selection_hard"]) == ("accept_new_best", 1.0)
    assert regions.read((tmp_path / "best_skill.md").read_text(), regions.SLOW_UPDATE)
    assert (summary.values["best_origin"], summary.values["test_hard"]) == ("slow_update_epoch_02", 1.0)


def test_useless_guidance_is_rejected_and_leaves_the_skill_as_it_was(tmp_path: Path) -> None:
    def useless(request: ChatRequest) -> str:
        if request.stage == "slow_update":
            return json.dumps({"reasoning": "", "slow_update_content": "Try harder."})
        return silent_analyst(request)

    run(tmp_path, "use_slow_update", teacher=useless)
    assert read(tmp_path, "slow_update/epoch_02/slow_result.json")["action"] == "reject"
    assert "Try harder." not in (tmp_path / "best_skill.md").read_text()


def test_empty_guidance_costs_no_gate(tmp_path: Path) -> None:
    def speechless(request: ChatRequest) -> str:
        if request.stage == "slow_update":
            return json.dumps({"reasoning": "nothing to say", "slow_update_content": ""})
        return silent_analyst(request)

    run(tmp_path, "use_slow_update", teacher=speechless)
    assert read(tmp_path, "slow_update/epoch_02/slow_result.json")["action"] == "no_content"
    assert not (tmp_path / "slow_update/epoch_02/selection_eval").exists()


def test_edits_of_a_step_never_touch_the_slow_update_region(tmp_path: Path) -> None:
    def vandal(request: ChatRequest) -> str:
        if request.stage == "analyst":
            edit = {"op": "delete", "target": "RULE 0. RULE 1.", "content": ""}
            return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})
        return insightful(request)

    run(tmp_path, "use_slow_update", teacher=vandal, train={"num_epochs": 3})
    text = (tmp_path / "best_skill.md").read_text()
    assert "RULE 0." in (regions.read(text, regions.SLOW_UPDATE) or "")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("mixed", {"improved", "persistent_fail"}), ("changed", {"improved"}), ("unchanged", {"persistent_fail"})],
)
def test_the_policy_decides_which_pairs_are_shown(policy: str, expected: set[str], tmp_path: Path) -> None:
    def one_rule_in_epoch_two(request: ChatRequest) -> str:
        if request.stage == "analyst":
            if "SLOW_UPDATE" not in request.messages[-1].text:
                return QUIET
            edit = {"op": "append", "target": "", "content": "- RULE 1."}
            return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})
        return insightful(request)

    optimizer = {"longitudinal_pair_policy": policy, "slow_update_samples": 16}
    run(tmp_path, "use_slow_update", teacher=one_rule_in_epoch_two, optimizer=optimizer)
    pairs = read(tmp_path, "slow_update/epoch_02/comparison_pairs.json")
    assert {pair["category"] for pair in pairs} == expected
    assert (tmp_path / "slow_update/epoch_02/comparison_pairs_all.json").exists() == (policy != "mixed")


def test_the_sample_is_no_batch_of_a_later_epoch(tmp_path: Path) -> None:
    run(
        tmp_path,
        "use_slow_update",
        teacher=silent_analyst,
        train={"num_epochs": 4},
        optimizer={"slow_update_samples": 8},
    )
    sample = {pair["id"] for pair in read(tmp_path, "slow_update/epoch_02/comparison_pairs.json")}
    batches = [
        {json.loads(line)["task_id"] for line in file.read_text().splitlines()}
        for file in tmp_path.glob("steps/*/rollout/results.jsonl")
    ]
    assert sample not in batches


def test_meta_skill_reaches_the_analysts_of_the_next_epoch_and_never_the_skill(tmp_path: Path) -> None:
    seen: list[str] = []

    def listening(request: ChatRequest) -> str:
        if request.stage == "analyst":
            seen.append(request.messages[-1].text)
            return QUIET
        return insightful(request)

    run(tmp_path, "use_meta_skill", teacher=listening, train={"num_epochs": 3})
    assert [("One rule an edit is best." in text) for text in seen].count(True) == len(seen) // 3
    assert "One rule" not in (tmp_path / "best_skill.md").read_text()
    assert read(tmp_path, "meta_skill/epoch_01/meta_skill_result.json")["action"] == "skip_first_epoch"
    assert read(tmp_path, "meta_skill/epoch_02/meta_skill_result.json")["action"] == "write_meta_skill"


def test_a_failed_memory_call_leaves_the_older_memory_in_force(tmp_path: Path) -> None:
    calls: list[int] = []

    def forgetful(request: ChatRequest) -> str:
        if request.stage == "meta_skill":
            calls.append(1)
            return insightful(request) if len(calls) == 1 else "I have nothing to say."
        return silent_analyst(request)

    run(tmp_path, "use_meta_skill", teacher=forgetful, train={"num_epochs": 3})
    assert read(tmp_path, "meta_skill/epoch_03/meta_skill_result.json")["action"] == "no_content"
    assert read(tmp_path, "runtime_state.json")["memory"]["meta_skill"] == "One rule an edit is best."


def test_meta_skill_uses_the_pairs_slow_update_made(tmp_path: Path) -> None:
    run(tmp_path, "use_slow_update", "use_meta_skill", teacher=silent_analyst)
    assert not (tmp_path / "meta_skill/epoch_02/comparison_pairs.json").exists()
    run(tmp_path / "alone", "use_meta_skill", teacher=silent_analyst)
    assert (tmp_path / "alone/meta_skill/epoch_02/comparison_pairs.json").exists()


def test_meta_reflect_edits_are_gated_and_its_summary_is_handed_on(tmp_path: Path) -> None:
    seen: list[str] = []

    def listening(request: ChatRequest) -> str:
        if request.stage == "meta_reflect":
            seen.append(request.messages[-1].text)
        return silent_analyst(request)

    run(tmp_path, "use_meta_reflect", teacher=listening)
    result = read(tmp_path, "meta_reflect/epoch_01/meta_result.json")
    assert (result["action"], result["gate_score"]) == ("accept_new_best", 1.0)
    assert read(tmp_path, "runtime_state.json")["best_origin"] == "meta_reflect_epoch_01"
    assert "SKIP_NO_PATCHES" in seen[0]
    assert "rules help" in seen[1]
    assert "rules help" not in seen[0]


def test_the_snapshot_of_the_last_step_is_not_overwritten_by_the_epochs_end(tmp_path: Path) -> None:
    run(tmp_path, "use_meta_reflect", teacher=silent_analyst, train={"num_epochs": 1})
    assert (tmp_path / "skills/skill_v0002.md").read_text() == ""
    assert "RULE 0." in (tmp_path / "skills/skill_v0002_epoch_01.md").read_text()
