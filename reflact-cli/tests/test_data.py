"""`reflact data`: where data come from, fetching them, splitting them, looking at them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]

PONDS = '''
"""An env whose public data are in a file beside this one, and in a book."""
import json
from pathlib import Path

from reflact import DataError, DataSource, DataSpec, EnvSpec, Task, hookimpl
from reflact.config import SplitConfig
from reflact.data.splits import load_splits


class Ponds:
    def __init__(self, config):
        self.splits = load_splits(config, lambda raw: Task(id=raw["id"], kind=raw["kind"], data=dict(raw)))

    def tasks(self, split):
        return self.splits[split]

    def run(self, task, *, skill, student, workdir):
        raise NotImplementedError


def rows(place):
    source = place or Path(__file__).with_name("public.jsonl")
    for line in source.read_text().splitlines():
        if line == "broken":
            raise DataError(f"{source}: the line is broken")
        yield json.loads(line)


@hookimpl
def reflact_envs():
    public = DataSource(name="ponds", licence="CC0", where="https://example.org/ponds", size="9 items", rows=rows)
    book = DataSource(name="book", licence="not established", where="a library", terms="ask the author for a copy")
    spec = DataSpec(sources=(public, book), layout="env.split_dir names a folder with train, val and test.")
    return [EnvSpec(name="ponds", config=SplitConfig, build=Ponds, data=spec, summary="Ponds.")]
'''


@pytest.fixture
def ponds(reflact: Reflact) -> Reflact:
    Path("ponds.py").write_text(PONDS)
    rows = [{"id": f"p{n}", "kind": "deep" if n % 3 else "shallow", "question": f"q{n}"} for n in range(9)]
    Path("public.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return lambda what, *args: reflact("data", what, "ponds", *args, "--plugin", "ponds.py")


def test_every_source_is_shown_with_its_licence_before_anything_is_fetched(ponds: Reflact) -> None:
    ran = ponds("get")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "ponds (9 items)",
        "  from     https://example.org/ponds",
        "  licence  CC0",
        "book",
        "  from     a library",
        "  licence  not established",
        "  first    ask the author for a copy",
        "env.split_dir names a folder with train, val and test.",
    ]


def test_records_are_fetched_whole_or_not_at_all(ponds: Reflact) -> None:
    assert ponds("get", "--out", "raw").out.endswith("raw/items.jsonl: 9 records\n")
    assert Path("raw/items.jsonl").read_text() == Path("public.jsonl").read_text()
    Path("public.jsonl").write_text('{"id": "a"}\nbroken\n')
    failed = ponds("get", "--out", "other")
    assert (failed.code, list(Path("other").iterdir())) == (2, [])
    assert "the line is broken" in failed.err


def test_nothing_is_overwritten(ponds: Reflact) -> None:
    ponds("get", "--out", "raw")
    for command in (("get",), ("materialize", "--sizes", "1:1:1")):
        refused = ponds(*command, "--out", "raw")
        assert (refused.code, "raw is not empty" in refused.err) == (5, True)


def test_a_source_that_is_got_by_hand_says_how(ponds: Reflact) -> None:
    refused = ponds("get", "--out", "raw", "--source", "book")
    assert (refused.code, Path("raw").exists()) == (2, False)
    assert "book cannot be fetched by a program: ask the author for a copy" in refused.err


def test_a_split_is_made_and_can_be_looked_at(ponds: Reflact) -> None:
    made = ponds("materialize", "--out", "split", "--sizes", "4:2:3")
    assert made.out == "split: 4 train, 2 val, 3 test; licence: CC0\n"
    seen = ponds("check", "env.split_dir=split")
    assert (seen.code, seen.err) == (0, "")
    assert [line.split(";")[0] for line in seen.out.splitlines()[::2]] == [
        "train: 4 items",
        "val: 2 items",
        "test: 3 items",
    ]
    again = ponds("materialize", "--out", "again", "--sizes", "4:2:3", "--from", "public.jsonl")
    assert again.code == 0
    assert Path("again/train/items.json").read_text() == Path("split/train/items.json").read_text()


def test_a_split_can_be_made_of_listed_ids(ponds: Reflact) -> None:
    Path("ids").mkdir()
    for split, ids in {"train": "p8\np1\n", "val": "p2", "test": "p0"}.items():
        Path(f"ids/{split}.txt").write_text(ids)
    assert ponds("materialize", "--out", "split", "--ids", "ids").code == 0
    assert [one["id"] for one in json.loads(Path("split/train/items.json").read_text())] == ["p8", "p1"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("materialize", "--out", "x"), "say which items: --sizes A:B:C to draw them, or --ids DIR"),
        (("materialize", "--out", "x", "--sizes", "9:9"), "must be three positive numbers"),
        (("materialize", "--out", "x", "--sizes", "9:9:9"), "the data hold 9 items, but 27 are wanted"),
        (("get", "--out", "x", "--source", "pond"), "unknown source 'pond'. Did you mean 'ponds'?"),
        (("check", "env.split_dir=nowhere"), "nowhere: no such folder"),
    ],
)
def test_what_cannot_work_says_why(ponds: Reflact, args: tuple[str, ...], message: str) -> None:
    failed = ponds(*args)
    assert (failed.code, message in failed.err) == (2, True)


def test_an_env_without_a_source_says_so(reflact: Reflact) -> None:
    refused = reflact("data", "get", "desks", "--plugin", DESKS)
    assert (refused.code, "env 'desks' names no source of data" in refused.err) == (2, True)
    own = reflact("data", "get", "qa")
    assert "env 'qa' names no source of data: give your own as env.data_path or env.split_dir" in own.err


def test_items_whose_answer_is_withheld_are_counted(reflact: Reflact) -> None:
    seen = reflact("data", "check", "desks", "env.withheld=true", "--plugin", DESKS)
    assert seen.code == 0
    told = [line for line in seen.out.splitlines() if "withheld" in line]
    assert told == ["  of 8 the answer is withheld: they can be done and handed in, not scored"]
    assert seen.out.splitlines().index(told[0]) == 5


def test_what_is_skipped_is_told_in_a_line(ponds: Reflact) -> None:
    Path("public.jsonl").write_text(Path("public.jsonl").read_text() + "broken\n")
    seen = ponds("check", "env.data_path=public.jsonl", "env.bad_records=skip")
    assert seen.code == 0
    assert seen.err.startswith("warning: public.jsonl: 1 of 10 records are skipped: public.jsonl:10: not JSON")
    assert seen.err.count("\n") == 1
