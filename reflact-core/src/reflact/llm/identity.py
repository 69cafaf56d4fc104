"""What makes two requests the same request: the key under which a reply is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from hashlib import sha256
from typing import Any

from reflact.types import ChatRequest, Image, Message, Text

NEVER_SENT = frozenset({"stage", "messages"})


def request_key(model: str, request: ChatRequest) -> str:
    """Return a digest of *request* to *model*, which names a model, its backend and its settings.

    All that a request holds is part of it, images and the repeat too, but for its stage, which nobody is sent.
    """
    rest = {field.name: getattr(request, field.name) for field in fields(request) if field.name not in NEVER_SENT}
    rest["tools"] = [[tool.name, tool.description, tool.parameters] for tool in request.tools]
    whole = [model, [_message(one) for one in request.messages], rest]
    return sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()


def model_key(backend: str, model: str, settings: Mapping[str, Any]) -> str:
    """Return the name of *model* with its *settings*, JSON-ready and without secrets, for `request_key`."""
    return json.dumps([backend, model, settings], sort_keys=True)


def _message(message: Message) -> list[Any]:
    calls = [[call.id, call.name, call.arguments] for call in message.tool_calls]
    return [message.role, _content(message.content), calls, message.tool_call_id]


def _content(content: str | tuple[Text | Image, ...]) -> Any:
    return content if isinstance(content, str) else [_part(part) for part in content]


def _part(part: Text | Image) -> list[str]:
    if isinstance(part, Text):
        return ["text", part.text]
    return ["image", sha256(part.data).hexdigest(), part.media_type, part.label, part.detail]
