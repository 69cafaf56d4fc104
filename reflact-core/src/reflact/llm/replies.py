"""Replies kept from run to run in one SQLite file, so that a request answered before costs nothing."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.llm.replies_file import bytes_in_use, opened
from reflact.types import ChatReply, ToolCall, Usage

DAY_S = 86_400
HOUR_S = 3600
ROOM = 0.9
"""How full a file is, as a share of its bound, when enough replies have been removed."""
BATCH = 20
"""How many replies are removed at once: few, so that nobody waits long for the file."""
OLDEST = "delete from replies where key in (select key from uses order by at limit ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the cache holds of one model: how many replies, their characters, and when the newest came (Unix time)."""

    backend: str
    model: str
    replies: int
    characters: int
    newest: float


class Replies:
    """The cache. Thread-safe, and shared by processes; trouble with the file is warned of once and ends its use.

    When the file has more than *most* bytes in use (0: no bound), the least recently used replies are removed until it
    has a tenth less. A use is noted when the last one is an hour old: a hit is a read, as a rule.

    Raises `sqlite3.Error` or `OSError` when *file* cannot be opened, or is no cache.
    """

    def __init__(self, file: Path, *, most: int = 0, clock: Callable[[], float] = time.time) -> None:
        self.file = file
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._trimming = threading.Lock()
        self._db = opened(file)
        self._usable = True

    def get(self, key: str) -> ChatReply | None:
        """Return the reply under *key*, which costs nothing now; None when there is none."""
        rows = self._asked("select reply, uses.at from replies left join uses using (key) where key = ?", key)
        if not rows:
            return None
        text, used = rows[0]
        now = self._clock()
        if used is not None and used < now - HOUR_S:
            with suppress(sqlite3.Error):
                self._done("update uses set at = ? where key = ?", now, key)
        return _read(text)

    def put(self, key: str, reply: ChatReply, *, backend: str, model: str) -> None:
        """Keep *reply* under *key* if it is complete."""
        if reply.outcome == "ok":
            row = (key, backend, model, self._clock(), _text(reply))
            self._asked("insert or replace into replies values (?, ?, ?, ?, ?)", *row)
            if self._most:
                self._trim()

    def kept(self) -> list[Kept]:
        """Return what there is, by model, the largest first. Raises `sqlite3.Error`."""
        what = "backend, model, count(*), sum(length(reply)), max(at)"
        with self._lock:
            rows = self._db.execute(f"select {what} from replies group by 1, 2 order by 4 desc").fetchall()
        return [Kept(backend=b, model=m, replies=n, characters=size, newest=at) for b, m, n, size, at in rows]

    def size(self) -> int:
        """Return how many bytes of the file are in use. Raises `sqlite3.Error`."""
        with self._lock:
            return bytes_in_use(self._db)

    def clear(self, *, model: str | None = None, older_than_days: float = 0.0) -> int:
        """Remove the replies of *model* (None: of all) that are older, and return how many. Raises `sqlite3.Error`."""
        before = self._clock() - older_than_days * DAY_S
        gone = self._done("delete from replies where at <= ? and (? is null or model = ?)", before, model, model)
        with self._lock:
            self._db.execute("vacuum")
            self._db.execute("pragma wal_checkpoint(truncate)")
        return gone

    def close(self) -> None:
        """Close the file; nothing is found or kept any more."""
        with self._lock:
            self._usable = False
            self._db.close()

    def _trim(self) -> None:
        """Remove the least recently used replies when there is too much, one thread at a time.

        What cannot be removed now is tried again with the next reply that is kept.
        """
        with suppress(sqlite3.Error):
            if self.size() > self._most and self._trimming.acquire(blocking=False):
                try:
                    while self.size() > ROOM * self._most and self._done(OLDEST, BATCH):
                        pass
                finally:
                    self._trimming.release()

    def _done(self, change: str, *values: object) -> int:
        """Return how many rows *change* was made to. Raises `sqlite3.Error`."""
        with self._lock:
            return self._db.execute(change, values).rowcount

    def _asked(self, query: str, *values: object) -> list[Any]:
        """Return the rows of *query*; when the file turns out to be no good, say so once and go on without it."""
        with self._lock:
            if not self._usable:
                return []
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.Error as error:
                self._usable = False
                self._db.close()
                told = f"the reply cache {self.file} cannot be used any more ({error}); the run goes on without it"
                warnings.warn(told, RuntimeWarning, stacklevel=3)
                return []


def _text(reply: ChatReply) -> str:
    calls = [[call.id, call.name, call.arguments] for call in reply.tool_calls]
    said = {"text": reply.text, "tool_calls": calls, "finish": reply.finish, "model": reply.model}
    found = {"searches": reply.searches, "sources": reply.sources}
    return json.dumps(said | {name: texts for name, texts in found.items() if texts})


def _read(text: str) -> ChatReply | None:
    """Return the reply in *text*, or None when that is not what a cache keeps."""
    try:
        data = json.loads(text)
        calls = tuple(ToolCall(id=id_, name=name, arguments=said) for id_, name, said in data["tool_calls"])
        return ChatReply(
            text=data["text"],
            tool_calls=calls,
            finish=data["finish"],
            model=data["model"],
            usage=Usage(),
            usd=0.0,
            searches=tuple(data.get("searches", ())),
            sources=tuple(data.get("sources", ())),
        )
    except (ValueError, LookupError, TypeError):
        return None
