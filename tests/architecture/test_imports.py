"""Imports go one way: the contracts of `[tool.importlinter]` hold."""

import subprocess
import sys
from pathlib import Path

from workspace import ROOT


def test_the_import_contracts_hold() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
