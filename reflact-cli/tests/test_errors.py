"""What a user can get wrong: the message, the exit code, and that an earlier run is untouched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact.testing import FakeModelServer

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


USAGE = 2


def files(folder: str) -> dict[Path, bytes]:
    ours = (file for file in Path(folder).rglob("*") if file.is_file() and file.name != ".lock")
    return {file: file.read_bytes() for file in ours}


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["env.name=dseks"], 2, "command line: env.name: unknown env 'dseks'. Did you mean 'desks'?"),
        (["train.bach_size=4"], 2, "unknown key 'train.bach_size'. Did you mean 'train.batch_size'?"),
        (["train.batch_size=many"], 2, "train.batch_size"),
        (["evaluation.use_gate=false"], 2, "evaluation.use_gate: the gate is always on"),
        (["--use_gate", "no"], 2, "--use_gate: the gate is always on"),
        (["env.empty=val"], 2, "the val split is empty"),
        (["env.skill_init=nowhere.md"], 2, "env.skill_init: no file at nowhere.md (set in command line)"),
        (["model.student_backend=clrk"], 2, "Did you mean 'clerk'?"),
        (["--plugin", "nowhere.py"], 3, "no plugin file at nowhere.py"),
        (["--plugin", "broken.py"], 3, "plugin file broken.py failed to load: ValueError: no such thing"),
        (["--no-observer", "consol"], 2, "unknown observer 'consol'. Did you mean 'console'?"),
        (["--fork", "nowhere"], 2, "--fork nowhere: no best_skill.md there"),
        (["--bach_size", "4"], USAGE, "No such option '--bach_size'"),
        (["--batch_size"], USAGE, "--batch_size needs a value"),
        (["other.yaml"], USAGE, "one config file, not 2: desks.yaml, other.yaml"),
    ],
)
def test_a_mistake_is_told_and_costs_nothing(
    train: Reflact, reflact: Reflact, words: list[str], code: int, told: str
) -> None:
    Path("broken.py").write_text("raise ValueError('no such thing')\n")
    train("train.num_epochs=1")
    before = files("run")
    ran = reflact("train", "desks.yaml", "--plugin", DESKS, "--out", "new", *words)
    assert (ran.code, told in ran.err) == (code, True), ran.err
    assert "Traceback" not in ran.err
    assert files("run") == before
    assert not Path("new").exists()


def test_another_configuration_is_refused_in_the_folder_of_a_run(train: Reflact) -> None:
    train("train.num_epochs=1")
    before = files("run")
    ran = train("train.num_epochs=1", "train.batch_size=8")
    assert ran.code == 5
    assert "train.batch_size was 4, now 8" in ran.err
    assert "--fork run" in ran.err
    assert "Go on with" not in ran.err
    assert files("run") == before


def test_a_folder_with_files_of_somebody_else_is_not_written_to(train: Reflact) -> None:
    Path("run").mkdir()
    Path("run/best_skill.md").write_text("mine")
    ran = train()
    assert (ran.code, "run holds best_skill.md but no run" in ran.err) == (5, True)
    assert Path("run/best_skill.md").read_text() == "mine"


def test_a_fork_into_the_old_folder_is_refused(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    ran = reflact("train", "--fork", "run", "--out", "run", "--plugin", DESKS)
    assert (ran.code, "give another --out" in ran.err) == (5, True)


def test_a_bad_key_of_a_model_stops_the_run_and_says_how_to_go_on(train: Reflact) -> None:
    ran = train("model.student_backend=locked_clerk", "--no-preflight")
    assert ran.code == 4
    assert "student (locked_clerk): 401: the key is not valid. Check DESKS_KEY." in ran.err
    assert f"What is done is kept. Go on with: reflact resume run --plugin {DESKS}" in ran.err


def test_a_real_server_that_refuses_the_key_ends_with_the_code_of_a_backend(
    train: Reflact, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("reflact_backend_openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-the-right-one")
    with FakeModelServer(lambda _: "desk 1", key="another") as server:
        ran = train("model.student_backend=openai_chat", f"model.student.base_url={server.url}/v1", "--no-preflight")
    assert ran.code == 4
    assert "student (openai_chat): " in ran.err
    assert "401" in ran.err
    assert "sk-not-the-right-one" not in ran.err + ran.out
    assert "sk-not-the-right-one" not in "".join(file.read_text() for file in Path("run").rglob("*.json*"))


def test_a_server_that_is_not_there_is_an_outage_and_no_wrong_answer(train: Reflact) -> None:
    pytest.importorskip("reflact_backend_openai")
    nowhere = ("model.student.base_url=http://127.0.0.1:9/v1", "model.student.max_retries=0")
    ran = train("model.student_backend=openai_chat", *nowhere, "--no-preflight")
    assert ran.code == 5
    assert "tasks failed to run. First: letter-" in ran.err
    assert "no reply from http://127.0.0.1:9/v1" in ran.err
    assert "Go on with: reflact resume run" in ran.err


def test_a_mistyped_command_is_told_with_the_nearest_one(reflact: Reflact) -> None:
    ran = reflact("trian")
    assert (ran.code, "unknown command 'trian'. Did you mean 'train'?" in ran.err) == (2, True)


def test_train_without_anything_says_what_to_name(reflact: Reflact) -> None:
    ran = reflact("train")
    assert (ran.code, "no configuration; name a config file" in ran.err) == (2, True)


def test_what_is_no_mistake_of_the_user_keeps_its_traceback(reflact: Reflact) -> None:
    Path("buggy.py").write_text(DESKS.read_text().replace("self._config = config", "raise ZeroDivisionError"))
    with pytest.raises(ZeroDivisionError):
        reflact("train", "desks.yaml", "--plugin", "buggy.py", "--out", "run")
