"""`reflact check` and `reflact sample-data`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


def test_an_env_that_keeps_its_promises_is_good(reflact: Reflact) -> None:
    ran = reflact("check", "desks", "--plugin", DESKS)
    assert (ran.code, ran.out) == (0, "desks: good\n")


def test_an_env_that_grades_wrong_is_told_and_fails(reflact: Reflact) -> None:
    Path("wrong.py").write_text(DESKS.read_text().replace("right = float(answer == self.gold(task))", "right = 1.0"))
    ran = reflact("check", "desks", "--plugin", "wrong.py")
    assert ran.code == 1
    assert "error: grading: task 'letter-0': the wrong reply" in ran.err


def test_an_env_is_checked_with_the_settings_that_are_given(reflact: Reflact) -> None:
    ran = reflact("check", "desks", "env.empty=test", "--plugin", DESKS)
    assert (ran.code, "test split is empty" in ran.err) == (1, True)


def test_an_env_is_checked_with_a_config_file(reflact: Reflact) -> None:
    ran = reflact("check", "desks", "--config", "desks.yaml", "--plugin", DESKS)
    assert (ran.code, ran.out) == (0, "desks: good\n")


def test_an_unknown_setting_is_told(reflact: Reflact) -> None:
    ran = reflact("check", "desks", "env.emty=test", "--plugin", DESKS)
    assert (ran.code, "unknown key 'env.emty'. Did you mean 'env.empty'?" in ran.err) == (2, True)


@pytest.mark.parametrize("env", ["qa", "searchqa"])
def test_an_installed_env_is_checked_with_its_own_sample_data(reflact: Reflact, env: str) -> None:
    pytest.importorskip(f"reflact_env_{env}")
    ran = reflact("check", env)
    assert (ran.code, ran.err) == (0, "")
    assert list(Path().glob("*")) == [Path("desks.yaml")]


def test_sample_data_are_the_same_for_the_same_seed(reflact: Reflact) -> None:
    pytest.importorskip("reflact_env_qa")
    for folder in ("one", "two"):
        assert reflact("sample-data", "qa", "--out", folder, "--n", 12, "--seed", 3).code == 0
    first, second = (sorted(Path(folder).rglob("*.json*")) for folder in ("one", "two"))
    assert [file.read_text() for file in first] == [file.read_text() for file in second]
    assert reflact("check", "qa", "env.data_path=one").code == 0


def test_sample_data_overwrite_nothing(reflact: Reflact) -> None:
    pytest.importorskip("reflact_env_qa")
    Path("mine").mkdir()
    Path("mine/items.json").write_text("[]")
    ran = reflact("sample-data", "qa", "--out", "mine")
    assert (ran.code, "mine is not empty" in ran.err) == (5, True)
    assert Path("mine/items.json").read_text() == "[]"


def test_an_env_without_sample_data_says_so(reflact: Reflact) -> None:
    ran = reflact("sample-data", "desks", "--out", "mine", "--plugin", DESKS)
    assert (ran.code, "env 'desks' has no sample data" in ran.err) == (2, True)
