"""From a request to the body of a Messages call. Pure functions."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal

from reflact import ChatRequest, Image, Message, Text, Tool, ToolCall
from reflact.llm.http import roomier
from reflact.types import Hosted

from reflact_backend_anthropic.config import ClaudeConfig
from reflact_backend_anthropic.dialect import CACHING, EFFORT, FORMAT, Dialect
from reflact_backend_anthropic.schema import enforceable

EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})
HOSTED: Mapping[Hosted, Mapping[str, str]] = {"web_search": {"type": "web_search_20250305", "name": "web_search"}}
"""The tools that the server runs itself, as it knows them."""
_THINKING: Mapping[str, Mapping[str, str]] = {"on": {"type": "adaptive"}, "off": {"type": "disabled"}}


def payload(request: ChatRequest, config: ClaudeConfig, dialect: Dialect) -> dict[str, Any]:
    """Return the body that asks *request*, in words the server takes; nothing is sent that is not set.

    A request's `temperature` is not sent: the API has none.
    """
    wanted = config.max_tokens if request.max_tokens is None else min(config.max_tokens, request.max_tokens)
    wanted = roomier(wanted, config.max_tokens) if dialect.roomy else wanted
    body: dict[str, Any] = {"model": config.model, "max_tokens": dialect.limit(wanted)}
    if system := _system(request.messages, cached=config.prompt_caching and dialect.takes(CACHING)):
        body["system"] = system
    body["messages"] = list(_turns(one for one in request.messages if one.role != "system"))
    if request.tools or request.hosted_tools:
        body["tools"] = [*map(_tool, request.tools), *(dict(HOSTED[one]) for one in request.hosted_tools)]
        if request.tool_choice != "auto":
            body["tool_choice"] = {"type": request.tool_choice}
    if output := dict(_output(request, config, dialect)):
        body["output_config"] = output
    if config.thinking != "server_default":
        body["thinking"] = dict(_THINKING[config.thinking])
    return body | config.extra_body


def resumed(body: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body that lets the server go on with what it has *said* to *body* before it paused."""
    return {**body, "messages": [*body["messages"], {"role": "assistant", "content": said["content"]}]}


def _output(request: ChatRequest, config: ClaudeConfig, dialect: Dialect) -> Iterator[tuple[str, Any]]:
    effort = request.effort or config.effort
    if effort in EFFORTS and dialect.takes(EFFORT):
        yield "effort", effort
    if request.schema is not None and dialect.takes(FORMAT):
        schema = enforceable(request.schema)
        if schema is not None:
            yield "format", {"type": "json_schema", "schema": schema}


def _system(messages: Sequence[Message], *, cached: bool) -> list[dict[str, Any]]:
    blocks = [block for one in messages if one.role == "system" for block in _text(one.text)]
    if blocks and cached:
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
    return blocks


def _turns(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Yield the conversation in turns. Messages in a row from one side are one turn, as tool results have to be."""
    for role, said in groupby(messages, key=_side):
        if content := [block for one in said for block in _blocks(one)]:
            yield {"role": role, "content": content}


def _side(message: Message) -> Literal["user", "assistant"]:
    return "assistant" if message.role == "assistant" else "user"


def _blocks(message: Message) -> Iterator[dict[str, Any]]:
    content = list(_parts(message.content))
    if message.role != "tool":
        yield from content
        yield from map(_tool_use, message.tool_calls)
        return
    result = {"type": "tool_result", "tool_use_id": message.tool_call_id}
    yield {**result, "content": content} if content else result


def _parts(content: str | tuple[Text | Image, ...]) -> Iterator[dict[str, Any]]:
    for part in (Text(content),) if isinstance(content, str) else content:
        if isinstance(part, Text):
            yield from _text(part.text)
            continue
        if part.label:
            yield from _text(f"[{part.label}]")
        data = b64encode(part.data).decode("ascii")
        yield {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": data}}


def _text(text: str) -> list[dict[str, Any]]:
    """Return *text* as a block; none when it is blank, since the API refuses those."""
    return [{"type": "text", "text": text}] if text.strip() else []


def _tool(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}


def _tool_use(call: ToolCall) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": _object(call.arguments)}


def _object(arguments: str) -> dict[str, Any]:
    """Return what *arguments* say; the API wants an object, so that anything else goes under a name of its own."""
    try:
        said = json.loads(arguments or "{}")
    except ValueError:
        said = arguments
    return said if isinstance(said, dict) else {"arguments": said}
