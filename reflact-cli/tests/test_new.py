"""`reflact new env`: what it writes runs at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Reflact = Callable[..., Any]
MODULE = "reflact-env-night-mail/src/reflact_env_night_mail/__init__.py"
PARCELS = """\
from reflact import hookimpl
from reflact.testing import ScriptedModel, ScriptedTeacher, scripted_backend

RULE = "3 kg or less: A. 10 kg or less: B. More: C. Fragile: append -F."


def student(request):
    question = request.messages[-1].text
    kg = int(question.split(" kg")[0].split()[-1])
    if RULE not in request.messages[0].text:
        return "A"
    return ("A" if kg <= 3 else "B" if kg <= 10 else "C") + ("-F" if "fragile" in question else "")


EDITS = {"reasoning": "r", "edits": [{"op": "append", "target": "", "content": RULE, "sources": [0]}]}


@hookimpl
def reflact_backends():
    replies = {"analyst": {"patch": EDITS}, "merge": EDITS, "ranking": {"selected_indices": [0]}}
    replies |= {"slow_update": {"slow_update_content": ""}, "meta_skill": {"meta_skill_content": ""}}
    teacher = ScriptedTeacher(replies)
    return [scripted_backend("sorter", ScriptedModel(student)).spec, scripted_backend("chief", teacher).spec]
"""


def test_a_new_env_passes_the_check_before_it_is_installed(reflact: Reflact) -> None:
    made = reflact("new", "env", "night_mail")
    assert made.code == 0
    assert MODULE in made.out
    ran = reflact("check", "night_mail", "--plugin", MODULE)
    assert (ran.code, ran.out) == (0, "night_mail: good\n")


def test_a_new_env_trains_with_the_config_that_comes_with_it(reflact: Reflact) -> None:
    reflact("new", "env", "night_mail")
    Path("parcels.py").write_text(PARCELS)
    roles = ("model.teacher_backend=chief", "model.student_backend=sorter")
    plugins = ("--plugin", MODULE, "--plugin", "parcels.py")
    ran = reflact("train", "reflact-env-night-mail/config.yaml", *roles, *plugins, "--out", "run")
    assert ran.code == 0, ran.err
    assert "->  10/10 (100 %, 72–100 %)" in ran.out


def test_a_new_env_passes_its_own_tests_once_installed(reflact: Reflact, tmp_path: Path) -> None:
    reflact("new", "env", "night_mail")
    site = tmp_path / "site"
    install = ["install", "-q", "--no-deps", "--no-build-isolation", "--target", str(site), "./reflact-env-night-mail"]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "reflact-env-night-mail"],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.parametrize("name", ["Night", "night-mail", "2nd", "", "nächte", "a b", "../up"])
def test_a_name_that_is_none_is_refused(reflact: Reflact, name: str) -> None:
    ran = reflact("new", "env", name)
    assert (ran.code, "cannot name an env" in ran.err) == (2, True)
    assert list(Path().iterdir()) == [Path("desks.yaml")]


def test_a_name_that_is_taken_is_refused(reflact: Reflact) -> None:
    pytest.importorskip("reflact_env_qa")
    ran = reflact("new", "env", "qa")
    assert (ran.code, "an env 'qa' is installed already" in ran.err) == (2, True)


def test_nothing_is_overwritten(reflact: Reflact) -> None:
    reflact("new", "env", "night_mail")
    Path("reflact-env-night-mail/config.yaml").write_text("mine")
    ran = reflact("new", "env", "night_mail")
    assert (ran.code, "is not empty" in ran.err) == (5, True)
    assert Path("reflact-env-night-mail/config.yaml").read_text() == "mine"


def test_the_folder_can_be_chosen(reflact: Reflact) -> None:
    reflact("new", "env", "night_mail", "--dir", "elsewhere/mail")
    assert Path("elsewhere/mail/pyproject.toml").is_file()
    assert not Path("reflact-env-night-mail").exists()
