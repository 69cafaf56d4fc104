"""Runs the program that kills runs, and says how often it did."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("killing.py")


def kills(shape: str, events: str, stride: int, folder: Path) -> int:
    """Return at how many writes, or every *stride*-th of them, a run was killed and ended right nevertheless."""
    made = subprocess.run(
        [sys.executable, str(PROGRAM), shape, events, str(stride), str(folder)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    return int(made.stdout)
