"""`usage.json`: what a run has spent so far, for those who watch it, and for those who find it killed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.engine.ledger import Account
from reflact.store.codec import to_text
from reflact.store.files import write

FILE = "usage.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the run in *root* takes, in money over all its processes and in time by this one.

    *started* is when this process took the run up, in monotonic seconds.
    """

    root: Path
    account: Account
    started: float

    def write(self) -> dict[str, Any]:
        """Write what the run has taken so far, and return it."""
        seconds = round(time.monotonic() - self.started, 1)
        so_far = {"wall_seconds_of_last_process": seconds, "spent": self.account.table()}
        write(self.root / FILE, to_text(so_far))
        return so_far
