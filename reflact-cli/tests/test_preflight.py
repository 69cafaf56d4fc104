"""Before a run, or an evaluation, every model is asked something small: what is found is told, and nothing is left."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reflact.testing import FakeModelServer, FakeReply

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]
FATAL_QUOTA = FakeReply(status=429, code="insufficient_quota", message="You exceeded your current quota.")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("reflact_backend_openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test")


@pytest.fixture
def nowhere() -> Iterator[str]:
    """An address at which nobody listens: the port is taken, so that nobody else can."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def score(reflact: Reflact) -> Reflact:
    """`score(*args)` is `reflact eval desks.yaml` without a skill, with the plugin file."""
    return lambda *words: reflact("eval", "desks.yaml", "--plugin", DESKS, "--no-skill", *words)


def student(url: str, *words: str) -> tuple[str, ...]:
    return ("model.student_backend=openai_chat", f"model.student.base_url={url}/v1", *words)


def begun(folder: str = "run") -> bool:
    return Path(folder).exists()


MATRIX = [
    pytest.param(lambda _: FakeReply(status=401, message="Incorrect API key"), {}, "401", id="wrong key"),
    pytest.param(lambda _: FakeReply(status=404, message="no model gpt-5.4"), {}, "Check `model`", id="unknown model"),
    pytest.param(lambda _: FATAL_QUOTA, {}, "no credit left", id="exhausted quota"),
    pytest.param(lambda _: FakeReply(hang_s=30), {"timeout_s": 0.2}, "within 0.2 s", id="hanging server"),
    pytest.param(lambda _: FakeReply(status=503, message="overloaded"), {}, "503", id="broken server"),
    pytest.param(lambda _: FakeReply(bad_json=True), {}, "Is `base_url` right?", id="another program"),
]


@pytest.mark.parametrize(("script", "settings", "told"), MATRIX)
def test_a_model_that_cannot_work_is_told_in_a_line_and_no_folder_is_left(
    train: Reflact, script: Any, settings: dict[str, Any], told: str
) -> None:
    with FakeModelServer(script) as server:
        ran = train(*student(server.url), *(f"model.student.{name}={value}" for name, value in settings.items()))
    error, hint = ran.err.splitlines()
    assert (ran.code, begun()) == (4, False)
    assert error.startswith("student (openai_chat): ") and told in error
    assert hint.startswith("The run was not begun.")


@pytest.mark.parametrize(("script", "settings", "told"), MATRIX)
def test_doctor_tells_the_same_in_a_line_of_its_own(
    reflact: Reflact, script: Any, settings: dict[str, Any], told: str
) -> None:
    with FakeModelServer(script) as server:
        words = (f"model.student.{name}={value}" for name, value in settings.items())
        ran = reflact("doctor", *student(server.url), *words)
    (line,) = [line for line in ran.out.splitlines() if line.startswith("  error")]
    assert (ran.code, ran.err) == (4, "")
    assert told in line
    assert ran.out.splitlines()[-1] == "1 error"
    assert [path.name for path in Path().iterdir()] == ["desks.yaml"]


def test_a_server_that_is_down_is_named_by_both(train: Reflact, reflact: Reflact, nowhere: str) -> None:
    ran = train(*student(nowhere))
    assert (ran.code, begun()) == (4, False)
    assert ran.err.startswith(f"student (openai_chat): openai_chat: no reply from {nowhere}/v1")
    ran = reflact("doctor", *student(nowhere))
    assert (ran.code, f"no reply from {nowhere}/v1" in ran.out) == (4, True)


def test_a_key_that_is_not_set_is_told_with_its_variable_for_all_roles_at_once(
    train: Reflact, reflact: Reflact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    roles = ("model.backend=openai_chat", "model.student.api_key_env=OTHER_KEY")
    ran = train(*roles)
    teacher, second = ran.err.splitlines()
    assert (ran.code, begun()) == (2, False)
    assert teacher.startswith("teacher (openai_chat): ") and "OPENAI_API_KEY is not set" in teacher
    assert second.startswith("student (openai_chat): ") and "OTHER_KEY is not set" in second
    ran = reflact("doctor", *roles)
    assert (ran.code, ran.out.count("  error")) == (4, 2)
    assert "key: $OTHER_KEY (not set)" in ran.out


def test_faults_of_both_roles_are_told_at_once(train: Reflact) -> None:
    ran = train("model.student_backend=locked_clerk", "model.teacher_backend=locked_clerk", "model.teacher=other")
    assert ran.code == 4
    assert [line.partition(":")[0] for line in ran.err.splitlines()[:2]] == [
        "teacher (locked_clerk)",
        "student (locked_clerk)",
    ]


def test_a_model_in_both_roles_is_asked_once(train: Reflact) -> None:
    ran = train("model.student_backend=locked_clerk", "model.teacher_backend=locked_clerk")
    assert ran.err.startswith("teacher, student (locked_clerk): 401")


def test_the_calls_before_a_run_are_on_its_record(train: Reflact) -> None:
    assert train("train.num_epochs=1").code == 0
    calls = [json.loads(line) for line in Path("run/calls.jsonl").read_text().splitlines()]
    assert [(call["role"], call["stage"]) for call in calls[:2]] == [("teacher", "preflight"), ("student", "preflight")]
    assert [call["usage"]["calls"] for call in calls[:2]] == [1, 1]
    assert sum(call["stage"] == "preflight" for call in calls) == 2
    assert not Path("run/preflight").exists()


def test_a_run_begins_without_asking_where_that_is_wished(train: Reflact) -> None:
    assert train("train.num_epochs=1", "--no-preflight").code == 0
    assert "preflight" not in Path("run/calls.jsonl").read_text()


def test_a_run_that_is_over_asks_nobody(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    ran = reflact("resume", "run", "model.student_backend=clerk", "--plugin", DESKS)
    assert (ran.code, "preflight" in ran.out) == (0, False)


def test_a_resumed_run_that_is_refused_is_as_it_was_but_for_the_calls(train: Reflact, reflact: Reflact) -> None:
    with FakeModelServer(lambda _: "desk 1", key="sk-of-a-test") as server:
        train(*student(server.url), "train.num_epochs=1")
        Path("run/summary.json").unlink()
        ours = [one for one in Path("run").rglob("*") if one.is_file() and one.name not in ("calls.jsonl", ".lock")]
        before = {file: file.read_bytes() for file in ours}
        ran = reflact("resume", "run", "--plugin", DESKS, "model.student.api_key=sk-another")
    assert (ran.code, "student (openai_chat): openai_chat: 401" in ran.err) == (4, True)
    assert before == {file: file.read_bytes() for file in ours}
    last = json.loads(Path("run/calls.jsonl").read_text().splitlines()[-1])
    assert (last["stage"], last["error"]) == ("preflight", "auth")


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        (FakeReply(text=""), "answers with nothing"),
        (FakeReply(finish="refused"), "refuses even to say OK"),
        (FakeReply(status=429, message="slow down", retry_after=0), "429"),
    ],
)
def test_a_model_that_may_work_all_the_same_is_only_warned_about(train: Reflact, reply: FakeReply, note: str) -> None:
    with FakeModelServer(lambda request: reply if "OK" in request.text else "desk 1") as server:
        ran = train(*student(server.url), "train.num_epochs=1")
    assert (ran.code, "note: student (openai_chat): answer: " in ran.out, note in ran.out) == (0, True, True)


def test_a_hiccup_of_the_server_is_no_reason_not_to_begin(train: Reflact) -> None:
    hiccup = FakeReply(status=503, message="overloaded")
    with FakeModelServer(lambda request: hiccup if request.index == 0 else "desk 1") as server:
        ran = train(*student(server.url), "train.num_epochs=1")
    assert ran.code == 0


def test_a_thinking_model_whose_answer_was_cut_is_well(train: Reflact) -> None:
    cut = FakeReply(text="", finish="length")
    with FakeModelServer(lambda request: cut if "OK" in request.text else "desk 1") as server:
        ran = train(*student(server.url), "train.num_epochs=1")
    assert (ran.code, "note: student" in ran.out) == (0, False)


@pytest.mark.parametrize(("script", "settings", "told"), MATRIX)
def test_an_evaluation_is_refused_in_the_same_words_and_leaves_nothing(
    score: Reflact, script: Any, settings: dict[str, Any], told: str
) -> None:
    with FakeModelServer(script) as server:
        ran = score(*student(server.url), *(f"model.student.{name}={value}" for name, value in settings.items()))
    error, hint = ran.err.splitlines()
    assert ran.code == 4
    assert error.startswith("student (openai_chat): ") and told in error
    assert hint.startswith("The evaluation was not begun. `reflact doctor`")
    assert [path.name for path in Path().iterdir()] == ["desks.yaml"]


def test_a_refused_evaluation_leaves_a_folder_that_was_there_as_it_was(score: Reflact, nowhere: str) -> None:
    Path("scored").mkdir()
    Path("scored/notes.txt").write_text("mine")
    assert score("--out", "scored", *student(nowhere)).code == 4
    assert [path.name for path in Path("scored").iterdir()] == ["notes.txt"]


def test_an_evaluation_needs_no_key_of_the_teacher(score: Reflact, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert score("--out", "scored", "model.teacher_backend=openai_chat").code == 0
    ran = score("--out", "other", "model.student_backend=openai_chat")
    assert (ran.code, begun("other")) == (2, False)
    assert ran.err.startswith("student (openai_chat): ") and "OPENAI_API_KEY is not set" in ran.err


def test_the_call_before_an_evaluation_is_on_its_record_unless_nobody_is_to_be_asked(score: Reflact) -> None:
    assert score("--out", "asked").code == score("--out", "unasked", "--no-preflight").code == 0
    stages = [
        [json.loads(line)["stage"] for line in Path(name, "calls.jsonl").read_text().splitlines()]
        for name in ("asked", "unasked")
    ]
    assert stages == [["preflight", *["evaluate test"] * 8], ["evaluate test"] * 8]


def test_a_doubt_about_a_student_is_a_note_of_the_evaluation(score: Reflact) -> None:
    with FakeModelServer(lambda request: FakeReply(text="") if "OK" in request.text else "desk 1") as server:
        ran = score("--out", "scored", *student(server.url))
    note = "student (openai_chat): answer: "
    assert (ran.code, f"  note: {note}" in ran.out) == (0, True)
    assert [one.startswith(note) for one in json.loads(Path("scored/eval_summary.json").read_text())["notes"]] == [True]


def test_a_refused_run_takes_the_folders_around_it_away_too(reflact: Reflact) -> None:
    ran = reflact("train", "desks.yaml", "--plugin", DESKS, "model.student_backend=locked_clerk")
    assert (ran.code, [path.name for path in Path().iterdir()]) == (4, ["desks.yaml"])
