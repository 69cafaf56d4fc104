"""One epoch over made-up issues: the agent acts over HTTP, the tests judge, and a planted rule is learnt."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from reflact import Plugins
from reflact.config import resolve
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import ToolCall
from reflact_env_swebench import write_sample
from reflact_env_swebench.agent.room import MARK
from reflact_env_swebench.judge.local import changed

pytest.importorskip("minisweagent.agents.default", reason="needs mini-swe-agent 2.4 (the extra `agent`)")
pytest.importorskip("reflact_backend_openai", reason="needs reflact-backend-openai")
pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
RULE = "Compare with the very number of the issue."
PROBE = "Say in one line which number you looked at."
EDIT = {"op": "append", "target": "", "content": f"- {RULE}"}
ANALYSIS = {
    "failure_summary": [{"failure_type": "careless", "count": 2, "description": "nothing was changed"}],
    "patch": {"reasoning": "one habit", "edits": [EDIT]},
}
MERGED = {"reasoning": "one rule", "edits": [{**EDIT, "sources": [0]}]}


class World:
    """Plays the teacher, and a student who knows every fix but needs the rule to try it."""

    def __init__(self, sample: Path) -> None:
        items = json.loads((sample / "items.json").read_text())
        self.patches = {changed(one["patch"])[0]: one["patch"] for one in items}

    def __call__(self, request: FakeRequest) -> FakeReply:
        if request.model == "teacher":
            asked = json.dumps(request.body.get("response_format", {}))
            if "probe_instruction" in asked:
                return FakeReply(text=json.dumps({"reasoning": "why", "probe_instruction": PROBE}))
            return FakeReply(text=json.dumps(MERGED if "sources" in asked else ANALYSIS))
        tools = [tool["function"] for tool in request.body.get("tools", [])]
        if tools and tools[0]["name"] != "bash":
            return _call(tools[0]["name"], dict.fromkeys(tools[0]["parameters"]["properties"], "Paris"))
        module = next((one for one in self.patches if f"`{one}`" in request.text), "")
        if not module:
            return FakeReply(text="OK")
        return _call("bash", {"command": self._commands(module, request.system)[len(request.results)]})

    def _commands(self, module: str, skill: str) -> list[str]:
        new = next(line[1:] for line in self.patches[module].splitlines() if line.startswith("+ "))
        change = f"sed -i '3s|.*|{new}|' {module}" if RULE in skill else "true"
        return [f"cat {module}", change, f"git diff -- {module} > patch.txt", f"echo {MARK} && cat patch.txt"]


def _call(name: str, arguments: dict[str, str]) -> FakeReply:
    return FakeReply(text="Next.", tool_calls=(ToolCall(id="c1", name=name, arguments=json.dumps(arguments)),))


@pytest.mark.parametrize("deep", [False, True])
def test_a_planted_rule_is_learnt_over_http(tmp_path: Path, deep: bool) -> None:
    sample, plugins = tmp_path / "sample", Plugins()
    write_sample(sample, 9, 7)
    with FakeModelServer(World(sample)) as server:
        common = {"backend": "openai_chat", "base_url": f"{server.url}/v1", "max_retries": 0}
        settings: dict[str, Any] = {
            "model": {"teacher": {**common, "model": "teacher"}, "student": {**common, "model": "student"}},
            "train": {"num_epochs": 1, "batch_size": 3},
            "gradient": {"minibatch_size": 3, "use_deep_reflect": deep, "deep_reflect_failures": 1},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {"name": "swebench", "data_path": str(sample), "split_ratio": "1:1:1", "workers": 2},
        }
        resolved = resolve(settings, plugins=plugins)
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        values = train(resolved, plugins, tmp_path / "out", observers=silent).values
        asked = [one for one in server.requests if one.model == "student"]
    assert (values["baseline_test_hard"], values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
    told = json.loads(
        (tmp_path / "out" / "_generated_splits" / "swebench_1-1-1_seed42" / "split_manifest.json").read_text()
    )
    assert told["strategy"] == "stratified_by_repo"
    assert any(PROBE in one.text for one in asked) == deep
    assert not [one for one in asked if "test_the_issue" in one.text + one.system]
