"""What both APIs say in the same words. Pure functions."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from reflact import ChatRequest, Image
from reflact.llm.http import roomier

from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.dialect import Dialect


def most_tokens(request: ChatRequest, config: OpenAIConfig, dialect: Dialect) -> int | None:
    """Return the most tokens a reply to *request* may have; `None` leaves it to the server."""
    asked = min((one for one in (config.max_tokens, request.max_tokens) if one is not None), default=None)
    return roomier(asked, config.max_tokens) if asked is not None and dialect.roomy else asked


def with_extras(body: dict[str, Any], config: OpenAIConfig) -> dict[str, Any]:
    """Return *body* with what the settings add to every call."""
    body = body | config.extra_body
    if config.thinking != "server_default":
        template = {**body.get("chat_template_kwargs", {}), "enable_thinking": config.thinking == "on"}
        body["chat_template_kwargs"] = template
    return body


def data_url(image: Image) -> str:
    """Return *image* as a URL that holds it."""
    return f"data:{image.media_type};base64,{b64encode(image.data).decode('ascii')}"


def spoken(text: str) -> str:
    """Return *text* without the thoughts it opens with, also where the start, or the end, of a block is missing."""
    head, end, rest = text.partition("</think>")
    if end and "<think>" not in head:
        return spoken(rest.lstrip())
    while (stripped := text.lstrip()).startswith("<think>"):
        text = stripped.partition("</think>")[2].lstrip()
    return text
