"""A prepared split from rows of the public data."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Split
from reflact_env_searchqa.config import SearchQAConfig
from reflact_env_searchqa.env import SearchQA
from reflact_env_searchqa.materialize import drawn, listed, main, read_ids


def rows(n: int) -> list[dict[str, Any]]:
    return [
        {"key": f"k{i}", "question": f"clue {i}", "context": f"[DOC] {i}", "answers": [f"a{i}"], "labels": []}
        for i in range(n)
    ]


IDS: dict[Split, list[str]] = {"train": ["k4", "k1"], "val": ["k3"], "test": ["k0"]}
SIZES: dict[Split, int] = {"train": 4, "val": 2, "test": 6}


def keys(picked: Any) -> dict[str, list[str]]:
    return {split: [one["id"] for one in items] for split, items in picked.items()}


def test_listed_ids_are_taken_in_the_order_of_the_list() -> None:
    assert keys(listed(iter(rows(9)), IDS)) == IDS


def test_ids_that_are_not_there_are_counted_and_the_first_named() -> None:
    with pytest.raises(DataError, match="2 of 4 ids are not in the data, first k4, k3"):
        listed(iter(rows(3)), IDS)


def test_an_id_in_two_lists_is_refused() -> None:
    with pytest.raises(DataError, match="1 ids are listed twice, first k1"):
        listed(iter(rows(9)), {**IDS, "val": ["k1"]})


def test_a_draw_depends_on_keys_and_seed_and_not_on_the_order_of_rows() -> None:
    shuffled = rows(50)
    random.Random(1).shuffle(shuffled)
    first = keys(drawn(iter(rows(50)), SIZES, 42))
    assert first == keys(drawn(iter(shuffled), SIZES, 42))
    assert first != keys(drawn(iter(rows(50)), SIZES, 43))
    assert [len(part) for part in first.values()] == [4, 2, 6]
    assert len({one for part in first.values() for one in part}) == 12


def test_a_draw_of_more_than_there_is_is_refused() -> None:
    with pytest.raises(DataError, match="the data hold 5 items, but 12 are wanted"):
        drawn(iter(rows(5)), SIZES, 42)


def test_id_lists_need_all_three_files(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("k1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"val\.txt: No such file or directory; --ids needs train\.txt"):
        read_ids(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sizes", "4:2"], "--sizes 4:2 must be three positive numbers"),
        (["--ids", "nowhere"], "nowhere/train.txt: No such file"),
        ([], "one of the arguments --ids --sizes is required"),
    ],
)
def test_a_command_that_cannot_work_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--out", str(tmp_path / "out"), *arguments])
    assert message in capsys.readouterr().err


def test_the_command_writes_a_split_that_the_env_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("datasets", reason="needs reflact-env-searchqa[materialize]")
    for name, part in (("train", rows(30)[:20]), ("validation", rows(30)[20:])):
        lines = "".join(json.dumps({**row, "labels": [0]}) + "\n" for row in part)
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "data" / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    out = tmp_path / "out"
    command = ["--out", str(out), "--sizes", "4:2:6", "--source", str(tmp_path / "data")]
    with pytest.raises(SystemExit, match="0"):
        main(command)
    assert "4 train, 2 val, 6 test" in capsys.readouterr().err
    env = SearchQA(SearchQAConfig(split_dir=str(out)))
    assert [len(env.tasks(split)) for split in splits()] == [4, 2, 6]
    with pytest.raises(SystemExit, match="2"):
        main(command)
    assert "is not empty" in capsys.readouterr().err


def splits() -> Iterator[Split]:
    yield from SIZES
