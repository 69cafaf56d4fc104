"""Output of any length in a bounded memory: its beginning and its end."""

from __future__ import annotations


class Capture:
    """Keeps the first and the last `limit // 2` bytes of what is added."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, chunk: bytes) -> None:
        """Take *chunk*."""
        room = self._half - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:] if room > 0 else chunk
        if len(self._tail) > 2 * self._half:
            self._cut()

    @property
    def value(self) -> bytes:
        """What was kept; what is missing in the middle is told on a line of its own."""
        self._cut()
        if not self._dropped:
            return bytes(self._head + self._tail)
        return bytes(self._head) + f"\n[{self._dropped} bytes left out]\n".encode() + bytes(self._tail)

    def _cut(self) -> None:
        extra = len(self._tail) - self._half
        if extra > 0:
            self._dropped += extra
            del self._tail[:extra]
