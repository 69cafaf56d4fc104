"""The Responses API on the wire: a request to its body, and a body to its reply. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reflact import ChatReply, ChatRequest, Image, Message, Text, Tool, ToolCall, Usage
from reflact.llm.http import count, dollars
from reflact.types import Finish

from reflact_backend_openai.common import data_url, most_tokens, spoken, with_extras
from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.dialect import Dialect
from reflact_backend_openai.schema import is_strict

_CUT: Mapping[str, Finish] = {"content_filter": "refused"}


def payload(request: ChatRequest, config: OpenAIConfig, dialect: Dialect) -> dict[str, Any]:
    """Return the body that asks *request*, in words the server takes; the server is told to keep nothing of it."""
    temperature = config.temperature if request.temperature is None else request.temperature
    effort = request.effort or config.effort
    body: dict[str, Any] = {"model": config.model}
    if system := "\n\n".join(one.text for one in request.messages if one.role == "system"):
        body["instructions"] = system
    body["input"] = [item for one in request.messages if one.role != "system" for item in _items(one)]
    body |= dialect.limit(most_tokens(request, config, dialect))
    if temperature is not None and dialect.takes("temperature"):
        body["temperature"] = temperature
    if effort and dialect.takes("reasoning"):
        body["reasoning"] = {"effort": effort}
    if request.tools or request.hosted_tools:
        body["tools"] = [*map(_tool, request.tools), *({"type": dialect.hosted(one)} for one in request.hosted_tools)]
        if request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
    if request.schema is not None and (form := _format(request.schema_name, request.schema, dialect)):
        body["text"] = {"format": form}
    if dialect.takes("store"):
        body["store"] = False
    return with_extras(body, config)


def reply(body: Mapping[str, Any], *, model: str) -> ChatReply:
    """Return the reply in *body*. Raises `LookupError`, `TypeError` or `AttributeError` when it holds none."""
    items = [(str(item["type"]), item) for item in body["output"]]
    parts = [part for kind, item in items if kind == "message" for part in item["content"]]
    text = "".join(str(part.get("text") or "") for part in parts if part["type"] == "output_text")
    refusal = "".join(str(part.get("refusal") or "") for part in parts if part["type"] == "refusal")
    calls = tuple(_call(item) for kind, item in items if kind == "function_call")
    finish: Finish = "tool_calls" if calls else "stop"
    if body.get("status") == "incomplete":
        finish = _CUT.get((body.get("incomplete_details") or {}).get("reason") or "", "length")
    used = body.get("usage") or {}
    return ChatReply(
        text=spoken(text) or refusal,
        tool_calls=calls,
        usage=usage(used),
        usd=dollars(used.get("cost")),
        finish="refused" if refusal else finish,
        model=str(body.get("model") or model),
        searches=tuple(query for kind, item in items if kind == "web_search_call" for query in _queries(item)),
        sources=tuple(dict.fromkeys(url for part in parts for url in _cited(part))),
    )


def usage(counts: Mapping[str, Any]) -> Usage:
    """Return the usage of one call; what is missing or no count is zero."""
    return Usage(
        calls=1,
        prompt=count(counts.get("input_tokens")),
        cached=count((counts.get("input_tokens_details") or {}).get("cached_tokens")),
        completion=count(counts.get("output_tokens")),
        reasoning=count((counts.get("output_tokens_details") or {}).get("reasoning_tokens")),
    )


def _format(name: str, schema: Mapping[str, Any], dialect: Dialect) -> dict[str, Any] | None:
    kind = dialect.format("text")
    if kind == "json_schema":
        return {"type": kind, "name": name, "strict": is_strict(schema), "schema": schema}
    return {"type": kind} if kind else None


def _items(message: Message) -> Iterator[dict[str, Any]]:
    """Yield what *message* is as items of the input: calls and their results stand beside the messages."""
    if message.role == "tool":
        output = message.content if isinstance(message.content, str) else list(_parts(message))
        yield {"type": "function_call_output", "call_id": message.tool_call_id, "output": output}
        return
    if message.role == "assistant":
        if message.text:
            yield {"role": "assistant", "content": message.text}
        for call in message.tool_calls:
            yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
        return
    yield {"role": "user", "content": list(_parts(message))}


def _parts(message: Message) -> Iterator[dict[str, Any]]:
    for part in (Text(message.content),) if isinstance(message.content, str) else message.content:
        if isinstance(part, Image):
            if part.label:
                yield {"type": "input_text", "text": f"[{part.label}]"}
            yield {"type": "input_image", "image_url": data_url(part), "detail": part.detail or "auto"}
        else:
            yield {"type": "input_text", "text": part.text}


def _tool(tool: Tool) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", **described, "strict": False}


def _queries(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the server searched for in *item*; it may have opened a page instead."""
    action = item.get("action") or {}
    queries = action.get("queries") or [action.get("query")]
    yield from (str(query) for query in queries if query and action.get("type") == "search")


def _cited(part: Mapping[str, Any]) -> Iterator[str]:
    notes = part.get("annotations") or ()
    yield from (str(note["url"]) for note in notes if note.get("type") == "url_citation" and note.get("url"))


def _call(item: Mapping[str, Any]) -> ToolCall:
    return ToolCall(id=str(item["call_id"]), name=str(item["name"]), arguments=str(item.get("arguments") or "{}"))
