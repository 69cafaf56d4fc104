"""The real Codex keeps the contract of agents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from reflact import ToolCall
from reflact.testing import AgentContract, FakeRequest


@pytest.mark.slow
class TestCodex(AgentContract):
    name = "codex_exec"

    @pytest.fixture(autouse=True)
    def _program(self, real_codex: str) -> None:
        self.path = real_codex

    def settings(self, url: str) -> dict[str, Any]:
        return {**super().settings(url), "request_retries": 0}

    def shell(self, command: str) -> ToolCall:
        return ToolCall(id=f"call_{abs(hash(command))}", name="exec_command", arguments=json.dumps({"cmd": command}))

    def conversation(self, request: FakeRequest) -> Sequence[str]:
        return [_text(item) for item in request.messages]


def _text(item: Mapping[str, Any]) -> str:
    if item.get("type") == "function_call":
        return f"call {json.loads(item['arguments'])['cmd']}"
    if item.get("type") == "function_call_output":
        return f"output {str(item['output']).partition('Output:')[2].strip()}"
    return f"{item.get('role')}: {''.join(part.get('text', '') for part in item.get('content') or ())}"
