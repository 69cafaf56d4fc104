"""Chat Completions on the wire: a request to its body, and a body to its reply. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflact import ChatReply, ChatRequest, Image, Message, Text, Tool, ToolCall, Usage
from reflact.llm.http import count, dollars
from reflact.types import Finish

from reflact_backend_openai.common import data_url, most_tokens, spoken, with_extras
from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.dialect import Dialect
from reflact_backend_openai.schema import is_strict

_FINISH: Mapping[str, Finish] = {
    "length": "length",
    "content_filter": "refused",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}


def payload(request: ChatRequest, config: OpenAIConfig, dialect: Dialect) -> dict[str, Any]:
    """Return the body that asks *request*, in words the server takes; nothing is sent that is not set."""
    temperature = config.temperature if request.temperature is None else request.temperature
    effort = request.effort or config.effort
    body: dict[str, Any] = {"model": config.model, "messages": [_message(one) for one in request.messages]}
    body |= dialect.limit(most_tokens(request, config, dialect))
    if temperature is not None and dialect.takes("temperature"):
        body["temperature"] = temperature
    if effort and dialect.takes("reasoning_effort"):
        body["reasoning_effort"] = effort
    if request.tools:
        body["tools"] = [_tool(one) for one in request.tools]
        if request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
    if request.schema is not None and (form := _response_format(request.schema_name, request.schema, dialect)):
        body["response_format"] = form
    return with_extras(body, config)


def reply(body: Mapping[str, Any], *, model: str) -> ChatReply:
    """Return the reply in *body*. Raises `LookupError`, `TypeError` or `AttributeError` when it holds none."""
    choice = body["choices"][0]
    message = choice["message"]
    calls = tuple(_tool_call(place, call) for place, call in enumerate(message.get("tool_calls") or ()))
    refusal = message.get("refusal") or ""
    finish: Finish = "tool_calls" if calls else "stop"
    return ChatReply(
        text=spoken(_joined(message.get("content"))) or refusal,
        tool_calls=calls,
        usage=usage(body.get("usage") or {}),
        usd=dollars((body.get("usage") or {}).get("cost")),
        finish="refused" if refusal else _FINISH.get(choice.get("finish_reason") or "", finish),
        model=str(body.get("model") or model),
    )


def usage(counts: Mapping[str, Any]) -> Usage:
    """Return the usage of one call; what is missing or no count is zero."""
    prompt = counts.get("prompt_tokens_details") or {}
    completion = counts.get("completion_tokens_details") or {}
    return Usage(
        calls=1,
        prompt=count(counts.get("prompt_tokens")),
        cached=count(prompt.get("cached_tokens")) or count(counts.get("prompt_cache_hit_tokens")),
        completion=count(counts.get("completion_tokens")),
        reasoning=count(completion.get("reasoning_tokens")),
    )


def _response_format(name: str, schema: Mapping[str, Any], dialect: Dialect) -> dict[str, Any] | None:
    kind = dialect.format("response_format")
    if kind == "json_schema":
        return {"type": kind, "json_schema": {"name": name, "strict": is_strict(schema), "schema": schema}}
    return {"type": kind} if kind else None


def _message(message: Message) -> dict[str, Any]:
    content = message.content if isinstance(message.content, str) else list(_parts(message.content))
    sent: dict[str, Any] = {"role": message.role, "content": content}
    if message.tool_calls:
        functions = [(call.id, {"name": call.name, "arguments": call.arguments}) for call in message.tool_calls]
        sent["tool_calls"] = [{"id": id_, "type": "function", "function": function} for id_, function in functions]
    if message.tool_call_id:
        sent["tool_call_id"] = message.tool_call_id
    return sent


def _parts(parts: Sequence[Text | Image]) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, Text):
            yield {"type": "text", "text": part.text}
            continue
        if part.label:
            yield {"type": "text", "text": f"[{part.label}]"}
        yield {
            "type": "image_url",
            "image_url": {"url": data_url(part), **({"detail": part.detail} if part.detail else {})},
        }


def _tool(tool: Tool) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": described}


def _tool_call(place: int, call: Mapping[str, Any]) -> ToolCall:
    arguments = call["function"].get("arguments") or "{}"
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(id=str(call.get("id") or f"call_{place}"), name=call["function"]["name"], arguments=text)


def _joined(content: Any) -> str:
    if isinstance(content, list):
        return "".join(
            str(part.get("text") or "") for part in content if isinstance(part, dict) and part.get("type") == "text"
        )
    return str(content or "")
