"""Where the questions and documents are, on what terms, and in which form the env reads them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import DataError, DataSource, DataSpec
from reflact.data.records import read

from reflact_env_officeqa.item import to_task

TERMS = (
    "accept the terms of the data set on Hugging Face (databricks/officeqa, or databricks/officeqa-pro-v2), fetch its "
    "CSV and the documents yourself, and name the CSV with --from or env.data_path"
)
WANTED = (
    "no OfficeQA questions come with this package. A split folder holds train, val and test, each a .csv, .json or "
    ".jsonl of records with uid, question, answer, source_files and source_docs; env.data_path names one such file, "
    "which is cut by ratio. `reflact data get officeqa` tells where they are"
)


def rows(place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a local copy at *place*, with ids. Raises `DataError` without one."""
    if place is None:
        raise DataError(f"OfficeQA cannot be fetched by a program: {TERMS}")
    for record in read(place):
        yield {**record.raw, "id": to_task(record.raw).id}


DATA = DataSpec(
    sources=(
        DataSource(
            name="officeqa",
            licence="CC BY-SA 4.0 (Databricks; the official scorer is under Apache-2.0)",
            where="github.com/databricks/officeqa; on Hugging Face databricks/officeqa and databricks/officeqa-pro-v2",
            size="246 questions; 697 bulletins: 460 MB of text, 730 MB of parsed pages",
            terms=TERMS,
            rows=rows,
        ),
    ),
    layout=(
        "env.split_dir names a folder with train, val and test (the default is data/officeqa_split);\n"
        "env.data_path one .csv or .json of questions, which is then cut by ratio;\n"
        "env.data_dirs the folders of the documents (the default is data/officeqa_docs_official): *.txt, or\n"
        "transformed/*.txt, and jsons/*.json for the parsed pages. Questions must not lie in them."
    ),
)
