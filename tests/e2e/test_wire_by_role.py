"""Each role's calls go where the configuration says, holding what it says and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from reflact import Plugins
from reflact.config import resolve
from reflact.testing import FakeModelServer, FakeRequest
from reflact.testing.registered import ask

STRAY = {
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "AZURE_OPENAI_ENDPOINT": "https://stray.openai.azure.com",
    "AZURE_OPENAI_API_KEY": "stray",
    "TEACHER_AZURE_OPENAI_ENDPOINT": "https://stray.openai.azure.com",
    "AZURE_OPENAI_STUDENT_API_KEY": "stray",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
}
SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "Where?"}


@pytest.fixture(autouse=True)
def _stray(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in STRAY.items():
        monkeypatch.setenv(name, value)


def asked(model: Mapping[str, Any], role: str) -> None:
    """Have *role* answer a question under a configuration whose section `model` is *model*."""
    found = resolve({"model": model, "env": {"name": "qa", "data_path": "q.jsonl"}}, plugins=Plugins()).roles[role]
    answering: Any = found.player(found.settings)
    assert answering.chat(ask("Where?", max_tokens=50)).text == "ok"


def only(server: FakeModelServer) -> FakeRequest:
    (request,) = server.requests
    return request


def test_two_roles_on_two_backends_each_say_what_their_own_server_knows() -> None:
    with FakeModelServer(lambda _: "ok", key="k1") as one, FakeModelServer(lambda _: "ok", key="k2") as two:
        model = {
            "teacher": {"backend": "openai_chat", "model": "big", "base_url": f"{one.url}/v1", "api_key": "k1"},
            "student": {"backend": "claude_chat", "model": "small", "base_url": two.url, "api_key": "k2"},
            "reasoning_effort": "",
        }
        asked(model, "teacher")
        asked(model, "student")
        teacher, student = only(one), only(two)
    assert teacher.path == "/v1/chat/completions"
    assert teacher.body == {"model": "big", "messages": [SYSTEM, USER], "max_tokens": 50}
    assert student.path == "/v1/messages"
    assert student.body == {
        "model": "small",
        "max_tokens": 50,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Where?"}]}],
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    }


@pytest.mark.parametrize("role", ["teacher", "student"])
def test_a_backend_for_one_role_leaves_the_other_alone(role: str) -> None:
    other = "student" if role == "teacher" else "teacher"
    with FakeModelServer(lambda _: "ok") as one, FakeModelServer(lambda _: "ok") as two:
        model = {
            f"{role}_backend": "qwen_chat",
            f"{role}_qwen_chat_base_url": f"{one.url}/v1",
            f"{role}_qwen_chat_enable_thinking": False,
            other: {"backend": "openai_chat", "model": "m", "base_url": f"{two.url}/v1", "effort": "low"},
        }
        asked(model, role)
        asked(model, other)
        local, plain = only(one), only(two)
    assert local.body["chat_template_kwargs"] == {"enable_thinking": False}
    assert local.body["model"] == "Qwen/Qwen3.5-4B"
    assert plain.body == {"model": "m", "messages": [SYSTEM, USER], "max_tokens": 50, "reasoning_effort": "low"}
