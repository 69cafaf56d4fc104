"""Where the public MMRB data are."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import DataError, DataSource, DataSpec

from reflact_env_mmrb.layout import key, records

NAME = "HarrytheOrange/MMRB"
_TERMS = f"fetch the data set {NAME} and extract its archives, one folder per sub-task"


def folders(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the folder *place* with the sub-tasks' folders, their images named relative to it."""
    if place is None:
        raise DataError(f"the data have to be got by hand: {_TERMS}. Then name their folder with --from")
    for one in records(place):
        yield {"id": key(one.raw), **one.raw}


DATA = DataSpec(
    sources=(
        DataSource(
            name="folders",
            licence="none is known; the images derive from 22 data sets with licences of their own",
            where=f"Hugging Face data set {NAME}; code in the repository LesterGong/MMRB",
            size="4,750 questions in 92 sub-tasks, 6.2 images each on average",
            terms=_TERMS,
            rows=folders,
        ),
    ),
    layout=(
        "env.data_path names the folder of the sub-tasks' folders, each with *_human.json and images/, or a file\n"
        "of records; it is cut by ratio. env.split_dir names a folder with train, val and test; env.data_root, where\n"
        "the images are, unless beside it."
    ),
)
