"""The chat model: ChatRequest -> ChatReply through the shared server."""

from __future__ import annotations

from typing import Any, Final

from reflact.errors import BackendError
from reflact.types import ChatReply, ChatRequest, Finish, Image, Message, Usage

from reflact_backend_local.config import LocalConfig
from reflact_backend_local.schema import decodable
from reflact_backend_local.server import LocalServer

FINISH: Final[dict[str, Finish]] = {"stop": "stop", "length": "length"}


class LocalChat:
    """A text model in this process. Blocking and thread-safe: calls from many threads are computed side by side."""

    def __init__(self, config: LocalConfig, server: LocalServer) -> None:
        self._config = config
        self._server = server

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the model's reply. Raises `BackendError` (`bad_request`, `context`, `timeout`, `protocol`)."""
        done = self._server.complete(body(request, self._config), timeout_s=self._config.timeout_s)
        return ChatReply(
            text=done.text,
            usage=Usage(calls=1, prompt=done.prompt, cached=done.cached, completion=done.completion),
            finish=FINISH.get(done.finish, "stop"),
            model=self._config.model,
        )


def body(request: ChatRequest, config: LocalConfig) -> dict[str, Any]:
    """Return the chat completion request for *request*. Raises `BackendError` (`bad_request`) for images and tools."""
    if request.tools:
        raise _cannot("call tools")
    if request.hosted_tools:
        raise _cannot("search the web")
    asked = config.max_tokens if request.max_tokens is None else request.max_tokens
    temperature = config.temperature if request.temperature is None else request.temperature
    wanted: dict[str, Any] = {
        "messages": [_message(message) for message in request.messages],
        "max_tokens": min(asked, config.max_tokens),
        "temperature": temperature,
        "seed": config.seed + request.repeat,
        "cache_prompt": True,
    }
    if request.schema is not None:
        wanted["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": request.schema_name, "schema": decodable(request.schema)},
        }
    return wanted


def _message(message: Message) -> dict[str, str]:
    if message.tool_calls or message.role == "tool":
        raise _cannot("call tools")
    if not isinstance(message.content, str) and any(isinstance(part, Image) for part in message.content):
        raise _cannot("see images")
    return {"role": message.role, "content": message.text}


def _cannot(what: str) -> BackendError:
    return BackendError(f"the embedded model cannot {what}; use another backend.", fault="bad_request")
