"""Which protocol a path belongs to: plain paths, with or without `/v1`, and those of Azure OpenAI."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from reflact.testing.server import chat_completions, messages, responses
from reflact.testing.server.protocol import WireProtocol

PROTOCOLS: tuple[WireProtocol, ...] = (chat_completions, messages, responses)
_DEPLOYMENT = re.compile(r"^/openai/deployments/(?P<name>[^/]+)(?P<rest>/.+)$")


class Route(NamedTuple):
    """Where a target leads: the path without its prefix, the deployment that Azure names in it, and what is amiss."""

    path: str
    deployment: str = ""
    amiss: str = ""


def route(target: str) -> Route:
    """Return where *target*, path and query of a request, leads. Azure's own paths need an `api-version`."""
    parts = urlsplit(target)
    path = parts.path.rstrip("/")
    if not path.startswith("/openai/"):
        return Route(path.removeprefix("/v1"))
    if path.startswith("/openai/v1/"):
        return Route(path.removeprefix("/openai/v1"))
    amiss = "" if parse_qs(parts.query).get("api-version") else "Resource not found: no api-version"
    if found := _DEPLOYMENT.match(path):
        return Route(found["rest"], unquote(found["name"]), amiss)
    return Route(path.removeprefix("/openai"), "", amiss)


def protocol_of(path: str) -> WireProtocol | None:
    """Return the protocol that *path* is the call of."""
    return next((one for one in PROTOCOLS if path == one.PATH), None)
