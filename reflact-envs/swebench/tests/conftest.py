"""A folder of made-up issues, and an env over them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact_env_swebench import SWEBench, SWEBenchConfig, write_sample

Build = Callable[..., SWEBench]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Builds an env over nine made-up issues, with settings of a test's own."""
    pytest.importorskip("minisweagent.agents.default", reason="needs mini-swe-agent 2.4 (the extra `agent`)")

    def built(**changes: Any) -> SWEBench:
        sample = tmp_path / "sample"
        if not sample.exists():
            write_sample(sample, 9, 7)
        settings = {"data_path": str(sample), "split_ratio": "1:1:1", "eval_timeout": 60, **changes}
        return SWEBench(SWEBenchConfig(**settings))

    return built
