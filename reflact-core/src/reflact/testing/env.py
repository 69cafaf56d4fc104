"""What every env must do, as a pytest class to subclass. No model is asked: a scripted student says what is needed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import ValidationError

from reflact.config.split import SplitConfig
from reflact.contracts import Env, EnvSpec
from reflact.kit import check, trials
from reflact.kit.trials import Finding, Trial
from reflact.plugins import Plugins
from reflact.types import Task

N_SAMPLES = 24


class EnvContract:
    """Subclass it: `class TestMine(EnvContract): name = "mine"`; override `settings` if it needs data of its own."""

    name: str
    """The env's name, as it is registered."""
    tasks_per_split = 5
    """How many tasks of each split are run."""

    def settings(self, folder: Path) -> dict[str, Any]:
        """Return the configuration to build the env with; *folder* is empty and the test's own.

        An env with a split configuration and a sample is given sample data there, split by ratio.
        """
        spec = self.spec()
        if spec.sample is None or not issubclass(spec.config, SplitConfig):
            return {}
        spec.sample(folder / "sample", N_SAMPLES, 7)
        return {"split_mode": "ratio", "split_ratio": "1:1:1", "data_path": str(folder / "sample")}

    def spec(self) -> EnvSpec:
        """Return what the package registers."""
        return cast(EnvSpec, Plugins().get("envs", self.name))

    @pytest.fixture
    def env(self, tmp_path: Path) -> Env:
        """The env, built from `settings`."""
        spec = self.spec()
        return spec.build(spec.config(**self.settings(tmp_path / "data")))

    @pytest.fixture
    def trial(self, env: Env, tmp_path: Path) -> Trial:
        """The env with a folder to run in."""
        return Trial(env, self.spec(), tmp_path / "work")

    @pytest.fixture
    def some(self, env: Env) -> list[Task]:
        """The first tasks of each split that can be scored."""
        some = chain.from_iterable(tasks[: self.tasks_per_split] for tasks in check.splits_of(env).values())
        return [task for task in some if task.scorable]

    def test_it_is_registered_with_a_summary(self) -> None:
        assert self.spec().name == self.name
        assert self.spec().summary

    def test_its_configuration_refuses_an_unknown_key(self) -> None:
        with pytest.raises(ValidationError, match="no_such_key"):
            self.spec().config(**{"no_such_key": 1})

    def test_its_ids_are_unique_and_its_splits_disjoint(self, env: Env) -> None:
        _refuse(check.disjoint(check.splits_of(env)))

    def test_it_lists_its_tasks_in_the_same_order_each_time(self, env: Env) -> None:
        _refuse(check.stable(env, check.splits_of(env)))

    def test_it_lists_its_tasks_in_the_same_order_when_built_again(self, env: Env, tmp_path: Path) -> None:
        spec = self.spec()
        again = spec.build(spec.config(**self.settings(tmp_path / "data")))
        assert check.splits_of(again) == check.splits_of(env)

    def test_the_data_of_its_tasks_are_json(self, env: Env) -> None:
        _refuse(check.json_only(check.splits_of(env)))

    def test_a_right_reply_scores_one_and_a_wrong_or_empty_one_zero(self, trial: Trial, some: list[Task]) -> None:
        _refuse(trials.graded(trial, some))

    def test_what_it_grades_again_scores_the_same(self, trial: Trial, some: list[Task]) -> None:
        _refuse(trials.regraded(trial, some))

    def test_the_student_gets_the_skill_as_it_is(self, trial: Trial, some: list[Task]) -> None:
        _refuse(trials.prompted(trial, some))

    def test_the_student_does_not_get_the_expected_answer(self, trial: Trial, some: list[Task]) -> None:
        _refuse(trials.sealed(trial, some))

    def test_its_initial_skill_can_be_read(self) -> None:
        skill = self.spec().initial_skill
        assert skill is None or skill.read_text(encoding="utf-8").strip()


def _refuse(findings: Iterable[Finding]) -> None:
    errors = [f"{one.rule}: {one.message}" for one in findings if one.level == "error"]
    assert not errors, "\n".join(errors)
