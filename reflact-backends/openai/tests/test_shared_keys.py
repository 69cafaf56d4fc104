"""From the keys of a configuration to the calls of a role."""

from typing import Any

import pytest
from reflact import ChatRequest, Message, Plugins
from reflact.config import resolve
from reflact.testing import FakeModelServer
from reflact_backend_openai import OpenAIChat

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))


def resolved(**model: Any) -> Any:
    env = {"name": "qa", "data_path": "questions.jsonl"}
    return resolve({"model": model, "env": env}, plugins=Plugins())


def test_azures_keys_reach_both_roles_and_the_teachers_own_only_the_teacher() -> None:
    with (
        FakeModelServer(lambda _: "ok", key="shared") as server,
        FakeModelServer(lambda _: "ok", key="own") as teachers,
    ):
        config = resolved(
            azure_openai_endpoint=server.url,
            azure_openai_api_key="shared",
            azure_openai_api_version="2025-04-01-preview",
            teacher_azure_openai_endpoint=teachers.url,
            teacher_azure_openai_api_key="own",
            student="small gpt",
        )
        for role in ("teacher", "student"):
            OpenAIChat(config.roles[role].settings).chat(ASK)
        paths = [one.path for one in (*teachers.requests, *server.requests)]
    assert paths == [
        "/openai/deployments/gpt-5.4/chat/completions?api-version=2025-04-01-preview",
        "/openai/deployments/small%20gpt/chat/completions?api-version=2025-04-01-preview",
    ]
    assert not [one for one in config.warnings if "azure" in one]


def test_the_old_names_of_azures_keys_still_work() -> None:
    with FakeModelServer(lambda _: "ok", key="k") as server:
        config = resolved(azure_endpoint=server.url, azure_api_key="k", azure_api_version="v1")
        assert OpenAIChat(config.roles["student"].settings).chat(ASK).text == "ok"
        assert server.requests[0].path == "/openai/v1/chat/completions"


def test_every_key_of_azure_has_its_setting() -> None:
    given = {
        "azure_openai_endpoint": "https://a.openai.azure.com",
        "azure_openai_api_version": "v1",
        "azure_openai_api_key": "k",
        "azure_openai_auth_mode": "aad",
        "azure_openai_ad_scope": "https://scope/.default",
        "azure_openai_managed_identity_client_id": "client-7",
    }
    config = resolved(**given).roles["student"].settings
    plain = {name: getattr(config, name) for name in given}
    assert {name: getattr(one, "get_secret_value", lambda one=one: one)() for name, one in plain.items()} == given


@pytest.mark.parametrize("role", ["teacher", "student"])
def test_a_role_without_a_model_is_named(role: str) -> None:
    with pytest.raises(Exception, match=rf"model\.{role}"):
        resolved(**{role: ""})
