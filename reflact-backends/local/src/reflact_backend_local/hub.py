"""Fetch weights as one file over HTTPS from the repository of those who made them."""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from urllib.request import Request, urlopen

from reflact.errors import BackendError

from reflact_backend_local.catalog import Weights
from reflact_backend_local.progress import Progress, blocks

TIMEOUT_S = 8.0
"""Seconds without a connection, or without a byte, after which the hub counts as out of reach."""


def download(weights: Weights, folder: Path, progress: Progress) -> Path:
    """Download *weights* into *folder* and return the file, not yet verified.

    A part that an earlier attempt left there is continued. Raises `BackendError` when the file cannot be had whole.
    """
    part = folder / "hub.part"
    have = part.stat().st_size if part.exists() else 0
    if have < weights.size:
        try:
            _receive(weights, part, have, progress)
        except (OSError, HTTPException) as error:
            raise BackendError(f"{_host(weights)}: {error}") from error
    if part.stat().st_size != weights.size:
        size = part.stat().st_size
        if size > weights.size:
            part.unlink()
        raise BackendError(f"{_host(weights)}: got {size} of {weights.size} bytes")
    return part


def _receive(weights: Weights, part: Path, have: int, progress: Progress) -> None:
    headers = {"User-Agent": "reflact-backend-local", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with urlopen(Request(weights.url, headers=headers), timeout=TIMEOUT_S) as reply:
        continued = reply.status == 206
        done = have if continued else 0
        with part.open("ab" if continued else "wb") as file:
            for block in blocks(reply):
                file.write(block)
                done += len(block)
                progress("download", done, weights.size)


def _host(weights: Weights) -> str:
    return weights.url.split("/", 3)[2]
