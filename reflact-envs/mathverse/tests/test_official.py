"""The official Text Only file, where somebody has it: every one of its problems loads, splits and is scored."""

import os
from collections import Counter
from pathlib import Path

import pytest
from reflact import ConfigError, EnvSpec, Plugins, Task
from reflact.kit.check import check_env
from reflact.kit.judge import Verdict
from reflact_env_mathverse.config import MathVerseConfig
from reflact_env_mathverse.env import MathVerse
from reflact_env_mathverse.grade import grade

FOLDER = os.environ.get("REFLACT_TEST_MATHVERSE", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="REFLACT_TEST_MATHVERSE names no folder with the official file")


@pytest.fixture(scope="module")
def env() -> MathVerse:
    return MathVerse(MathVerseConfig(data_path=FOLDER, problem_version="Text Only"))


@pytest.fixture(scope="module")
def tasks(env: MathVerse) -> list[Task]:
    return [*env.tasks("train"), *env.tasks("val"), *env.tasks("test")]


def wrong(answer: str) -> Verdict:
    return Verdict(grade="incorrect", raw=("incorrect",))


def test_it_is_split_as_published(env: MathVerse) -> None:
    assert [len(env.tasks(split)) for split in ("train", "val", "test")] == [157, 79, 552]


def test_every_problem_with_options_has_them_and_labels(tasks: list[Task]) -> None:
    """S6 and S9: ten of these could not be won, and some had options that nobody wrote."""
    choices = [task for task in tasks if task.data["is_choice"]]
    assert len(choices) == 436
    assert all(task.data["choices"] and task.data["labels"] for task in choices)
    assert Counter(len(task.data["labels"]) for task in choices) == {1: 434, 2: 2}


def test_every_expected_answer_scores_one_by_rule(env: MathVerse, tasks: list[Task]) -> None:
    missed = [one.id for one in tasks if grade(env.gold(one), one.data, mode="auto", verdict=wrong).hard < 1]
    assert not missed


def test_every_other_label_scores_zero_in_every_form(tasks: list[Task]) -> None:
    for task in tasks:
        for label, text in task.data["options"].items():
            if label not in task.data["labels"]:
                for form in (label, f"({label})", f"Option {label}", f"{label}. {text}"):
                    made = grade(f"<answer>{form}</answer>", task.data, mode="auto", verdict=wrong)
                    assert made.hard == 0, (task.id, form)


def test_what_needs_a_judge_is_counted_before_a_run() -> None:
    with pytest.raises(ConfigError, match="259 of 788 problems need a judge"):
        MathVerse(MathVerseConfig(data_path=FOLDER, problem_version="Text Only", judge_mode="never"))


def test_it_passes_the_check_of_every_env(env: MathVerse, tmp_path: Path) -> None:
    spec: EnvSpec = Plugins().get("envs", "mathverse")
    assert not check_env(env, spec, workdir=tmp_path)


def test_the_copies_in_it_stay_together(env: MathVerse, tasks: list[Task]) -> None:
    """P16: some problems are in it twice, under two indices."""
    groups = Counter(task.data["group"] for task in tasks)
    assert sum(count > 1 for count in groups.values()) == 5
