"""Public data through the library `datasets`: what is said when it, or they, cannot be had."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from reflact.errors import DataError
from reflact.kit.hub import hub_rows


def rows(place: Path) -> list[dict[str, object]]:
    found = hub_rows("someone/something", revision="1", parts=("train", "test"), place=place, extra="my-env[data]")
    return [dict(row) for row in found]


def test_a_missing_library_is_named_with_what_to_install() -> None:
    code = (
        "import sys; sys.modules['datasets'] = None\n"
        "from reflact.kit.hub import hub_rows\n"
        "next(hub_rows('a/b', revision='1', parts=('train',), place=None, extra='my-env[data]'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 'DataError: needs the library datasets: pip install "my-env[data]"' in done.stderr


def test_a_local_copy_is_read_part_by_part_and_a_broken_one_is_named(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="needs the library datasets")
    for part, number in (("train", 1), ("test", 2)):
        (tmp_path / f"{part}.jsonl").write_text(json.dumps({"key": number}) + "\n")
    assert rows(tmp_path) == [{"key": 1}, {"key": 2}]
    (tmp_path / "test.jsonl").unlink()
    with pytest.raises(DataError, match=r"its part 'test' cannot be read .*; is it whole\?"):
        rows(tmp_path)
