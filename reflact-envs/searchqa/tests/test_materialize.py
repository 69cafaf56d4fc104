"""A prepared split from rows of the public data."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reflact import Split
from reflact_env_searchqa.config import SearchQAConfig
from reflact_env_searchqa.env import SearchQA
from reflact_env_searchqa.materialize import main


def rows(n: int) -> list[dict[str, Any]]:
    return [
        {"key": f"k{i}", "question": f"clue {i}", "context": f"[DOC] {i}", "answers": [f"a{i}"], "labels": []}
        for i in range(n)
    ]


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
    yield from ("train", "val", "test")
