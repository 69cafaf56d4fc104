"""What a run has spent is in its folder while it runs, and wherever it ends: no more and no less than its record."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, hookimpl
from reflact.contracts import EpochRecord, StepRecord
from reflact.engine.ledger import Account, spent
from reflact.engine.train import train
from reflact.errors import BudgetError
from reflact.llm.calls import Call
from reflact.types import Usage
from world import insightful, obedient, world

EPOCH_ENDS = {"use_slow_update": True, "use_meta_skill": True, "slow_update_samples": 4}
KILLED = """
import os, signal, sys
from pathlib import Path
from reflact.engine.train import train
from world import insightful, world

def teacher(request):
    if os.environ.get("KILL") and Path(sys.argv[1], "steps/step_0001/step_record.json").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return insightful(request)

resolved, plugins = world(teacher=teacher)
train(resolved, plugins, Path(sys.argv[1]))
"""


def told(root: Path) -> dict[str, Any]:
    """Return what `usage.json` in *root* says was spent."""
    table: dict[str, Any] = json.loads((root / "usage.json").read_text())["spent"]
    return table


class Watching:
    """Compares, whenever a run has got somewhere, what it says it has spent with its record."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.calls: list[int] = []

    @hookimpl
    def reflact_step_finished(self, record: StepRecord) -> None:
        self._look()

    @hookimpl
    def reflact_epoch_finished(self, record: EpochRecord) -> None:
        self._look()

    def _look(self) -> None:
        assert told(self.root) == spent(self.root)
        self.calls.append(sum(role["usage"]["calls"] for role in told(self.root).values()))


def test_every_step_and_every_end_of_an_epoch_leaves_what_was_spent_so_far(tmp_path: Path) -> None:
    resolved, plugins = world(train={"num_epochs": 2, "batch_size": 8}, optimizer=EPOCH_ENDS)
    watching = Watching(tmp_path)
    plugins.register(watching, label="watching")
    train(resolved, plugins, tmp_path)
    assert len(watching.calls) == 6
    assert watching.calls == sorted(watching.calls)
    assert watching.calls[0] < watching.calls[-1]
    assert told(tmp_path) == spent(tmp_path)


def test_a_stage_of_an_epochs_end_leaves_what_it_took_before_the_next_one_begins(tmp_path: Path) -> None:
    seen: list[set[str]] = []

    def teacher(request: ChatRequest) -> str:
        if request.stage == "meta_skill":
            seen.append(set(told(tmp_path)["teacher"]["stages"]))
        return insightful(request)

    resolved, plugins = world(teacher=teacher, train={"num_epochs": 2, "batch_size": 8}, optimizer=EPOCH_ENDS)
    train(resolved, plugins, tmp_path)
    assert ["slow_update" in stages for stages in seen] == [True]


def failing(after: int, error: Callable[[], BaseException]) -> Callable[[ChatRequest], str]:
    """Return a student that obeys *after* times, and then raises *error* for ever."""
    seen: list[int] = []

    def student(request: ChatRequest) -> str:
        seen.append(1)
        if len(seen) > after:
            raise error()
        return obedient(request)

    return student


@pytest.mark.parametrize(
    ("student", "budget", "ends"),
    [
        pytest.param(obedient, {"calls": 20}, BudgetError, id="a spent budget"),
        pytest.param(failing(20, lambda: BackendError("401", fault="auth")), {}, BackendError, id="an error"),
        pytest.param(failing(20, KeyboardInterrupt), {}, KeyboardInterrupt, id="Ctrl-C"),
    ],
)
def test_a_run_that_is_stopped_within_a_step_tells_all_it_has_spent(
    tmp_path: Path, student: Any, budget: dict[str, int], ends: type[BaseException]
) -> None:
    resolved, plugins = world(student=student, budget=budget, env={"workers": 1})
    with pytest.raises(ends):
        train(resolved, plugins, tmp_path)
    assert told(tmp_path) == spent(tmp_path)
    assert told(tmp_path)["student"]["usage"]["calls"] >= 20


def test_what_a_killed_process_has_spent_is_neither_lost_nor_counted_twice(tmp_path: Path) -> None:
    command, here = [sys.executable, "-c", KILLED, str(tmp_path)], Path(__file__).parent
    killed = subprocess.run(command, cwd=here, env={**os.environ, "KILL": "yes"}, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    at_the_step, at_the_kill = told(tmp_path), spent(tmp_path)
    assert 0 < at_the_step["student"]["usage"]["calls"] < at_the_kill["student"]["usage"]["calls"]
    subprocess.run(command, cwd=here, check=True, capture_output=True)
    lines = (tmp_path / "calls.jsonl").read_text().splitlines()
    assert told(tmp_path) == spent(tmp_path)
    assert sum(role["usage"]["calls"] for role in told(tmp_path).values()) == len(lines)


def test_the_record_is_read_once_and_kept_up_with_from_then_on(tmp_path: Path) -> None:
    call = Call(role="student", stage="s", model="m", usage=Usage(calls=1, prompt=3), seconds=0.1, usd=0.5)
    Account(tmp_path).add(call)
    account = Account(tmp_path)
    (tmp_path / "calls.jsonl").unlink()
    account.add(call)
    assert account.table()["student"]["usage"]["calls"] == 2
    assert (account.spent()["student"].tokens, account.spent()["student"].usd) == (6, 1.0)
