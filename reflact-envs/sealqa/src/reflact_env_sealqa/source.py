"""Where the questions are, on what terms, and in which form the env reads them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import DataError, DataSource, DataSpec
from reflact.data.records import read

from reflact_env_sealqa.item import to_task

TERMS = (
    "its rows carry a mark so that they are kept out of training sets: never publish or commit the questions. Answers "
    "are brought up to date from time to time: fetch one revision (`hf download vtllms/sealqa --repo-type dataset "
    "--revision COMMIT`), write it down, and name the .parquet, .csv or .jsonl file with --from or env.data_path"
)
WANTED = (
    "no SealQA data come with this package. A split folder holds train, val and test, each a .csv, .json, .jsonl or "
    ".parquet of records with question, answer, topic, urls and documents; env.data_path names one such file, which is "
    "cut by ratio. `reflact data get sealqa` tells where they are"
)


def rows(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a local copy at *place*, with ids. Raises `DataError` without one."""
    if place is None:
        raise DataError(f"SealQA is not fetched by this program: {TERMS}")
    for record in read(place):
        yield {**record.raw, "id": to_task(record.raw, docs_field="docs").id}


DATA = DataSpec(
    sources=(
        DataSource(
            name="sealqa",
            licence="Apache-2.0",
            where="Hugging Face data set vtllms/sealqa: seal_0, seal_hard, longseal",
            size="111, 254 and 254 questions; longseal with its documents 73 MB",
            terms=TERMS,
            rows=rows,
        ),
    ),
    layout=(
        "env.split_dir names a folder with train, val and test (the default is data/sealqa_split);\n"
        "env.data_path one file of questions, which is then cut by ratio;\n"
        "env.data_dirs folders of documents to search offline, for questions that have none of their own."
    ),
)
