"""Replies kept from run to run in one SQLite file, so that a request answered before costs nothing."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.types import ChatReply, ToolCall, Usage

DAY_S = 86_400
PATIENCE_S = 2.0
"""How long another process may keep the file to itself."""
TABLE = """
create table if not exists replies (
    key text primary key, backend text not null, model text not null, at real not null, reply text not null
) without rowid
"""


def default_file() -> Path:
    """Return where the cache is when the configuration does not say."""
    return Path.home() / ".cache" / "reflact" / "replies.sqlite"


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

    Raises `sqlite3.Error` or `OSError` when *file* cannot be opened, or is no cache.
    """

    def __init__(self, file: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.file = file
        self._clock = clock
        self._lock = threading.Lock()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        self._db = sqlite3.connect(file, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
        self._usable = True
        try:
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=normal")
            self._db.execute(TABLE)
        except sqlite3.Error:
            self._db.close()
            raise

    def get(self, key: str) -> ChatReply | None:
        """Return the reply under *key*, which costs nothing now; None when there is none."""
        rows = self._asked("select reply from replies where key = ?", key)
        return _read(rows[0][0]) if rows else None

    def put(self, key: str, reply: ChatReply, *, backend: str, model: str) -> None:
        """Keep *reply* under *key* if it is complete."""
        if reply.outcome == "ok":
            row = (key, backend, model, self._clock(), _text(reply))
            self._asked("insert or replace into replies values (?, ?, ?, ?, ?)", *row)

    def kept(self) -> list[Kept]:
        """Return what there is, by model, the largest first. Raises `sqlite3.Error`."""
        what = "backend, model, count(*), sum(length(reply)), max(at)"
        with self._lock:
            rows = self._db.execute(f"select {what} from replies group by 1, 2 order by 4 desc").fetchall()
        return [Kept(backend=b, model=m, replies=n, characters=size, newest=at) for b, m, n, size, at in rows]

    def clear(self, *, model: str | None = None, older_than_days: float = 0.0) -> int:
        """Remove the replies of *model* (None: of all) that are older, and return how many. Raises `sqlite3.Error`."""
        before = self._clock() - older_than_days * DAY_S
        with self._lock:
            gone = self._db.execute(
                "delete from replies where at <= ? and (? is null or model = ?)", (before, model, model)
            )
            self._db.execute("vacuum")
            self._db.execute("pragma wal_checkpoint(truncate)")
            return gone.rowcount

    def close(self) -> None:
        """Close the file; nothing is found or kept any more."""
        with self._lock:
            self._usable = False
            self._db.close()

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
    return json.dumps({"text": reply.text, "tool_calls": calls, "finish": reply.finish, "model": reply.model})


def _read(text: str) -> ChatReply | None:
    """Return the reply in *text*, or None when that is not what a cache keeps."""
    try:
        data = json.loads(text)
        calls = tuple(ToolCall(id=id_, name=name, arguments=said) for id_, name, said in data["tool_calls"])
        return ChatReply(
            text=data["text"], tool_calls=calls, finish=data["finish"], model=data["model"], usage=Usage(), usd=0.0
        )
    except (ValueError, LookupError, TypeError):
        return None
