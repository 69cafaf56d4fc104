"""How a role is reached, by the word of its backend or by the usual settings."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import SecretStr
from reflact.config import Config, Role
from reflact.config.access import access
from reflact.contracts import Access, BackendSpec
from reflact.testing import ScriptedModel


class Usual(Config):
    """Settings of the usual names."""

    base_url: str = ""
    api_key: SecretStr | None = None
    api_key_env: str = "MY_KEY"


def role(settings: Config, **spec: Any) -> Role:
    """Return a teacher of *settings*, by a backend that says of itself what *spec* does."""
    backend = BackendSpec(
        name="mine", kind="chat", config=type(settings), build=lambda _: ScriptedModel(lambda _: "OK"), **spec
    )
    return Role(name="teacher", backend="mine", spec=backend, settings=settings)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Usual(), Access(key="$MY_KEY")),
        (
            Usual(base_url="http://127.0.0.1:9"),
            Access(endpoint="http://127.0.0.1:9", endpoint_from="base_url", key="$MY_KEY"),
        ),
        (Usual(api_key=SecretStr("sk-mine")), Access(key="api_key")),
        (Usual(api_key=SecretStr(""), api_key_env=""), Access()),
        (Config(), Access()),
    ],
)
def test_the_usual_settings_count_for_a_backend_that_says_nothing(settings: Config, told: Access) -> None:
    assert access(role(settings)) == told


def test_a_backend_is_asked_as_it_is_built() -> None:
    def told(settings: Usual, said: str = "nothing") -> Access:
        return Access(endpoint=settings.base_url, key=said)

    settings = Usual(base_url="http://127.0.0.1:9")
    assert access(role(settings, access=told)).key == "nothing"
    assert access(role(settings, access=told, variables=lambda name, common: f"{name}'s own")).key == "teacher's own"
