"""`python -m reflact_env_searchqa.materialize`: a prepared split, as `reflact data materialize searchqa` makes it."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from reflact import DataError, ReflactError
from reflact.data.manifest import is_dealt, write_split
from reflact.data.picking import Picked, drawn, listed, read_ids, read_sizes

from reflact_env_searchqa.source import NAME, REVISION, rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a split as the command line *arguments* tell; exits with 2 and a message when it cannot."""
    parser = argparse.ArgumentParser(prog="python -m reflact_env_searchqa.materialize", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write, empty or new")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--ids", type=Path, help="a folder with train.txt, val.txt, test.txt: the ids to take")
    choice.add_argument("--sizes", help="train:val:test, how many items to draw, such as 400:200:1400")
    parser.add_argument("--seed", type=int, default=42, help="for --sizes (default: 42)")
    parser.add_argument("--source", type=Path, help=f"a folder with a copy of the data (default: {NAME} from the net)")
    given = parser.parse_args(arguments)
    try:
        picked = _picked(given)
    except ReflactError as error:
        parser.error(str(error))
    counts = {split: len(items) for split, items in picked.items()}
    source = str(given.source or f"{NAME}@{REVISION}")
    write_split(given.out, picked, {"source_data_path": source, "split_mode": "split_dir", "counts": counts})
    parser.exit(0, f"{given.out}: {', '.join(f'{n} {split}' for split, n in counts.items())}\n")


def _picked(given: argparse.Namespace) -> Picked:
    if is_dealt(given.out):
        raise DataError(f"{given.out} is not empty")
    if given.ids:
        ids = read_ids(given.ids)
        return listed(rows(given.source), ids)
    sizes = read_sizes(given.sizes)
    return drawn(rows(given.source), sizes, given.seed)


if __name__ == "__main__":
    main()
