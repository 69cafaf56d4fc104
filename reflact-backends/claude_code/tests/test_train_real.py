"""The whole loop with the real Claude Code as student, against a server on the loopback."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from reflact import Plugins
from reflact.config import resolve
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import Usage

pytestmark = pytest.mark.slow

RULE = "Write every colour in capitals."
COLOURS = ("red", "green", "blue", "amber")
PROBE = "Say what made you choose the form of your answer."
KEY = "sk-ant-marker-of-a-whole-run"


def script(request: FakeRequest) -> FakeReply:
    """Be the student or the teacher, by the model's name."""
    if request.model == "teacher":
        edit = {"op": "append", "target": "", "content": f"- {RULE}"}
        failure = {"failure_type": "small letters", "count": 2, "description": "colours in small letters"}
        said: dict[str, Any] = {"failure_summary": [failure], "patch": {"reasoning": "form", "edits": [edit]}}
        if "probe_after_step" in json.dumps(request.body.get("output_config", {})):
            target = re.findall(r"\((door\d+)\)", request.text)[0]
            probe = {"probe_instruction": PROBE, "probe_target_id": target, "probe_after_step": 1}
            return FakeReply(text=json.dumps({"reasoning": "to see why", **probe}))
        if "sources" in json.dumps(request.body.get("output_config", {})):
            said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0]}]}
        return FakeReply(text=json.dumps(said), usage=Usage(prompt=100, completion=20))
    told = json.dumps(request.body["messages"])
    (colour,) = set(re.findall(r"the (\w+) door", told))
    return FakeReply(text=colour.upper() if RULE in told else colour, usage=Usage(prompt=10, completion=1))


def test_a_planted_rule_is_learnt_by_a_real_agent(
    claude: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    items = [
        {"id": f"door{n}", "question": f"House {n}: what colour has the {colour} door?", "answer": colour.upper()}
        for n, colour in enumerate(COLOURS * 3)
    ]
    data, out = tmp_path / "doors.jsonl", tmp_path / "out"
    data.write_text("".join(json.dumps(item) + "\n" for item in items))
    plugins = Plugins()
    with FakeModelServer(script, key=KEY) as server:
        resolved = resolve(
            {
                "model": {
                    "teacher": {"backend": "claude_chat", "base_url": server.url, "model": "teacher"},
                    "student": {
                        "backend": "claude_code_exec",
                        "base_url": server.url,
                        "model": "student",
                        "path": claude,
                    },
                },
                "train": {"num_epochs": 1, "batch_size": 4},
                "gradient": {"minibatch_size": 4, "use_deep_reflect": True, "deep_reflect_failures": 1},
                "optimizer": {"use_slow_update": False, "use_meta_skill": False},
                "env": {"name": "qa", "data_path": str(data), "split_ratio": "1:1:1", "workers": 2},
            },
            plugins=plugins,
        )
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        summary = train(resolved, plugins, out, observers=silent)
        asked = [one for one in server.requests if one.model == "student"]
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert (out / "best_skill.md").read_text() == f"- {RULE}\n"
    (probed,) = [one for one in asked if PROBE in json.dumps(one.body["messages"])]
    turns = [one["role"] for one in probed.messages if one["role"] != "system"]
    assert turns == ["user", "assistant", "user"]
    spent = summary.values["spent"]["student"]["usage"]
    assert (spent["calls"], spent["prompt"]) == (len(asked), 10 * len(asked))
    kept = [file for file in out.rglob("*") if file.is_file()]
    assert {"claude_raw.txt", "claude_trace_summary.txt", "task.md"} <= {file.name for file in kept}
    assert not [file for file in kept if KEY.encode() in file.read_bytes()]
    assert KEY not in caplog.text
