"""Where the public DocVQA data are, and how a row of them becomes a record."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reflact import DataError, DataSource, DataSpec
from reflact.data.records import read
from reflact.kit.hub import hub_rows
from reflact.kit.media import as_source

from reflact_env_docvqa.data import id_of

NAME, SUBSET = "lmms-lab/DocVQA", "DocVQA"
_LICENCE = "its card says apache-2.0; the scanned pages carry rights of their own and are not to be passed on"
_WHERE = f"Hugging Face data set {NAME}, configuration {SUBSET}"
_TERMS = "register at rrc.cvc.uab.es, challenge 17, and fetch the questions of task 1 and the images of their pages"


def competition_rows(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the competition's file *place*, its pages named as they are there."""
    if place is None:
        raise DataError(f"the competition's data have to be got by hand: {_TERMS}. Then name the file with --from")
    for one in read(place):
        yield {"id": id_of(one.raw), **one.raw}


def copy_rows(place: Path | None, part: str = "validation") -> Iterator[Mapping[str, Any]]:
    """Yield the records of *part* of the public copy, each with its page in it, encoded as text."""
    extra, images = "reflact-env-docvqa[materialize]", ("image",)
    for row in hub_rows(NAME, revision="main", parts=(part,), place=place, extra=extra, subset=SUBSET, images=images):
        yield record(row)


def record(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return *row* of the public copy as JSON."""
    return {"id": id_of(row), **row, "image": as_source(row["image"])}


DATA = DataSpec(
    sources=(
        DataSource(
            name="competition",
            licence="terms of the competition; the scanned pages carry rights of their own and are not to be passed on",
            where="rrc.cvc.uab.es, challenge 17, task 1 (docvqa.org)",
            size="validation: 5,349 questions on 1,286 pages",
            terms=_TERMS,
            rows=competition_rows,
        ),
        DataSource(
            name="copy",
            licence=_LICENCE,
            where=_WHERE,
            size="validation: 5,349 questions, about 1 MB each, since every record has its page in it",
            rows=copy_rows,
        ),
        DataSource(
            name="copy-test",
            licence=_LICENCE,
            where=_WHERE,
            size="test: 5,188 questions whose answers are withheld; what is said can be handed in, not scored here",
            rows=partial(copy_rows, part="test"),
        ),
    ),
    layout=(
        "env.split_dir names a folder with train, val and test (the default is data/docvqa_split):\n"
        "  reflact data materialize docvqa --from val_v1.0.json --out data/docvqa_split --sizes 107:53:374\n"
        "env.data_root names the folder in which the images lie as the records name them (documents/…).\n"
        "env.data_path names one file of records, which is then cut by ratio; the questions of a page stay together.\n"
        "The official test split has no answers: reflact eval --predictions FILE writes what the competition takes."
    ),
)
