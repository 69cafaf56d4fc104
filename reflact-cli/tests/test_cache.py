"""`reflact cache`: what is kept from run to run, and how to be rid of it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import ChatReply
from reflact.llm.replies import Replies

FILE = Path("replies.sqlite")
Reflact = Callable[..., Any]


@pytest.fixture
def cache(reflact: Reflact) -> Reflact:
    """`cache(*args)` is `reflact cache --path replies.sqlite *args`."""
    return lambda *args: reflact("cache", "--path", FILE, *args)


def fill(now: float = 1_750_000_000.0) -> None:
    replies = Replies(FILE, clock=lambda: now)
    for model, n in (("small", 3), ("large", 2)):
        for number in range(n):
            replies.put(f"{model}{number}{now}", ChatReply(text="x" * 1000), backend="openai_chat", model=model)
    replies.close()


def test_it_shows_how_many_replies_there_are_by_model(cache: Reflact) -> None:
    fill()
    out = cache().out
    assert "replies.sqlite: 5 replies, " in out
    assert [line.split()[:3] for line in out.splitlines()[2:]] == [
        ["openai_chat", "small", "3"],
        ["openai_chat", "large", "2"],
    ]


def test_clear_removes_all(cache: Reflact) -> None:
    fill()
    assert "5 replies removed" in cache("--clear").out
    assert "0 replies" in cache().out


def test_clear_can_be_told_a_model_or_an_age(cache: Reflact) -> None:
    fill()
    assert "2 replies removed" in cache("--clear", "--model", "large").out
    assert "0 replies removed" in cache("--clear", "--older-than", "99999").out
    assert "3 replies removed" in cache("--clear", "--older-than", "1").out


def test_no_file_is_no_trouble_and_none_is_made(cache: Reflact) -> None:
    ran = cache()
    assert (ran.code, "no replies are kept" in ran.out, FILE.exists()) == (0, True, False)


def test_a_file_of_something_else_is_never_removed(cache: Reflact) -> None:
    FILE.write_text("a diary, " * 500)
    for words in ((), ("--clear",)):
        ran = cache(*words)
        assert (ran.code, "is not a reply cache, or is damaged" in ran.err) == (2, True)
    assert FILE.read_text().startswith("a diary")


def test_clear_makes_a_new_file_of_a_damaged_one(cache: Reflact) -> None:
    fill()
    whole = FILE.read_bytes()
    FILE.write_bytes(whole[:16] + b"\xff" * (len(whole) - 16))
    assert cache().code == 2
    assert cache("--clear").code == 0
    assert "0 replies" in cache().out


def test_a_cache_in_use_is_left_alone(cache: Reflact) -> None:
    fill()
    holder = sqlite3.connect(FILE, isolation_level=None)
    holder.execute("begin exclusive")
    ran = cache("--clear")
    assert (ran.code, "Is a run using it?" in ran.err) == (2, True)
    holder.close()


def test_choosing_without_clearing_is_refused(cache: Reflact) -> None:
    assert cache("--model", "large").code == 2


def test_a_second_run_reads_what_the_first_paid_for(train: Reflact, reflact: Reflact) -> None:
    cached = ("cache.enabled=true", f"cache.path={FILE}", "train.num_epochs=1")
    first = train(*cached).out
    again = train(*cached, "--out", "again").out
    assert "from the cache" not in first
    assert "from the cache, unpaid" in again
    assert "0 replies removed" not in reflact("cache", "--clear", "--path", FILE).out


def test_it_shows_what_the_bound_is_about(cache: Reflact) -> None:
    fill()
    first = cache().out.splitlines()[0]
    assert re.fullmatch(r"replies\.sqlite: 5 replies, \d+ kB in use, \d+ kB on disk", first)
    in_use = Replies(FILE).size()
    cache("--clear")
    assert Replies(FILE).size() < in_use


def test_a_run_keeps_to_the_bound_it_is_given(train: Reflact) -> None:
    replies = Replies(FILE)
    for number in range(200):
        replies.put(f"k{number}", ChatReply(text="x" * 9000), backend="openai_chat", model="m")
    assert replies.size() > 1_500_000
    replies.close()
    train("cache.enabled=true", f"cache.path={FILE}", "cache.max_mb=1", "train.num_epochs=1")
    assert Replies(FILE).size() <= 1_000_000
    assert train("cache.max_mb=-1", "--out", "again").code == 2


@pytest.mark.parametrize("variable", ["caches", None])
def test_a_run_and_the_command_agree_on_where_the_file_is(
    variable: str | None, train: Reflact, reflact: Reflact, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if variable is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / variable))
    file = tmp_path / (variable or "home/.cache") / "reflact" / "replies.sqlite"
    assert "no replies are kept" in reflact("cache").out
    train("cache.enabled=true", "train.num_epochs=1")
    assert file.is_file()
    told = reflact("cache").out
    assert told.startswith(f"{file}: ") and not told.startswith(f"{file}: 0 ")
