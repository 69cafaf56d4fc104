"""The reply cache keeps to its bound: what was used last stays, whoever shares the file, and no run is harmed."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reflact import ChatReply
from reflact.llm.replies import BATCH, HOUR_S, OLDEST, ROOM, Replies
from reflact.llm.replies_file import default_file

MOST = 1_000_000
OLD_LAYOUT = """
create table replies (
    key text primary key, backend text not null, model text not null, at real not null, reply text not null
) without rowid
"""


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1_750_000_000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


def put(replies: Replies, key: str, characters: int = 9_000) -> None:
    replies.put(key, ChatReply(text="x" * characters, model="m"), backend="f", model="m")


def keys(file: Path) -> list[str]:
    """Return what is kept in *file*, without asking the cache, which would count as a use."""
    with closing(sqlite3.connect(file)) as db:
        return sorted(key for (key,) in db.execute("select key from replies"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "r.sqlite"


def test_without_a_bound_all_is_kept(file: Path) -> None:
    replies = Replies(file)
    for number in range(300):
        put(replies, f"k{number}")
    assert len(keys(file)) == 300
    assert replies.size() > 2 * MOST


def test_a_bounded_file_never_has_more_in_use_and_stays_nine_tenths_full(file: Path) -> None:
    replies = Replies(file, most=MOST)
    sizes = []
    for number in range(400):
        put(replies, f"k{number}")
        sizes.append(replies.size())
    assert max(sizes) <= MOST
    full = sizes.index(max(sizes))
    assert min(sizes[full:]) > ROOM * MOST - (BATCH + 1) * 12_500
    assert file.stat().st_size < 1.05 * MOST


def test_the_oldest_go_first_and_the_newest_stays(file: Path) -> None:
    clock = Clock()
    replies = Replies(file, most=MOST, clock=clock)
    for number in range(400):
        put(replies, f"k{number:03}")
        clock.advance(1)
    left = keys(file)
    assert 50 < len(left) < 120
    assert left == [f"k{number:03}" for number in range(400 - len(left), 400)]


def test_a_reply_that_is_used_outlives_younger_ones(file: Path) -> None:
    clock = Clock()
    replies = Replies(file, most=MOST, clock=clock)
    put(replies, "baseline")
    for number in range(400):
        clock.advance(HOUR_S / 10)
        put(replies, f"k{number}")
        assert replies.get("baseline") is not None, number
    assert "k0" not in keys(file)


def test_a_use_within_the_hour_is_not_written_down(file: Path) -> None:
    clock = Clock()
    replies = Replies(file, clock=clock)
    put(replies, "k")
    reader = sqlite3.connect(file)
    before = reader.execute("pragma data_version").fetchone()
    clock.advance(HOUR_S - 1)
    replies.get("k")
    assert reader.execute("pragma data_version").fetchone() == before
    clock.advance(2)
    replies.get("k")
    assert reader.execute("pragma data_version").fetchone() != before
    reader.close()


def test_a_use_does_not_make_a_reply_younger_for_clearing_by_age(file: Path) -> None:
    clock = Clock()
    replies = Replies(file, clock=clock)
    put(replies, "k")
    clock.advance(10 * 86_400)
    assert replies.get("k") is not None
    assert replies.clear(older_than_days=5) == 1


Steps = st.lists(st.tuples(st.sampled_from("pg"), st.integers(0, 60), st.integers(1, 40_000)), max_size=200)


@settings(max_examples=25, deadline=None)
@given(steps=Steps, most=st.integers(100_000, 600_000))
def test_whatever_is_put_and_asked_for_the_bound_holds_and_no_reply_goes_before_one_used_earlier(
    steps: list[tuple[str, int, int]], most: int
) -> None:
    clock = Clock()
    used: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        replies = Replies(Path(folder) / "r.sqlite", most=most, clock=clock)
        for what, number, characters in steps:
            clock.advance(HOUR_S + 1)
            key = f"k{number}"
            if what == "p":
                put(replies, key, characters)
                used[key] = clock.now
            elif replies.get(key) is not None:
                used[key] = clock.now
            assert replies.size() <= most
            left = set(keys(replies.file))
            gone = [at for one, at in used.items() if one not in left]
            assert not gone or not left or max(gone) < min(used[one] for one in left)
            used = {one: at for one, at in used.items() if one in left}
        replies.close()


def test_threads_that_fill_it_together_keep_to_the_bound(file: Path) -> None:
    replies = Replies(file, most=MOST)
    with warnings.catch_warnings(), ThreadPoolExecutor(8) as pool:
        warnings.simplefilter("error")
        list(pool.map(lambda number: put(replies, f"k{number}"), range(400)))
    assert replies.size() <= MOST
    assert len(keys(file)) > 50


def test_processes_that_fill_it_together_keep_to_the_bound(file: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from reflact import ChatReply; from reflact.llm.replies import Replies\n"
        f"replies = Replies(Path(sys.argv[1]), most={MOST})\n"
        "for n in range(150):\n"
        "    reply = ChatReply(text='x' * 9000)\n"
        "    replies.put(f'{sys.argv[2]}{n}', reply, backend='f', model='m')\n"
        "assert replies.get(f'{sys.argv[2]}149')\n"
    )
    words = [sys.executable, "-W", "error", "-c", code, str(file)]
    running = [subprocess.Popen([*words, name], stderr=subprocess.PIPE, text=True) for name in "ab"]
    told = [one.communicate()[1] for one in running]
    assert (told, [one.returncode for one in running]) == (["", ""], [0, 0])
    assert Replies(file).size() <= MOST
    assert len(keys(file)) > 50


def test_a_smaller_bound_than_before_holds_from_the_next_reply_on(file: Path) -> None:
    wide = Replies(file)
    for number in range(200):
        put(wide, f"k{number}")
    wide.close()
    narrow = Replies(file, most=MOST // 2)
    put(narrow, "new")
    assert narrow.size() <= MOST // 2
    assert "new" in keys(file)


def test_a_file_of_the_layout_before_bounds_works_and_is_bounded(file: Path) -> None:
    db = sqlite3.connect(file)
    db.execute(OLD_LAYOUT)
    text = '{"text": "kept", "tool_calls": [], "finish": "stop", "model": "m"}'
    for number in range(400):
        row = (f"old{number:03}", "f", "m", 1_700_000_000.0 + number, text.replace("kept", "kept" + " " * 5_000))
        db.execute("insert into replies values (?, ?, ?, ?, ?)", row)
    db.commit()
    db.close()
    replies = Replies(file, most=MOST)
    found = replies.get("old000")
    assert found and found.text.rstrip() == "kept"
    assert [one.replies for one in replies.kept()] == [400]
    put(replies, "new")
    assert replies.size() <= MOST
    left = keys(file)
    assert {"old000", "new", "old399"} <= set(left)
    assert "old001" not in left


def test_a_program_that_knows_nothing_of_bounds_can_use_the_file_too(file: Path) -> None:
    replies = Replies(file, most=MOST)
    db = sqlite3.connect(file, isolation_level=None)
    for number in range(300):
        row = (f"k{number}", "f", "m", float(number), "x" * 9_000)
        db.execute("insert or replace into replies values (?, ?, ?, ?, ?)", row)
    put(replies, "new")
    assert replies.size() <= MOST
    db.execute("delete from replies")
    db.close()
    put(replies, "again")
    assert keys(file) == ["again"]


def test_what_cannot_be_removed_now_is_later_and_the_run_goes_on(file: Path) -> None:
    replies = Replies(file, most=MOST)
    with closing(sqlite3.connect(file)) as db:
        db.execute("create trigger keep before delete on replies begin select raise(abort, 'not now'); end")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(200):
            put(replies, f"k{number}")
        found = replies.get("k0")
    assert found is not None
    assert replies.size() > MOST
    with closing(sqlite3.connect(file)) as db:
        db.execute("drop trigger keep")
    put(replies, "last")
    assert replies.size() <= MOST


def test_a_use_that_cannot_be_noted_is_a_hit_all_the_same(file: Path) -> None:
    clock = Clock()
    replies = Replies(file, clock=clock)
    put(replies, "k")
    clock.advance(2 * HOUR_S)
    with closing(sqlite3.connect(file)) as db:
        db.execute("create trigger still before update on uses begin select raise(abort, 'not now'); end")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert replies.get("k") is not None
        assert replies.get("k") is not None


def test_the_oldest_are_found_without_looking_at_all(file: Path) -> None:
    replies = Replies(file)
    put(replies, "k")
    with closing(sqlite3.connect(file)) as db:
        plan = [step for *_, step in db.execute(f"explain query plan {OLDEST}", (BATCH,))]
    assert "SCAN uses USING COVERING INDEX uses_by_age" in plan
    assert not [step for step in plan if "TEMP B-TREE" in step or step == "SCAN replies"]


@pytest.mark.parametrize(
    ("given_home", "expected"),
    [
        ("{tmp}/mine", "{tmp}/mine/reflact/replies.sqlite"),
        ("", "{tmp}/home/.cache/reflact/replies.sqlite"),
        ("not/absolute", "{tmp}/home/.cache/reflact/replies.sqlite"),
        (None, "{tmp}/home/.cache/reflact/replies.sqlite"),
    ],
)
def test_the_file_is_where_xdg_says_caches_are(
    given_home: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if given_home is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", given_home.format(tmp=tmp_path))
    assert str(default_file()) == expected.format(tmp=tmp_path)
