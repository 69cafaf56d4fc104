import subprocess
import sys

import pytest
from pydantic import ValidationError
from reflact import BackendError, ChatRequest, ConfigError, Message
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_openai import OpenAIChat, OpenAIConfig
from reflact_backend_openai.client import connect

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))


def test_a_missing_key_is_named_with_its_variable() -> None:
    with pytest.raises(ConfigError, match="MY_KEY is not set"):
        connect(OpenAIConfig(api_key_env="MY_KEY"), environ={"OPENAI_API_KEY": "sk-other"})


def test_the_key_comes_from_the_named_variable() -> None:
    endpoint = connect(OpenAIConfig(api_key_env="MY_KEY"), environ={"MY_KEY": " sk-mine\n"})
    assert endpoint.credentials()["authorization"] == "Bearer sk-mine"
    assert endpoint.url("chat", "m") == "https://api.openai.com/v1/chat/completions"


def test_a_key_in_the_configuration_outranks_the_environment() -> None:
    endpoint = connect(OpenAIConfig(api_key="sk-given"), environ={"OPENAI_API_KEY": "sk-env"})
    assert endpoint.credentials()["authorization"] == "Bearer sk-given"


def test_a_server_on_this_machine_needs_no_key() -> None:
    endpoint = connect(OpenAIConfig(base_url="http://localhost:8000/v1"), environ={})
    assert endpoint.credentials()["authorization"] == "Bearer none"


def test_a_server_elsewhere_needs_one() -> None:
    with pytest.raises(ConfigError, match=r"no key for https://gateway\.example/v1"):
        connect(OpenAIConfig(base_url="https://gateway.example/v1"), environ={})


def test_the_address_of_the_environment_counts_when_none_is_configured() -> None:
    endpoint = connect(OpenAIConfig(), environ={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1/"})
    assert endpoint.url("responses", "m") == "http://127.0.0.1:9/v1/responses"


def test_the_account_that_pays_is_told_to_openai_alone() -> None:
    environ = {"OPENAI_API_KEY": "sk-mine", "OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj-1"}
    own = connect(OpenAIConfig(), environ=environ).credentials()
    other = connect(OpenAIConfig(base_url="https://gateway.example/v1"), environ=environ).credentials()
    assert (own["openai-organization"], own["openai-project"]) == ("org-1", "proj-1")
    assert "openai-organization" not in other


def test_a_query_and_a_password_in_the_address_are_sent_and_never_shown() -> None:
    with FakeModelServer(lambda _: FakeReply(status=403, message="no: hunter22 qsecret")) as server:
        url = server.url.replace("http://", "http://me:hunter22@") + "/v1?token=qsecret"
        with pytest.raises(BackendError) as caught:
            OpenAIChat(OpenAIConfig(base_url=url)).chat(ASK)
        sent = server.requests[0]
    assert (sent.path, sent.headers["authorization"]) == (
        "/v1/chat/completions?token=qsecret",
        "Basic bWU6aHVudGVyMjI=",
    )
    assert "hunter22" not in str(caught.value) and "qsecret" not in str(caught.value)


def test_a_key_is_not_carried_to_where_a_server_redirects() -> None:
    with FakeModelServer(lambda _: "caught") as other:
        moved = FakeReply(status=307, headers={"location": f"{other.url}/v1/chat/completions"})
        with FakeModelServer(lambda _: moved) as server, pytest.raises(BackendError, match="Set `base_url` to where"):
            OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1", api_key="sk-mine")).chat(ASK)
        assert not other.requests


def test_a_header_of_the_user_replaces_ours_however_it_is_written() -> None:
    config = OpenAIConfig(base_url="http://localhost:1/v1", headers={"Authorization": "Token abc"})
    sent = connect(config, environ={}).credentials()
    assert [text for name, text in sent.items() if name.lower() == "authorization"] == ["Token abc"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": ""},
        {"base_url": "localhost:8000"},
        {"effort": "hard"},
        {"max_tokens": 0},
        {"azure_openai_endpoint": "x.openai.azure.com"},
        {"azure_openai_auth_mode": "password"},
        {"leave_out": ["seed"]},
        {"api": "completions"},
        {"max_retries": 3},
        {"extra_body": {"stream": True}},
    ],
)
def test_a_setting_that_cannot_work_is_refused_by_name(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as caught:
        OpenAIConfig.model_validate(wrong)
    assert next(iter(wrong)) in str(caught.value)


def test_headers_are_sent_and_hidden() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        config = OpenAIConfig(base_url=f"{server.url}/v1", headers={"X-Team": "blue-team"})
        OpenAIChat(config).chat(ASK)
        assert server.requests[0].headers["x-team"] == "blue-team"
    assert "blue-team" not in config.model_dump_json()


def test_a_program_that_used_a_model_ends_quietly() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        program = (
            "from reflact import ChatRequest, Message\n"
            "from reflact_backend_openai import OpenAIChat, OpenAIConfig\n"
            f"model = OpenAIChat(OpenAIConfig(base_url='{server.url}/v1'))\n"
            "assert model.chat(ChatRequest(messages=(Message(role='user', content='?'),))).text == 'ok'\n"
        )
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (0, "")
