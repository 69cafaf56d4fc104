"""A model server for documents whose commands ask one."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from reflact.testing import FakeModelServer, FakeRequest

RULE = "Answer with the name of the desk and nothing else."
REPLIES: Mapping[str, Mapping[str, Any]] = {
    "analyst": {"patch": {"reasoning": "", "edits": [{"op": "append", "content": RULE}]}},
    "merge": {"reasoning": "", "edits": [{"op": "append", "content": RULE, "sources": [0]}]},
    "ranking": {"reasoning": "", "selected_indices": [0]},
    "slow_update": {"reasoning": "", "slow_update_content": "Name the desk alone."},
    "preflight": {"word": "OK"},
    "meta_skill": {"reasoning": "", "meta_skill_content": "Short rules are kept."},
}


def reply(request: FakeRequest) -> str:
    """Play a teacher where a schema is asked for, and else a student that the rule turns into a terse one."""
    wanted = request.body.get("response_format", {}).get("json_schema", {}).get("name")
    if wanted:
        return json.dumps(REPLIES[wanted])
    desk = "A" if "kg" not in request.text else "B" if "8 kg" in request.text else "C"
    desk += "-F" if "fragile" in request.text else ""
    return desk if RULE in request.system else f"I would say it is {desk}."


@pytest.fixture
def endpoint() -> Iterator[Mapping[str, str]]:
    """The environment in which `openai_chat` finds the server."""
    with FakeModelServer(reply) as server:
        yield {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "sk-of-a-test"}
