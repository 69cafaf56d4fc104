"""The whole loop over real games: TextWorld, and both models through the openai SDK against a loopback server."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reflact import Plugins
from reflact.config import resolve
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply
from reflact.types import Usage
from reflact_env_alfworld.games.installed import PIP, missing_games
from reflact_env_alfworld.sample import write_sample

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_games()), reason=f"TextWorld is not installed: {PIP}"),
]
RULE = "Follow the walkthrough."


def goals(data: Path) -> Mapping[str, list[str]]:
    """Return the commands that win a game, by its task sentence."""
    games = [json.loads(file.read_text(encoding="utf-8")) for file in data.rglob("game.tw-pddl")]
    return {re.findall(r"Your task is to: ([^\"]+\.)\"", one["grammar"])[0]: one["walkthrough"] for one in games}


def test_a_planted_rule_is_learnt_accepted_and_lifts_the_score_on_unseen_games(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_sample(data, 12, 5)
    plans = goals(data)
    assert len(plans) == 12

    def script(request: Any) -> FakeReply:
        if request.model == "teacher":
            edit = {"op": "append", "target": "", "content": f"- {RULE}"}
            failure = {"failure_type": "wandering", "count": 2, "description": "looked around for ever"}
            said = {"failure_summary": [failure], "patch": {"reasoning": "plan", "edits": [edit]}}
            if "sources" in json.dumps(request.body.get("response_format", {})):
                said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0, 1]}]}
            return FakeReply(text=json.dumps(said), usage=Usage(prompt=100, completion=20))
        goal, number = re.findall(r"## Task\n\n(.+)\n\n## Step (\d+)", request.text)[0]
        action = plans[goal][int(number) - 1] if RULE in request.system else "look"
        return FakeReply(text=f"<think>so</think><action>{action}</action>", usage=Usage(prompt=10, completion=1))

    plugins = Plugins()
    with FakeModelServer(script) as server:
        common = {"backend": "openai_chat", "base_url": f"{server.url}/v1", "max_retries": 0}
        resolved = resolve(
            {
                "model": {"teacher": {**common, "model": "teacher"}, "student": {**common, "model": "student"}},
                "train": {"num_epochs": 1, "batch_size": 4},
                "gradient": {"minibatch_size": 4},
                "optimizer": {"use_slow_update": False, "use_meta_skill": False},
                "env": {"name": "alfworld", "data_root": str(data), "workers": 2, "max_steps": 12},
            },
            plugins=plugins,
        )
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        summary = train(resolved, plugins, tmp_path / "out", observers=silent)
        asked = [one for one in server.requests if one.model == "student"]
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
    history = json.loads((tmp_path / "out" / "history.json").read_text(encoding="utf-8"))
    assert "accept" in json.dumps(history)
    assert summary.values["spent"]["student"]["usage"]["calls"] == len(asked)
    assert (tmp_path / "out" / "_generated_splits" / "alfworld_2-1-7_seed42" / "native_index.json").is_file()
    assert not subprocess.run(["pgrep", "-f", f"ALFWORLD_DATA={data}"], capture_output=True, text=True).stdout
