"""The whole loop through `openai_chat` against a loopback server."""

import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, Plugins, RunError, Summary
from reflact.config import resolve
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply
from reflact.types import Usage

RULE = "Write every colour in capitals."
COLOURS = ("red", "green", "blue", "amber", "violet", "ochre", "teal", "ivory", "crimson", "mauve")


def script(request: Any) -> FakeReply:
    """Be the student or the teacher, by the model's name."""
    if request.model == "teacher":
        edit = {"op": "append", "target": "", "content": f"- {RULE}"}
        failure = {"failure_type": "small letters", "count": 2, "description": "colours in small letters"}
        said = {"failure_summary": [failure], "patch": {"reasoning": "form", "edits": [edit]}}
        if "sources" in json.dumps(request.body.get("response_format", {})):
            said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0, 1]}]}
        return FakeReply(text=json.dumps(said), usage=Usage(prompt=100, cached=40, completion=20))
    colour = re.findall(r"the (\w+) door", request.text)[0]
    return FakeReply(text=colour.upper() if RULE in request.system else colour, usage=Usage(prompt=10, completion=1))


def questions(folder: Path) -> Path:
    file = folder / "doors.jsonl"
    items = [
        {"id": f"door{n}", "question": f"House {n}: what colour has the {colour} door?", "answer": colour.upper()}
        for n, colour in enumerate(COLOURS * 3)
    ]
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    return file


def run(url: str, folder: Path, **roles: Any) -> Summary:
    plugins = Plugins()
    common = {"backend": "openai_chat", "base_url": f"{url}/v1", "max_retries": 0, **roles}
    resolved = resolve(
        {
            "model": {"teacher": {**common, "model": "teacher"}, "student": {**common, "model": "student"}},
            "train": {"num_epochs": 1, "batch_size": 6},
            "gradient": {"minibatch_size": 3},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {"name": "qa", "data_path": str(questions(folder)), "split_ratio": "1:1:1", "workers": 8},
        },
        plugins=plugins,
    )
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, folder / "out", observers=silent)


def test_a_planted_rule_is_learnt_and_every_call_is_counted(tmp_path: Path) -> None:
    with FakeModelServer(script) as server:
        summary = run(server.url, tmp_path)
        calls = {role: [one for one in server.requests if one.model == role] for role in ("teacher", "student")}
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert (tmp_path / "out" / "best_skill.md").read_text() == f"- {RULE}\n"
    for role, seen in calls.items():
        assert summary.values["spent"][role]["usage"]["calls"] == len(seen)
    assert summary.values["spent"]["teacher"]["usage"]["cached"] == 40 * len(calls["teacher"])


def test_the_student_never_sees_an_expected_answer_it_does_not_give(tmp_path: Path) -> None:
    with FakeModelServer(script) as server:
        run(server.url, tmp_path)
        seen = [one.text + one.system for one in server.requests if one.model == "student"]
    assert not [text for text in seen if re.search(r"[A-Z]{3}", text.replace(RULE, ""))]


def test_a_server_that_is_not_there_is_named_and_nothing_is_scored(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(RunError, match=rf"student \(openai_chat\): .*127\.0\.0\.1:{port}"):
        run(f"http://127.0.0.1:{port}", tmp_path)
    assert not (tmp_path / "out" / "runtime_state.json").exists()


def test_a_refused_key_stops_the_run_and_a_good_one_resumes_it(tmp_path: Path) -> None:
    with FakeModelServer(script, key="right") as server:
        with pytest.raises(BackendError, match="student"):
            run(server.url, tmp_path, api_key="wrong")
        assert run(server.url, tmp_path, api_key="right").values["test_hard"] == 1.0
    written = "".join(file.read_text() for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert "wrong" not in written
    assert '"right"' not in re.sub(r'"right": [\d.]+', "", written)


def test_a_server_that_fails_for_a_while_is_waited_for(tmp_path: Path) -> None:
    failed: list[int] = []

    def shaky(request: Any) -> FakeReply:
        if request.index % 7 == 3:
            failed.append(request.index)
            return FakeReply(status=503, message="overloaded", retry_after=0)
        return script(request)

    with FakeModelServer(shaky) as server:
        summary = run(server.url, tmp_path, max_retries=3)
    assert failed
    assert summary.values["test_hard"] == 1.0


def test_a_run_goes_on_with_a_server_that_has_moved_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    with FakeModelServer(script) as server:
        run(server.url, tmp_path)
    with FakeModelServer(script) as moved:
        assert run(moved.url, tmp_path, timeout_s=7, headers={"x-gateway": "other"}).values["test_hard"] == 1.0
        assert not moved.requests


def test_a_run_does_not_go_on_under_another_temperature(tmp_path: Path) -> None:
    with FakeModelServer(script) as server:
        run(server.url, tmp_path)
        with pytest.raises(RunError, match=r"model\.student\.temperature was null, now 0\.5"):
            run(server.url, tmp_path, temperature=0.5)


@pytest.mark.parametrize(
    ("reply", "ending"),
    [
        (FakeReply(status=400, code="content_filter", message="The response was filtered"), "refused"),
        (FakeReply(finish="refused"), "refused"),
        (FakeReply(refusal="I will not."), "refused"),
        (FakeReply(text="", finish="length", usage=Usage(calls=1, completion=400, reasoning=400)), "truncated"),
        (FakeReply(text=""), "empty"),
    ],
)
def test_what_the_model_did_not_answer_is_counted_apart_and_is_no_error(
    tmp_path: Path, reply: FakeReply, ending: str
) -> None:
    def shy(request: Any) -> FakeReply:
        return reply if request.model == "student" and "red door" in request.text else script(request)

    with FakeModelServer(shy) as server:
        test = run(server.url, tmp_path, max_tokens=400).values["test"]
    rows = [json.loads(line) for line in (tmp_path / "out" / "test_eval" / "results.jsonl").read_text().splitlines()]
    found = [row["outcome"] for row in rows if row.get("outcome", "ok") != "ok"]
    assert found == [ending] * len(found)
    assert test["best"]["endings"] == ({ending: len(found)} if found else {})
    assert test["best"]["errors"] == 0
    assert test["baseline"]["endings"].get(ending, 0) == len(found) > 0
