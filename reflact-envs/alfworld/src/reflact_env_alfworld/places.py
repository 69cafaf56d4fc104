"""Where ALFWorld keeps its games: the folder of a data root, the names of its splits and of the files of a game."""

import os
from pathlib import Path

from reflact import DataError, Split

NATIVE = "json_2.1.1"
PARTS = ("train", "valid_seen", "valid_unseen")
"""The native splits, as train, val and test of a run."""
PART_OF: dict[Split, str] = {"train": "train", "val": "valid_seen", "test": "valid_unseen"}
GAME_FILE = "game.tw-pddl"
TRAJECTORY = "traj_data.json"
WANTED = (
    "no ALFWorld games come with this package: set env.data_root or $ALFWORLD_DATA to the folder that holds "
    f"{NATIVE}/, which `alfworld-download` fetches; `reflact sample-data alfworld --out DIR --n 18` makes some"
)
VARIABLE = "$ALFWORLD_DATA"


def data_root(given: str) -> Path:
    """Return the folder that holds the games: *given*, else what `$ALFWORLD_DATA` says; variables in it are filled in.

    Raises `DataError` when neither says anything, or there is no such folder.
    """
    told = os.path.expandvars(given or VARIABLE)
    if told == VARIABLE:
        raise DataError(f"env.data_root is empty and {VARIABLE} is not set\n{WANTED}")
    root = Path(told).expanduser()
    if not root.is_dir():
        origin = "env.data_root" if given else VARIABLE
        raise DataError(f"{origin} {root}: no such folder (looked at {root.absolute()})\n{WANTED}")
    return root
