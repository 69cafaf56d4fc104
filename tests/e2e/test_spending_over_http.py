"""What is counted is what the server was asked, also when it refuses more than it can take at once."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reflact import Plugins
from reflact.config import resolve
from reflact.engine.evaluate import evaluate
from reflact.engine.ledger import spent
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import Usage

LATENCY_S = 0.02
PATCH = {"patch": {"reasoning": "", "edits": [{"op": "append", "content": "Answer briefly."}]}}
TAKEN = Usage(prompt=100, cached=40, completion=20)


class Busy:
    """A server that takes *most* calls at once, and writes down what it has charged to whom."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._ends: list[float] = []
        self.refused = 0
        self.charged: Counter[str] = Counter()

    def __call__(self, request: FakeRequest) -> FakeReply:
        now = time.monotonic()
        self._ends = [end for end in self._ends if end > now]
        if len(self._ends) >= self._most:
            self.refused += 1
            return FakeReply(status=429, message="slow down", retry_after=0.01 if self.refused % 5 == 0 else None)
        self._ends.append(now + LATENCY_S)
        self.charged[request.model] += 1
        text = json.dumps(PATCH) if request.model == "teacher" else "ANSWER"
        return FakeReply(text=text, usage=TAKEN, latency_s=LATENCY_S)


def config(url: str, folder: Path) -> Mapping[str, Any]:
    file = folder / "items.jsonl"
    file.write_text("".join(json.dumps({"question": f"q{n}?", "answer": f"a{n}"}) + "\n" for n in range(30)))
    common = {"backend": "openai_chat", "base_url": f"{url}/v1"}
    return {
        "model": {role: {**common, "model": role, "max_wait_s": 10} for role in ("teacher", "student")},
        "train": {"num_epochs": 1, "batch_size": 10},
        "gradient": {"minibatch_size": 2, "merge": "concat"},
        "optimizer": {"use_slow_update": False, "use_meta_skill": False},
        "env": {"name": "qa", "data_path": str(file), "split_ratio": "1:1:1", "workers": 16},
        "prices": {"student": {"prompt": 10, "completion": 100, "cached": 1}},
    }


def test_the_sums_of_a_run_are_those_of_the_servers_log_by_role(tmp_path: Path) -> None:
    busy = Busy(most=3)
    with FakeModelServer(busy) as server:
        plugins = Plugins()
        resolved = resolve(config(server.url, tmp_path), plugins=plugins)
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        train(resolved, plugins, tmp_path / "run", observers=silent)
        asked = Counter(request.model for request in server.requests)
    table = spent(tmp_path / "run")
    assert busy.refused > 0
    assert {role: entry["usage"]["calls"] for role, entry in table.items()} == asked
    assert sum(entry["failed"] for entry in table.values()) == busy.refused
    for role, entry in table.items():
        n = busy.charged[role]
        sums = {"prompt": 100 * n, "cached": 40 * n, "completion": 20 * n, "reasoning": 0}
        assert {key: value for key, value in entry["usage"].items() if key != "calls"} == sums
    assert table["student"]["usd"] == round(busy.charged["student"] * (60 * 10 + 40 * 1 + 20 * 100) / 1e6, 6)
    assert (table["teacher"]["usd"], table["teacher"]["unpriced"]) == (None, busy.charged["teacher"])


def test_no_task_is_lost_to_a_server_that_takes_two_calls_at_once(tmp_path: Path) -> None:
    with FakeModelServer(Busy(most=2)) as server:
        plugins = Plugins()
        resolved = resolve(config(server.url, tmp_path), plugins=plugins)
        values = evaluate(resolved, plugins, tmp_path / "eval", skill=None, split="all")
    assert (values["n_items"], values["n_errors"]) == (30, 0)
