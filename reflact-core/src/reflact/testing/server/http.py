"""A small HTTP/1.1 server side over asyncio streams: keep-alive, bodies by length or in chunks, planned breakage."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import responses

MAX_HEAD_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """A request; header names are in lower case, `target` is path and query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """A response. Several `parts` are sent as a chunked stream; with `cut` only half of it is sent, or nothing."""

    status: int = 200
    parts: tuple[bytes, ...] = ()
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    stream: bool = False


App = Callable[[HttpRequest], Awaitable[HttpResponse]]


async def serve_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, app: App) -> None:
    """Answer the requests of one connection with *app*, one after the other, until either side closes it."""
    with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        while True:
            request = await read_request(reader)
            response = await app(request)
            writer.write(encode(response))
            await writer.drain()
            if response.cut or request.headers.get("connection", "").lower() == "close":
                break
    writer.close()


async def read_request(reader: asyncio.StreamReader) -> HttpRequest:
    """Return the next request. Raises `asyncio.IncompleteReadError` when the client has gone."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    fields = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in fields}
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = await _read_chunks(reader)
    else:
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    return HttpRequest(method=method, target=target, headers=headers, body=body)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int((await reader.readline()).partition(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    while (await reader.readline()).strip():
        pass
    return b"".join(parts)


def encode(response: HttpResponse) -> bytes:
    """Return *response* as the bytes that go on the wire."""
    if response.cut and not response.parts:
        return b""
    body = b"".join(response.parts)
    how = {"transfer-encoding": "chunked"} if response.stream else {"content-length": str(len(body))}
    fields = {"content-type": response.media_type, **how, **response.headers}
    phrase = responses.get(response.status, "Unknown")
    head = f"HTTP/1.1 {response.status} {phrase}\r\n" + "".join(f"{name}: {text}\r\n" for name, text in fields.items())
    if response.stream:
        kept = response.parts[: len(response.parts) // 2] if response.cut else response.parts
        body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in kept) + (b"" if response.cut else b"0\r\n\r\n")
    elif response.cut:
        body = body[: len(body) // 2]
    return head.encode("latin-1") + b"\r\n" + body
