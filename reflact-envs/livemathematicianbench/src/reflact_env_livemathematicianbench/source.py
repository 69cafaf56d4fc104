"""Where the questions are, on what terms, and in which form the env reads them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import DataError, DataSource, DataSpec

from reflact_env_livemathematicianbench.raw import PATTERN, read_records

REVISION = "b72450f6ce96c26158d64d945a5d31ef7727be41"
WHERE = f"Hugging Face data set LiveMathematicianBench/LiveMathematicianBench, revision {REVISION}"
TERMS = (
    "ask its authors whether you may use it (github.com/LinyangHe/LiveMathematicianBench), fetch the folder data/ "
    "yourself, and name it with --from or env.data_path"
)
WANTED = (
    "no LiveMathematicianBench data come with this package: a licence to pass them on is not established. Set "
    f"env.data_path to the folder with data/<YYYYMM>/{PATTERN.replace('*', '<YYYYMM>')}, or env.split_dir to prepared "
    "splits; `reflact data get livemathematicianbench` tells where to ask for them"
)


def rows(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a local copy at *place*. Raises `DataError` without one, and for a faulty record."""
    if place is None:
        raise DataError(f"LiveMathematicianBench cannot be fetched by a program: {TERMS}")
    for record in read_records(place, exclude_meta=False):
        if record.fault:
            raise DataError(f"{record.where}: {record.fault}")
        yield record.raw


DATA = DataSpec(
    sources=(
        DataSource(
            name="livemathematicianbench",
            licence="of the data: not established; of the paper: CC BY-NC-ND 4.0",
            where=WHERE,
            size="177 questions of four months",
            terms=TERMS,
            rows=rows,
        ),
    ),
    layout=(
        f"env.data_path names a file or a folder that holds {PATTERN} at any depth, which is then cut by ratio;\n"
        "env.split_dir a folder with train, val and test (the default is data/livemathematicianbench_split)."
    ),
)
