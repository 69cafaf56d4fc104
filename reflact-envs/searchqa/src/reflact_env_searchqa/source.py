"""Where the public SearchQA data are, and how a row of them becomes a record."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import DataSource, DataSpec
from reflact.kit.hub import hub_rows

NAME = "lucadiliello/searchqa"
REVISION = "c1a979068ba118d85467179b704031d113d689cc"


def rows(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the public data, or of a copy of it at *place*."""
    extra = "reflact-env-searchqa[materialize]"
    for row in hub_rows(NAME, revision=REVISION, parts=("train", "validation"), place=place, extra=extra):
        yield {
            "id": row["key"],
            "question": row["question"],
            "context": row["context"],
            "answers": list(row["answers"]),
        }


DATA = DataSpec(
    sources=(
        DataSource(
            name="searchqa",
            licence="none declared; questions and snippets are texts of third parties, not to be passed on",
            where=f"Hugging Face data set {NAME}, revision {REVISION}",
            size="134,364 items, about 325 MB",
            rows=rows,
        ),
    ),
    layout=(
        "env.split_dir names a folder with train, val and test (the default is data/searchqa_split):\n"
        "  reflact data materialize searchqa --out data/searchqa_split --sizes 400:200:1400\n"
        "env.data_path names one file of records with id, question, context, answers, which is then cut by ratio."
    ),
)
