"""Agents are heavy: few of them run at once, whatever the env's workers, unless the role says otherwise."""

from __future__ import annotations

import os

import pytest
from reflact import Plugins
from reflact.config import resolve
from reflact.engine.calling import all_ways


@pytest.mark.parametrize(
    ("student", "most"),
    [
        ({"backend": "codex_exec"}, 8),
        ({"backend": "claude_code_exec"}, os.cpu_count()),
        ({"backend": "codex_exec", "concurrency": 16}, 16),
    ],
    ids=["codex", "claude-code", "as-told"],
)
def test_so_many_run_at_once_as_the_backend_or_the_role_says(student: dict[str, object], most: int) -> None:
    env = {"name": "qa", "data_path": "q.jsonl", "workers": 64}
    ways, _ = all_ways(resolve({"model": {"student": student}, "env": env}, plugins=Plugins()), {})
    assert ways["student"].limiter.limit == most
