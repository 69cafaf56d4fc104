"""Where the public MathVerse data are, and how a row of them becomes a record."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import DataError, DataSource, DataSpec
from reflact.kit.hub import hub_rows
from reflact.kit.media import as_source

from reflact_env_mathverse.data import task_id
from reflact_env_mathverse.layout import VERSIONS, records

NAME = "AI4Math/MathVerse"
_TERMS = f"fetch testmini.json, testmini_text_only.json and images.zip of the data set {NAME}, and unpack the last"


def hub(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the five versions with images, each with its diagram in it, encoded as text."""
    extra = "reflact-env-mathverse[materialize]"
    for row in hub_rows(
        NAME, revision="main", parts=("testmini",), place=place, extra=extra, subset="testmini", images=("image",)
    ):
        yield {"id": task_id(row, many=True), **row, "image": as_source(row["image"])}


def files(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the folder *place* with the official files, their diagrams named as they are there."""
    if place is None:
        raise DataError(f"the files have to be got by hand: {_TERMS}. Then name their folder with --from")
    for one in records(place, version=""):
        yield {"id": task_id(one.raw, many=True), **one.raw}


DATA = DataSpec(
    sources=(
        DataSource(
            name="files",
            licence="MIT",
            where=f"Hugging Face data set {NAME}, or the repository ZrrSkywalker/MathVerse",
            size="788 problems in six versions; images.zip has 136 MB",
            terms=_TERMS,
            rows=files,
        ),
        DataSource(
            name="data-set",
            licence="MIT",
            where=f"Hugging Face data set {NAME}, configuration testmini",
            size="788 problems in the five versions with images",
            rows=hub,
        ),
    ),
    layout=(
        "env.data_root (data/MathVerse) holds testmini.json, testmini_text_only.json and images/ with\n"
        "images_version_1-4, images_version_5 and images_version_6; it is cut by ratio. env.data_path names another\n"
        "file or folder of records, env.split_dir a folder with train, val and test.\n"
        f"env.problem_version is one of {', '.join(VERSIONS)}."
    ),
)
