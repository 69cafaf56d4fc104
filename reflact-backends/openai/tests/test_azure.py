import stat
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, ConfigError, Message
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_openai import OpenAIChat, OpenAIConfig
from reflact_backend_openai.azure_endpoint import guard
from reflact_backend_openai.client import connect
from reflact_backend_openai.sign_in import mode_of, token_source

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))
AZURE = "https://mine.openai.azure.com"
HERE = ("127.0.0.1",)
"""The host that tests allow a token to go to; no setting can."""


def azure(url: str, **settings: Any) -> OpenAIConfig:
    given = {f"azure_openai_{name}": value for name, value in settings.items()}
    return OpenAIConfig.model_validate({"model": "my gpt", "azure_openai_endpoint": url, **given})


@pytest.mark.parametrize(
    ("version", "api", "path"),
    [
        ("2025-04-01-preview", "chat", "/openai/deployments/my%20gpt/chat/completions?api-version=2025-04-01-preview"),
        ("2025-04-01-preview", "responses", "/openai/responses?api-version=2025-04-01-preview"),
        ("v1", "chat", "/openai/v1/chat/completions"),
        ("", "responses", "/openai/v1/responses"),
        ("preview", "chat", "/openai/v1/chat/completions?api-version=preview"),
    ],
)
@pytest.mark.parametrize("tail", ["", "/", "/openai", "/openai/v1/"])
def test_calls_go_where_the_version_has_them(version: str, api: str, path: str, tail: str) -> None:
    with FakeModelServer(lambda _: "ok", key="azure-key") as server:
        config = azure(f"{server.url}{tail}", api_version=version, api_key="azure-key")
        assert OpenAIChat(config.model_copy(update={"api": api})).chat(ASK).text == "ok"
        sent = server.requests[0]
    assert (sent.path, sent.model, sent.headers["api-key"]) == (path, "my gpt", "azure-key")
    assert "authorization" not in sent.headers


ENVIRONMENT = {
    "AZURE_OPENAI_ENDPOINT": AZURE,
    "AZURE_OPENAI_API_KEY": "from-env",
    "AZURE_OPENAI_API_VERSION": "2025-04-01-preview",
}


def test_the_environment_alone_is_enough() -> None:
    endpoint = connect(OpenAIConfig(model="m"), environ=ENVIRONMENT)
    assert endpoint.url("chat", "m").startswith(f"{AZURE}/openai/deployments/m/chat/completions?api-version=2025")
    assert endpoint.credentials()["api-key"] == "from-env"


def test_what_is_configured_comes_before_the_environment() -> None:
    config = azure("https://other.openai.azure.com", api_version="v1", api_key="configured")
    endpoint = connect(config, environ=ENVIRONMENT)
    assert endpoint.url("chat", "m") == "https://other.openai.azure.com/openai/v1/chat/completions"
    assert endpoint.credentials()["api-key"] == "configured"


@pytest.mark.parametrize(
    ("settings", "environ", "host"),
    [
        ({}, {}, "api.openai.com"),
        ({}, ENVIRONMENT, "mine.openai.azure.com"),
        ({"base_url": "https://gateway.example/v1"}, ENVIRONMENT, "gateway.example"),
        ({}, {**ENVIRONMENT, "OPENAI_BASE_URL": "https://gateway.example/v1"}, "gateway.example"),
        (
            {"azure_openai_endpoint": "https://other.openai.azure.com"},
            {**ENVIRONMENT, "OPENAI_BASE_URL": "https://gateway.example/v1"},
            "other.openai.azure.com",
        ),
        ({"base_url": "https://a.example/v1", "azure_openai_endpoint": AZURE}, ENVIRONMENT, "a.example"),
    ],
)
def test_the_nearer_address_wins(settings: dict[str, str], environ: dict[str, str], host: str) -> None:
    endpoint = connect(OpenAIConfig(**settings), environ={"OPENAI_API_KEY": "sk-x", **environ})
    assert endpoint.base.split("/")[2] == host


@pytest.mark.parametrize(
    "url", ["http://mine.openai.azure.com", "https://mine.example.com", "https://xopenai.azure.com"]
)
def test_no_token_goes_to_a_foreign_host_or_in_the_clear(url: str) -> None:
    asked: list[str] = []
    with pytest.raises(ConfigError, match="no token of Azure goes to"):
        connect(azure(url, auth_mode="azure_cli"), environ={}, token=lambda: asked.append("asked") or "t")
    assert not asked


def test_a_machine_that_only_looks_like_this_one_gets_no_token_either() -> None:
    with pytest.raises(ConfigError, match="it is not https"):
        connect(azure("http://127.0.0.1:9", auth_mode="managed_identity"), environ={})


@pytest.mark.parametrize("host", ["a.openai.azure.com", "a.cognitiveservices.azure.com", "a.services.ai.azure.com"])
def test_azures_own_hosts_get_one(host: str) -> None:
    endpoint = connect(azure(f"https://{host}", auth_mode="azure_cli"), environ={}, token=lambda: "fresh")
    assert endpoint.credentials()["authorization"] == "Bearer fresh"
    assert "api-key" not in endpoint.credentials()


def test_every_call_carries_the_token_of_its_time() -> None:
    numbers = count()
    with FakeModelServer(lambda _: "ok") as server:
        config = azure(server.url, auth_mode="managed_identity")
        endpoint = connect(config, environ={}, token=lambda: f"token-{next(numbers)}", token_hosts=HERE)
        model = OpenAIChat(config, endpoint=endpoint)
        for _ in range(3):
            model.chat(ASK)
        sent = [one.headers["authorization"] for one in server.requests]
    assert sent == ["Bearer token-0", "Bearer token-1", "Bearer token-2"]


def test_a_token_that_is_refused_says_how_to_go_on() -> None:
    with FakeModelServer(lambda _: FakeReply(status=401, message="Token t-1 has expired")) as server:
        config = azure(server.url, auth_mode="azure_cli")
        endpoint = connect(config, environ={}, token=lambda: "t", token_hosts=HERE)
        with pytest.raises(BackendError, match=r"Sign in again .* then resume") as caught:
            OpenAIChat(config, endpoint=endpoint).chat(ASK)
    assert caught.value.fault == "auth"


@pytest.mark.parametrize(
    ("named", "has_key", "mode"),
    [
        ("", True, "api_key"),
        ("key", True, "api_key"),
        ("AAD", False, "managed_identity"),
        ("azure_ad", False, "managed_identity"),
        ("azure_cli", True, "azure_cli"),
        ("default", False, "default"),
        ("compat", False, "openai_compatible"),
    ],
)
def test_ways_to_sign_in_have_more_than_one_name(named: str, has_key: bool, mode: str) -> None:
    assert mode_of(named, has_key=has_key) == mode


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, r"set AZURE_OPENAI_API_KEY, or say how to sign in"),
        ({"AZURE_OPENAI_AUTH_MODE": "api_key"}, r"needs a key: set AZURE_OPENAI_API_KEY"),
        ({"AZURE_OPENAI_AUTH_MODE": "manged_identity"}, r"Did you mean 'managed_identity'\?"),
    ],
)
def test_a_way_in_that_cannot_work_is_an_error_before_any_call(environ: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        connect(azure(AZURE), environ=environ)


def test_a_compatible_server_behind_an_azure_endpoint_is_asked_plainly() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        OpenAIChat(azure(f"{server.url}/v1", auth_mode="openai_compatible", api_key="k")).chat(ASK)
        sent = server.requests[0]
    assert (sent.path, sent.headers["authorization"]) == ("/v1/chat/completions", "Bearer k")


def fake_az(folder: Path, script: str) -> Mapping[str, str]:
    program = folder / "az"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


def test_a_lapsed_sign_in_says_sign_in_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("azure.identity")
    monkeypatch.setenv("PATH", fake_az(tmp_path, "echo 'ERROR: Please run az login' >&2; exit 1")["PATH"])
    with pytest.raises(BackendError, match=r"az login.*Sign in again .* then resume") as caught:
        token_source("azure_cli", scope="https://cognitiveservices.azure.com/.default", client_id="")()
    assert caught.value.fault == "auth"


def test_a_token_of_the_command_line_is_renewed_when_it_runs_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("azure.identity")
    counter = tmp_path / "count"
    answer = '{"accessToken": "token-%s", "expiresOn": "2020-01-01 00:00:00.000000", "expires_on": %s}'
    script = f"echo x >> {counter}; printf '{answer}' $(wc -l < {counter}) $(($(date +%s) + 60))"
    monkeypatch.setenv("PATH", fake_az(tmp_path, script)["PATH"])
    ask = token_source("azure_cli", scope="https://cognitiveservices.azure.com/.default", client_id="")
    assert [ask(), ask()] == ["token-1", "token-2"]


@pytest.fixture
def identity_endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """An App Service's identity endpoint on this machine; the paths it was asked for."""
    asked: list[str] = []

    class Endpoint(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = b'{"access_token": "of-the-machine", "expires_on": "4000000000", "resource": "r"}'
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        monkeypatch.setenv("IDENTITY_ENDPOINT", f"http://127.0.0.1:{server.server_port}/token")
        monkeypatch.setenv("IDENTITY_HEADER", "x")
        yield asked
        server.shutdown()
        thread.join()


def test_a_managed_identity_is_asked_for_by_its_client_id(identity_endpoint: list[str]) -> None:
    pytest.importorskip("azure.identity")
    scope = "https://cognitiveservices.azure.com/.default"
    ask = token_source("managed_identity", scope=scope, client_id="client-7")
    assert [ask(), ask()] == ["of-the-machine"] * 2
    assert len(identity_endpoint) == 1
    assert "client_id=client-7" in identity_endpoint[0]


def test_a_guarded_name_must_be_whole() -> None:
    guard("http://127.0.0.1:8000", HERE)
    with pytest.raises(ConfigError):
        guard("http://127.0.0.1.example.com", HERE)
