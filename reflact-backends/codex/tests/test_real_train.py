"""A whole run: the real Codex is the student, a planted rule lifts the score, and the gate takes it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from reflact import Plugins, Summary
from reflact.config import resolve
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import ToolCall, Usage

pytestmark = pytest.mark.slow
RULE = "Write every colour in capitals."
COLOURS = ("red", "green", "blue", "amber", "violet", "ochre")
PROBE = "Say which rule you followed."
KEY = "marker-key-0123456789"


def script(request: FakeRequest) -> FakeReply:
    """Be the student or the teacher, by the protocol: Codex speaks Responses, the teacher Chat Completions."""
    if request.api == "responses":
        return student(request)
    if "probe_after_step" in json.dumps(request.body.get("response_format", {})):
        probe = {"reasoning": "?", "probe_instruction": PROBE, "probe_target_id": "", "probe_after_step": 1}
        return FakeReply(text=json.dumps(probe))
    edit = {"op": "append", "target": "", "content": f"- {RULE}"}
    failure = {"failure_type": "small letters", "count": 2, "description": "colours in small letters"}
    said = {"failure_summary": [failure], "patch": {"reasoning": "form", "edits": [edit]}}
    if "sources" in json.dumps(request.body.get("response_format", {})):
        said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0, 1]}]}
    return FakeReply(text=json.dumps(said))


def student(request: FakeRequest) -> FakeReply:
    """Look up the task in the workspace, then answer it; in capitals only if the skill says so."""
    if PROBE in json.dumps(request.messages[-1]):
        return FakeReply(text="I was told nothing of capitals.")
    if not request.results:
        call = ToolCall(id="call_1", name="exec_command", arguments=json.dumps({"cmd": "env | sort; cat task.md"}))
        return FakeReply(tool_calls=(call,), usage=Usage(calls=1, prompt=10, completion=1))
    colour = re.findall(r"the (\w+) door", request.results[0])[0]
    skilled = RULE in json.dumps(request.messages)
    return FakeReply(text=colour.upper() if skilled else colour, usage=Usage(calls=1, prompt=10, completion=1))


def run(url: str, codex: str, folder: Path, **sections: Any) -> Summary:
    """Train on a few doors; return the summary."""
    doors = folder / "doors.jsonl"
    items = [
        {"id": f"door{n}", "question": f"What colour has the {colour} door of house {n}?", "answer": colour.upper()}
        for n, colour in enumerate(COLOURS)
    ]
    doors.write_text("".join(json.dumps(item) + "\n" for item in items))
    plugins = Plugins()
    resolved = resolve(
        {
            "model": {
                "teacher": {"backend": "openai_chat", "base_url": url, "model": "teacher"},
                "student": {"backend": "codex_exec", "base_url": url, "model": "m", "api_key_env": "STUDENT_KEY"},
                "codex_exec_path": codex,
            },
            "train": {"num_epochs": 1, "batch_size": 2},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {"name": "qa", "data_path": str(doors), "split_ratio": "1:1:1", "workers": 2},
            **sections,
        },
        plugins=plugins,
    )
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, folder / "out", observers=silent)


def test_a_rule_that_helps_the_agent_is_learnt_and_kept(
    real_codex: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDENT_KEY", KEY)
    with FakeModelServer(script) as server:
        summary = run(f"{server.url}/v1", real_codex, tmp_path)
        asked = [one for one in server.requests if one.api == "responses"]
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert (tmp_path / "out" / "best_skill.md").read_text() == f"- {RULE}\n"
    assert summary.values["spent"]["student"]["usage"]["calls"] == len(asked)
    assert all(KEY not in result for one in asked for result in one.results)
    written = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert {"codex_raw.txt", "codex_trace_summary.txt", "SKILL.md", "task.md"} <= {file.name for file in written}
    assert not [file for file in written if KEY.encode() in file.read_bytes() or "auth.json" in file.name]


def test_a_deep_look_goes_on_in_the_agents_own_session(
    real_codex: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDENT_KEY", KEY)
    with FakeModelServer(script) as server:
        summary = run(f"{server.url}/v1", real_codex, tmp_path, gradient={"use_deep_reflect": True})
        probed = [one for one in server.requests if one.api == "responses" and PROBE in json.dumps(one.messages[-1])]
    assert summary.values["test_hard"] == 1.0
    assert len(probed) == 1
    kinds = [one.get("role") or one["type"] for one in probed[0].messages]
    assert kinds[-4:] == ["user", "function_call", "function_call_output", "user"]
    assert probed[0].messages[-1]["content"][0]["text"] == PROBE
