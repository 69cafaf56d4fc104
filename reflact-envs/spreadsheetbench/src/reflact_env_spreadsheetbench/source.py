"""Where SpreadsheetBench is, on what terms, and in which form the env reads it."""

from __future__ import annotations

from reflact import DataSource, DataSpec

REVISION = "ab0b742b0fc95b946f212d80ac7771b5531272e4"
LICENCE = "CC BY-SA 4.0; name RUCKBReasoning/SpreadsheetBench (arXiv 2406.14991) as the source"
TREE = (
    "  NAME/dataset.json                           the tasks\n"
    "  NAME/spreadsheet/<id>/1_<id>_input.xlsx     a workbook (verified: 1_<id>_init.xlsx)\n"
    "  NAME/spreadsheet/<id>/1_<id>_answer.xlsx    what it should become (verified: 1_<id>_golden.xlsx)"
)
WANTED = (
    "no SpreadsheetBench data come with this package. Unpack an archive of it, so that there are\n"
    f"{TREE}\n"
    "and set env.data_path to the folder NAME (it is then cut by ratio), or env.split_dir to prepared splits and "
    "env.data_root to NAME. `reflact data get spreadsheetbench` tells where the archives are"
)


def _archive(name: str, size: str) -> DataSource:
    return DataSource(
        name=name,
        licence=LICENCE,
        where=f"Hugging Face data set KAKA22/SpreadsheetBench, revision {REVISION}, {name}.tar.gz",
        size=size,
        terms="fetch the archive and unpack it (Python: tarfile.open(file).extractall(folder, filter='data'))",
    )


DATA = DataSpec(
    sources=(
        _archive("spreadsheetbench_verified_400", "400 tasks of one case, about 15 MB"),
        _archive("spreadsheetbench_912_v0.1", "912 tasks, 2,729 cases"),
        _archive("sample_data_200", "200 tasks"),
    ),
    layout=(
        f"env.data_path names a folder that holds\n{TREE}\n"
        "which is cut by ratio. Or env.split_dir names a folder with train, val and test, each with the records of a\n"
        "split (the default is data/spreadsheetbench_split), and env.data_root the folder NAME\n"
        "(the default is data/spreadsheetbench_verified_400)."
    ),
)
