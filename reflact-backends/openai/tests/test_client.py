import subprocess
import sys

import pytest
from pydantic import ValidationError
from reflact import ChatRequest, ConfigError, Message
from reflact.testing import FakeModelServer
from reflact_backend_openai import OpenAIChat, OpenAIConfig
from reflact_backend_openai.client import connect, is_loopback

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))


def test_a_missing_key_is_named_with_its_variable() -> None:
    with pytest.raises(ConfigError, match="MY_KEY is not set"):
        connect(OpenAIConfig(api_key_env="MY_KEY"), environ={"OPENAI_API_KEY": "sk-other"})


def test_the_key_comes_from_the_named_variable() -> None:
    client = connect(OpenAIConfig(api_key_env="MY_KEY"), environ={"MY_KEY": " sk-mine\n"})
    assert client.api_key == "sk-mine"
    assert client.base_url.host == "api.openai.com"


def test_a_key_in_the_configuration_outranks_the_environment() -> None:
    assert connect(OpenAIConfig(api_key="sk-given"), environ={"OPENAI_API_KEY": "sk-env"}).api_key == "sk-given"


def test_a_server_on_this_machine_needs_no_key() -> None:
    assert connect(OpenAIConfig(base_url="http://localhost:8000/v1"), environ={}).api_key == "none"


def test_a_server_elsewhere_needs_one() -> None:
    with pytest.raises(ConfigError, match=r"no key for https://gateway\.example/v1"):
        connect(OpenAIConfig(base_url="https://gateway.example/v1"), environ={})


def test_the_address_of_the_environment_counts_when_none_is_configured() -> None:
    client = connect(OpenAIConfig(), environ={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert str(client.base_url) == "http://127.0.0.1:9/v1/"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000", True),
        ("http://localhost", True),
        ("http://10.0.0.1", False),
        ("https://localhost.example.com", False),
        ("", False),
    ],
)
def test_loopback_addresses_are_known(url: str, expected: bool) -> None:
    assert is_loopback(url) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": ""},
        {"base_url": "localhost:8000"},
        {"effort": "hard"},
        {"max_tokens": 0},
        {"azure_openai_endpoint": "https://x.openai.azure.com"},
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
