"""The clients that are compared: ours, and the makers' SDKs used the usual way, from threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reflact import ChatRequest, Message

SYSTEM = "You answer with the name of a desk and nothing else. " * 20
USER = "A parcel of 8 kg to Ghent. Which desk? " * 10
ASK = ChatRequest(messages=(Message(role="system", content=SYSTEM), Message(role="user", content=USER)))
Call = Callable[[], str]


def openai_chat(url: str) -> Call:
    """Return a call of our backend for OpenAI."""
    from reflact_backend_openai import OpenAIChat, OpenAIConfig

    model = OpenAIChat(OpenAIConfig(base_url=f"{url}/v1", api_key="k", model="m"))
    return lambda: model.chat(ASK).text


def responses(url: str) -> Call:
    """Return a call of our backend for OpenAI, by the Responses API."""
    from reflact_backend_openai import OpenAIChat, OpenAIConfig

    model = OpenAIChat(OpenAIConfig(base_url=f"{url}/v1", api_key="k", model="m", api="responses"))
    return lambda: model.chat(ASK).text


def claude_chat(url: str) -> Call:
    """Return a call of our backend for Claude."""
    from reflact_backend_anthropic import ClaudeConfig
    from reflact_backend_anthropic.model import ClaudeChat

    model = ClaudeChat(ClaudeConfig(base_url=url, api_key="k", model="m"))
    return lambda: model.chat(ASK).text


def openai_sdk(url: str) -> Call:
    """Return a call of the `openai` package's blocking client."""
    from openai import OpenAI

    client = OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)

    def call() -> str:
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]
        return client.chat.completions.create(model="m", messages=messages).choices[0].message.content

    return call


def anthropic_sdk(url: str) -> Call:
    """Return a call of the `anthropic` package's blocking client."""
    from anthropic import Anthropic

    client = Anthropic(base_url=url, api_key="k", max_retries=0)

    def call() -> str:
        said = [{"role": "user", "content": USER}]
        return client.messages.create(model="m", max_tokens=999, system=SYSTEM, messages=said).content[0].text

    return call


CLIENTS: Mapping[str, Callable[[str], Call]] = {
    "openai_chat": openai_chat,
    "openai_chat, Responses": responses,
    "claude_chat": claude_chat,
    "openai SDK, threads": openai_sdk,
    "anthropic SDK, threads": anthropic_sdk,
}
