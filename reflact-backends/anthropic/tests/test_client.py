import subprocess
import sys

import pytest
from pydantic import ValidationError
from reflact import ChatRequest, ConfigError, Message
from reflact.contracts import Access
from reflact.testing import FakeModelServer
from reflact_backend_anthropic import ClaudeConfig
from reflact_backend_anthropic.client import access, connect
from reflact_backend_anthropic.model import ClaudeChat

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))


def test_a_missing_key_is_named_with_its_variable() -> None:
    with pytest.raises(ConfigError, match=r"no key for Anthropic: .* MY_KEY is not set"):
        connect(ClaudeConfig(api_key_env="MY_KEY"), environ={"ANTHROPIC_API_KEY": "sk-other"})


def test_the_key_comes_from_the_named_variable() -> None:
    endpoint = connect(ClaudeConfig(api_key_env="MY_KEY"), environ={"MY_KEY": " sk-mine\n"})
    assert (endpoint.client.api_key, endpoint.base) == ("sk-mine", "https://api.anthropic.com")


def test_a_key_in_the_configuration_outranks_the_environment() -> None:
    endpoint = connect(ClaudeConfig(api_key="sk-given"), environ={"ANTHROPIC_API_KEY": "sk-env"})
    assert endpoint.client.api_key == "sk-given"


def test_what_is_told_of_the_endpoint_is_what_is_used() -> None:
    gateway = {"ANTHROPIC_BASE_URL": "http://me:pw@127.0.0.1:9/v1"}
    own = ClaudeConfig(base_url="http://127.0.0.1:8", api_key="sk-given")
    cases = ((ClaudeConfig(), {}), (ClaudeConfig(), gateway), (own, gateway))
    told = [access(config, environ=environ) for config, environ in cases]
    assert told == [
        Access(endpoint="https://api.anthropic.com", key="$ANTHROPIC_API_KEY"),
        Access(endpoint="http://127.0.0.1:9", endpoint_from="$ANTHROPIC_BASE_URL", key="$ANTHROPIC_API_KEY"),
        Access(endpoint="http://127.0.0.1:8", endpoint_from="base_url", key="api_key"),
    ]
    assert connect(ClaudeConfig(), environ=gateway).base == "http://127.0.0.1:9"


def test_a_server_on_this_machine_needs_no_key() -> None:
    endpoint = connect(ClaudeConfig(base_url="http://localhost:8000"), environ={})
    assert endpoint.client.api_key == "none"


def test_an_older_gateway_gets_the_key_where_it_looks_for_it() -> None:
    with FakeModelServer(lambda _: "ok", key="sk-old") as server:
        ClaudeChat(ClaudeConfig(base_url=server.url, api_key="sk-old", key_header="x-api-key")).chat(ASK)
        sent = server.requests[0].headers
    assert sent["x-api-key"] == "sk-old"
    assert "authorization" not in sent
    assert sent["anthropic-version"]


def test_a_server_elsewhere_needs_one() -> None:
    with pytest.raises(ConfigError, match=r"no key for https://gateway\.example"):
        connect(ClaudeConfig(base_url="https://gateway.example"), environ={})


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "http://127.0.0.1:9/", "http://127.0.0.1:9/v1/"])
def test_an_address_may_end_in_v1_or_not(url: str) -> None:
    configured = connect(ClaudeConfig(base_url=url), environ={})
    given = connect(ClaudeConfig(), environ={"ANTHROPIC_BASE_URL": url})
    assert [str(one.client.base_url) for one in (configured, given)] == ["http://127.0.0.1:9"] * 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": ""},
        {"base_url": "localhost:8000"},
        {"effort": "hard"},
        {"max_tokens": None},
        {"temperature": 0},
        {"extra_body": {"system": "x"}},
    ],
)
def test_a_setting_that_cannot_work_is_refused_by_name(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as caught:
        ClaudeConfig.model_validate(wrong)
    assert next(iter(wrong)) in str(caught.value)


def test_headers_are_sent_and_hidden() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        config = ClaudeConfig(base_url=server.url, headers={"X-Team": "blue-team"})
        ClaudeChat(config).chat(ASK)
        assert server.requests[0].headers["x-team"] == "blue-team"
        assert server.requests[0].headers["anthropic-version"]
    assert "blue-team" not in config.model_dump_json()


def test_a_gateway_that_reads_another_header_can_be_given_the_key_there() -> None:
    with FakeModelServer(lambda _: "ok", key="sk-right") as server:
        settings = {"base_url": server.url, "headers": {"Authorization": "", "X-Api-Key": "sk-right"}}
        assert ClaudeChat(ClaudeConfig.model_validate(settings)).chat(ASK).text == "ok"


def test_a_program_that_used_a_model_ends_quietly() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        program = (
            "from reflact import ChatRequest, Message\n"
            "from reflact_backend_anthropic import ClaudeConfig\n"
            "from reflact_backend_anthropic.model import ClaudeChat\n"
            f"model = ClaudeChat(ClaudeConfig(base_url='{server.url}'))\n"
            "assert model.chat(ChatRequest(messages=(Message(role='user', content='?'),))).text == 'ok'\n"
        )
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=120, check=False
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_knowing_the_backend_does_not_import_the_sdk() -> None:
    program = (
        "import sys\nfrom reflact import Plugins\n"
        "spec = Plugins().get('backends', 'claude_chat')\nspec.config()\nassert 'anthropic' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
