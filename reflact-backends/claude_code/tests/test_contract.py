"""The real Claude Code keeps the contract of agents."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from reflact import ToolCall
from reflact.testing import AgentContract, FakeReply, FakeRequest


@pytest.mark.slow
class TestClaudeCode(AgentContract):
    name = "claude_code_exec"
    nowhere: ClassVar[dict[str, Any]] = {"path": "no-such-program", "use_sdk": "cli"}

    @pytest.fixture(autouse=True)
    def _program(self, claude: str) -> None:
        self.path = claude

    def settings(self, url: str) -> dict[str, Any]:
        return {**super().settings(url), "max_retries": 0}

    def shell(self, command: str) -> ToolCall:
        return ToolCall(id=f"call_{abs(hash(command))}", name="Bash", arguments=json.dumps({"command": command}))

    def held_to_schema(self, request: FakeRequest, text: str) -> FakeReply:
        """Call the tool by which Claude Code has a reply to a schema said."""
        if request.results:
            return FakeReply(text="done")
        (tool,) = request.body["tools"]
        return FakeReply(tool_calls=(ToolCall(id="call_1", name=tool["name"], arguments=text),))

    def conversation(self, request: FakeRequest) -> Sequence[str]:
        return [text for one in request.messages if one["role"] != "system" for text in _texts(one)]


def _texts(message: Any) -> Sequence[str]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    words = [block.get("text") or block.get("content") or json.dumps(block.get("input")) for block in blocks]
    told = [re.sub(r"/\S+/(?=claude/skills)", "/", str(one)) for one in words]
    return [f"{message['role']} {block['type']}: {said}" for block, said in zip(blocks, told, strict=True)]
