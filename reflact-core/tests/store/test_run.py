"""The commit point of a run: what a kill, an edit and a copy do to it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from reflact.errors import RunError
from reflact.store.files import read, write
from reflact.store.run import RunStore, open_store
from reflact.types import Failure, Memory, RunState, Score, Scored, Skill, StepDigest

INITIAL = Scored(skill=Skill("initial\r\n"), score=0.0, origin="initial_skill")
BETTER = Scored(skill=Skill("better é\n"), score=1 / 3, origin="step_0001")
BEST = Scored(skill=Skill("best\n"), score=0.5, origin="step_0002")
MEMORY = Memory(
    steps=(
        StepDigest(
            step=1,
            action="reject",
            n_total=4,
            n_fail=2,
            failure_patterns=(Failure(failure_type="unit", count=2),),
            score_before=0.5,
            score_after=0.25,
            rejected_edits=({"op": "append", "content": "x"},),
        ),
    ),
    meta_skill="Short rules are kept.",
)


def state(step: int, current: Scored, best: Scored, best_step: int = 0) -> RunState:
    return RunState(
        step=step,
        epoch=1,
        current=current,
        best=best,
        best_step=best_step,
        memory=MEMORY,
        skill_file=f"skills/skill_v{step:04d}.md",
        scores={current.skill.digest: Score(hard=current.score, soft=0.1, n=3, n_errors=1)},
    )


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """A run after its baseline and one step."""
    opened = open_store(tmp_path / "run")
    opened.save(state(0, INITIAL, INITIAL), [])
    opened.save(state(1, BETTER, BETTER, 1), [{"step": 1}])
    return opened


def test_a_fresh_folder_has_no_state(tmp_path: Path) -> None:
    assert open_store(tmp_path).load() is None


def test_what_was_saved_is_loaded_even_a_score_of_zero(tmp_path: Path) -> None:
    opened = open_store(tmp_path)
    opened.save(state(0, INITIAL, INITIAL), [])
    assert opened.load() == state(0, INITIAL, INITIAL)


def test_the_last_saved_state_is_loaded(store: RunStore) -> None:
    assert store.load() == state(1, BETTER, BETTER, 1)
    assert json.loads(read(store.path / "history.json")) == [{"step": 1}]


def test_each_step_has_a_snapshot_and_the_best_skill_a_file(store: RunStore) -> None:
    assert [store.skill(number) for number in (0, 1)] == [INITIAL.skill, BETTER.skill]
    assert read(store.path / "best_skill.md") == BETTER.skill.text


def test_the_promised_keys_are_there_and_all_paths_relative(store: RunStore) -> None:
    data = json.loads(read(store.path / "runtime_state.json"))
    assert {
        "last_completed_step": 1,
        "current_skill_path": "skills/skill_v0001.md",
        "current_score": 1 / 3,
        "current_origin": "step_0001",
        "best_skill_path": "best_skill.md",
        "best_score": 1 / 3,
        "best_step": 1,
        "best_origin": "step_0001",
    }.items() <= data.items()
    assert str(store.path) not in read(store.path / "runtime_state.json")


def test_a_run_that_was_moved_is_loaded(store: RunStore, tmp_path: Path) -> None:
    shutil.move(store.path, tmp_path / "moved")
    assert open_store(tmp_path / "moved").load() == state(1, BETTER, BETTER, 1)


WRITES = ("skills/skill_v0002.md", "best_skill.md", "history.json", "runtime_state.json")


@pytest.mark.parametrize("done", range(len(WRITES) + 1))
def test_a_kill_between_any_two_writes_leaves_the_old_state_or_the_new(
    store: RunStore, tmp_path: Path, done: int
) -> None:
    before = store.load()
    shutil.copytree(store.path, tmp_path / "later")
    later = open_store(tmp_path / "later")
    later.save(state(2, BEST, BEST, 2), [{"step": 1}, {"step": 2}])
    for name in WRITES[:done]:
        shutil.copy(later.path / name, store.path / name)
    loaded = store.load()
    assert loaded == (later.load() if done == len(WRITES) else before)
    store.save(state(2, BEST, BEST, 2), [{"step": 1}, {"step": 2}])
    files = {file.relative_to(store.path): file.read_bytes() for file in store.path.rglob("*") if file.is_file()}
    assert files == {
        file.relative_to(later.path): file.read_bytes() for file in later.path.rglob("*") if file.is_file()
    }


@pytest.mark.parametrize("name", ["skills/skill_v0001.md", "best_skill.md"])
def test_a_skill_that_was_edited_since_it_was_scored_is_refused(store: RunStore, name: str) -> None:
    write(store.path / name, "edited by hand\n")
    with pytest.raises(RunError, match=rf"{name} is not the skill that was scored .*--fork"):
        store.load()
    assert read(store.path / name) == "edited by hand\n"


@pytest.mark.parametrize("name", ["skills/skill_v0001.md", "best_skill.md"])
def test_a_skill_that_is_gone_is_named(store: RunStore, name: str) -> None:
    (store.path / name).unlink()
    with pytest.raises(RunError, match=name.replace("/", ".")):
        store.load()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "[]",
        lambda text: "3",
        lambda text: "{}",
        lambda text: text.replace('"best_step"', '"bst_step"'),
        lambda text: text.replace('"n_total": 4', '"n_total": "many"'),
    ],
)
def test_a_damaged_state_is_an_error_and_never_a_fresh_start(store: RunStore, damage: Callable[[str], str]) -> None:
    file = store.path / "runtime_state.json"
    write(file, damage(read(file)))
    with pytest.raises(RunError, match=r"runtime_state\.json cannot be used .*Restore it from a copy.*--fork"):
        store.load()


def test_a_state_of_another_version_is_refused(store: RunStore) -> None:
    file = store.path / "runtime_state.json"
    write(file, read(file).replace('"schema": 1', '"schema": 99'))
    with pytest.raises(RunError, match=r"has schema 99, this version reads 1; use --fork"):
        store.load()


def test_the_history_is_that_of_the_steps_up_to_the_last(store: RunStore) -> None:
    for number in (1, 2, 3):
        write(store.step(number).path / "step_record.json", json.dumps({"step": number}))
    assert store.history(2) == [{"step": 1}, {"step": 2}]


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_a_damaged_record_is_named(store: RunStore, text: str) -> None:
    write(store.step(1).path / "step_record.json", text)
    with pytest.raises(RunError, match=r"step_0001.step_record\.json cannot be read back"):
        store.history(1)
