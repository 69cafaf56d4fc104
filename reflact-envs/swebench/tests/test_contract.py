"""swebench keeps what every env promises."""

import pytest
from reflact.testing import EnvContract

pytest.importorskip("minisweagent.agents.default", reason="needs mini-swe-agent 2.4 (the extra `agent`)")


class TestSWEBench(EnvContract):
    name = "swebench"
    tasks_per_split = 1
