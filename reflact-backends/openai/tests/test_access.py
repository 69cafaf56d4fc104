"""What is told of where calls go is where they do go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from reflact import ConfigError
from reflact.contracts import Access
from reflact_backend_openai import OpenAIConfig
from reflact_backend_openai.client import access, connect
from reflact_backend_openai.own import said_of

AZURE = {"AZURE_OPENAI_ENDPOINT": "https://all.openai.azure.com/", "AZURE_OPENAI_API_KEY": "sk-all"}
OPENAI = {"OPENAI_API_KEY": "sk-openai"}
TEACHER = {"TEACHER_AZURE_OPENAI_ENDPOINT": "https://t.openai.azure.com", "AZURE_OPENAI_TEACHER_API_KEY": "sk-t"}
CASES: list[tuple[dict[str, Any], Mapping[str, str], str, str]] = [
    ({}, OPENAI, "", "$OPENAI_API_KEY"),
    ({"api_key": "sk-given", "base_url": "http://me:pw@127.0.0.1:9/v1/?a=b"}, AZURE, "base_url", "api_key"),
    ({"api_key_env": "MINE"}, {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", **OPENAI}, "$OPENAI_BASE_URL", "$MINE"),
    ({}, AZURE, "$AZURE_OPENAI_ENDPOINT", "$AZURE_OPENAI_API_KEY"),
    ({}, {**AZURE, **TEACHER}, "$TEACHER_AZURE_OPENAI_ENDPOINT", "$AZURE_OPENAI_TEACHER_API_KEY"),
    ({"azure_openai_api_version": "2025-04-01-preview"}, AZURE, "$AZURE_OPENAI_ENDPOINT", "$AZURE_OPENAI_API_KEY"),
    ({"azure_openai_endpoint": "https://c.openai.azure.com"}, AZURE, "azure_openai_endpoint", "$AZURE_OPENAI_API_KEY"),
    ({"azure_openai_api_key": "sk-given"}, AZURE, "$AZURE_OPENAI_ENDPOINT", "azure_openai_api_key"),
    ({"azure_openai_auth_mode": "compat"}, AZURE, "$AZURE_OPENAI_ENDPOINT", "$AZURE_OPENAI_API_KEY"),
    ({}, {**AZURE, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "$OPENAI_BASE_URL", "$OPENAI_API_KEY"),
]


@pytest.mark.parametrize(("settings", "environ", "place", "key"), CASES)
def test_what_is_told_is_what_is_used(
    settings: dict[str, Any], environ: Mapping[str, str], place: str, key: str
) -> None:
    config, own = OpenAIConfig(**settings), said_of("teacher", frozenset(settings), environ)
    told, used = access(config, own, environ=environ), connect(config, own, environ=environ)
    assert told == Access(endpoint=used.base, endpoint_from=place, key=key)
    assert used.key == key
    assert "sk-" not in repr(told) and "pw" not in repr(told)


def test_a_sign_in_is_told_with_what_asks_for_it() -> None:
    environ = {**AZURE, "AZURE_OPENAI_AUTH_MODE": "aad"}
    assert access(OpenAIConfig(), environ=environ).key == "the managed identity ($AZURE_OPENAI_AUTH_MODE)"
    config = OpenAIConfig(azure_openai_auth_mode="azure_cli")
    assert access(config, environ=AZURE).key == "the sign-in of `az login` (azure_openai_auth_mode)"


def test_a_key_that_is_missing_hides_nothing_else() -> None:
    environ = {"AZURE_OPENAI_ENDPOINT": "https://all.openai.azure.com"}
    with pytest.raises(ConfigError, match="no key"):
        connect(OpenAIConfig(), environ=environ)
    assert access(OpenAIConfig(), environ=environ) == Access(
        endpoint="https://all.openai.azure.com/openai/v1",
        endpoint_from="$AZURE_OPENAI_ENDPOINT",
        key="$AZURE_OPENAI_API_KEY",
    )
