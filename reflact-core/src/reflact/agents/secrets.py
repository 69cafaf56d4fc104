"""Taking keys out of everything that is kept of a job: texts, JSON data, and the files an agent wrote."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, TypeVar

from reflact.llm.complaints import redactor

T = TypeVar("T")
MASK = "***"
SHORTEST = 6
"""Characters a secret has at least; anything shorter would mask ordinary words."""
LONG = 16
"""Characters from which on any text in a login file is taken for a secret."""


class Secrets:
    """The secrets a job was given. It can hide them, and does not show them itself."""

    def __init__(self, secrets: Iterable[str]) -> None:
        plain = {one for one in secrets if len(one) >= SHORTEST}
        escaped = {json.dumps(one)[1:-1] for one in plain}
        self._known = sorted(plain | escaped, key=len, reverse=True)
        self.in_error = redactor(self._known)
        """Masks also what only looks like a key: for messages of others, never for a student's answer."""

    def __repr__(self) -> str:
        return f"Secrets({len(self._known)})"

    def masked(self, value: T) -> T:
        """Return *value*, a text or JSON data, without the secrets."""
        return _deep(value, self._known)  # type: ignore[no-any-return]

    def masked_lines(self, lines: bytes) -> str:
        """Return JSON lines without the secrets; what is no JSON is masked as text."""
        return "".join(f"{self.masked(line)}\n" for line in lines.decode("utf-8", "replace").splitlines() if line)

    def scrub(self, folder: Path) -> None:
        """Mask the secrets in every file below *folder*; links are not followed."""
        known = [one.encode() for one in self._known]
        for file in _files(folder) if known else ():
            if _contains(file, known):
                content = file.read_bytes()
                for secret in known:
                    content = content.replace(secret, MASK.encode())
                file.write_bytes(content)


def long_texts(data: Any) -> Iterator[str]:
    """Yield the texts of JSON *data* that may be secrets, as in a login file."""
    if isinstance(data, str):
        if len(data) >= LONG:
            yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from long_texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from long_texts(value)


def _deep(value: Any, known: list[str]) -> Any:
    if isinstance(value, str):
        for secret in known:
            value = value.replace(secret, MASK)
        return value
    if isinstance(value, dict):
        return {_deep(key, known): _deep(one, known) for key, one in value.items()}
    if isinstance(value, list):
        return [_deep(one, known) for one in value]
    if isinstance(value, tuple):
        return tuple(_deep(one, known) for one in value)
    return value


def _contains(file: Path, secrets: list[bytes]) -> bool:
    """Return whether one of *secrets* is in *file*, however large; a file its agent locked is opened up."""
    mode = file.stat().st_mode
    if mode & 0o600 != 0o600:
        file.chmod(mode | 0o600)
    with file.open("rb") as opened:
        if not file.stat().st_size:
            return False
        with mmap(opened.fileno(), 0, access=ACCESS_READ) as content:
            return any(content.find(secret) >= 0 for secret in secrets)


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.is_file() and not file.is_symlink())
