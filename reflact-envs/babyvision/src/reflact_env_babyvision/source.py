"""Where the public BabyVision data are, and how a row of them becomes a record."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import DataError, DataSource, DataSpec
from reflact.data.records import read
from reflact.kit.hub import hub_rows
from reflact.kit.media import as_source

NAME = "UnipatAI/BabyVision"
_TERMS = "fetch data/babyvision_data.zip of the repository UniPat-AI/BabyVision and unpack it"


def copy_rows(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the public data set, each with its picture in it, encoded as text."""
    extra = "reflact-env-babyvision[materialize]"
    for row in hub_rows(NAME, revision="main", parts=("train",), place=place, extra=extra, images=("image",)):
        yield record(row)


def archive_rows(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the unpacked archive *place*, their pictures named as they are there."""
    if place is None:
        raise DataError(f"the archive has to be got by hand: {_TERMS}. Then name its folder with --from")
    for one in read(place):
        yield {"id": str(one.raw.get("taskId", "")), **one.raw}


def record(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return *row* of the public data set as JSON."""
    return {"id": str(row["taskId"]), **row, "image": as_source(row["image"])}


DATA = DataSpec(
    sources=(
        DataSource(
            name="data-set",
            licence="its card says mit; the repository says for research purposes and has no licence",
            where=f"Hugging Face data set {NAME}",
            size="388 puzzles, about 51 MB",
            rows=copy_rows,
        ),
        DataSource(
            name="archive",
            licence="for research purposes, says the repository, and has no licence",
            where="data/babyvision_data.zip of the repository UniPat-AI/BabyVision",
            size="388 puzzles, about 48 MB",
            terms=_TERMS,
            rows=archive_rows,
        ),
    ),
    layout=(
        "env.data_path names the folder with meta_data.jsonl and images/, or a file of records; it is cut by ratio:\n"
        "  reflact data get babyvision --out data/babyvision\n"
        "env.split_dir names a folder with train, val and test; env.data_root, where the images are, unless beside it."
    ),
)
