from typing import Any

import pytest
from reflact.errors import ConfigError
from reflact.testing import ChatContract, ScriptedModel
from reflact.types import ChatReply, ChatRequest, Usage


class Mute(ChatContract):
    """A backend that is not registered, says nothing, and counts nothing."""

    name = "mute"

    def model(self, **more: Any) -> ScriptedModel:
        return ScriptedModel(lambda _: ChatReply(text="", usage=Usage()))


class Obedient(ChatContract):
    """A model that does what it is told, and can neither see nor search nor use tools, but does not say so."""

    name = "obedient"

    def model(self, **more: Any) -> ScriptedModel:
        def reply(request: ChatRequest) -> ChatReply:
            most = min(request.max_tokens or 100, more.get("max_tokens", 100))
            text = '{"city": "Lima"}' if request.schema else "a " * 20
            said = text if len(text.split()) <= most else "a " * most
            usage = Usage(
                calls=1, prompt=sum(len(one.text.split()) for one in request.messages), completion=len(said.split())
            )
            return ChatReply(text=said, usage=usage, finish="stop" if said == text else "length")

        return ScriptedModel(reply)


SUITE = [name for name in dir(ChatContract) if name.startswith("test_")]
UNREGISTERED = {name for name in SUITE if "registered" in name or "unknown_key" in name}
UNABLE = {name for name in SUITE if "tools" in name or "image" in name or "search" in name}


@pytest.mark.parametrize("name", SUITE)
def test_a_model_that_says_nothing_passes_no_test(name: str) -> None:
    with pytest.raises((AssertionError, ValueError, ConfigError)):
        getattr(Mute(), name)()


@pytest.mark.parametrize("name", sorted(set(SUITE) - UNREGISTERED - UNABLE))
def test_a_model_that_does_as_it_is_told_passes(name: str) -> None:
    getattr(Obedient(), name)()


@pytest.mark.parametrize("name", sorted(UNABLE))
def test_a_model_that_passes_over_what_it_cannot_do_fails(name: str) -> None:
    with pytest.raises(AssertionError):
        getattr(Obedient(), name)()
