"""Where the public SWE-bench sets are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reflact import DataSource, DataSpec
from reflact.kit.hub import hub_rows

EXTRA = "reflact-env-swebench[datasets]"
NAMES: Mapping[str, str] = {
    "lite": "SWE-bench/SWE-bench_Lite",
    "verified": "SWE-bench/SWE-bench_Verified",
    "full": "SWE-bench/SWE-bench",
}
"""What the short names mean. Older copies of these sets lack columns that the evaluation needs."""


def full_name(name: str) -> str:
    """Return the data set that *name*, which may be a short one, means."""
    return NAMES.get(name.lower(), name)


def rows(
    place: Path | None, *, name: str = "lite", revision: str = "main", part: str = "test"
) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the set *name*, or of a copy of it at *place*."""
    for row in hub_rows(full_name(name), revision=revision, parts=(part,), place=place, extra=EXTRA):
        yield {"id": row["instance_id"], **row}


def _source(name: str, size: str) -> DataSource:
    return DataSource(
        name=f"swebench-{name}",
        licence="MIT; each repository, and so each patch, is under a licence of its own",
        where=f"Hugging Face data set {NAMES[name]}",
        size=f"{size} issues, each with an image of 1 to 4 GB that Docker fetches when it is needed",
        rows=partial(rows, name=name),
    )


DATA = DataSpec(
    sources=(_source("lite", "300"), _source("verified", "500"), _source("full", "2,294")),
    layout=(
        "Nothing has to be prepared: env.dataset_name=lite, verified or full fetches the set, and each repository is\n"
        "dealt 2:1:7 (lite gives 60/33/207). env.data_path names a file of records in the set's own form instead,\n"
        "env.split_dir a folder with train, val and test. Records with a repo_path, a git repository on disk, need no "
        "Docker."
    ),
)
