"""The file of the reply cache: where it is, and what is in it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from reflact.folders import cache_folder

PATIENCE_S = 2.0
"""How long another process may keep the file to itself."""
LAYOUT = 1
"""Kept in the file; one of an earlier layout gets what it lacks when it is opened."""
TABLES = (
    """
    create table if not exists replies (
        key text primary key, backend text not null, model text not null, at real not null, reply text not null
    ) without rowid
    """,
    "create table if not exists uses (key text primary key, at real not null) without rowid",
    "create index if not exists uses_by_age on uses (at)",
    """
    create trigger if not exists reply_kept after insert on replies begin
        insert or replace into uses values (new.key, new.at);
    end
    """,
    """
    create trigger if not exists reply_gone after delete on replies begin
        delete from uses where key = old.key;
    end
    """,
    "insert or ignore into uses select key, at from replies",
)

IN_USE = """
select (page_count - freelist_count) * page_size from pragma_page_count(), pragma_freelist_count(), pragma_page_size()
"""


def default_file() -> Path:
    """Return where the cache is when the configuration does not say."""
    return cache_folder() / "replies.sqlite"


def opened(file: Path) -> sqlite3.Connection:
    """Return *file*, made if needed, open for all threads. Raises `sqlite3.Error` or `OSError` when it cannot be."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    db = sqlite3.connect(file, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=normal")
        if db.execute("pragma user_version").fetchone()[0] < LAYOUT:
            _lay_out(db)
    except sqlite3.Error:
        db.close()
        raise
    return db


def bytes_in_use(db: sqlite3.Connection) -> int:
    """Return how large the file behind *db* is, in bytes, without what is free in it. Takes the same time for any."""
    return int(db.execute(IN_USE).fetchone()[0])


def _lay_out(db: sqlite3.Connection) -> None:
    db.execute("begin immediate")
    with db:
        for statement in TABLES:
            db.execute(statement)
        db.execute(f"pragma user_version={LAYOUT}")
