"""`reflact plugins`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


def test_what_is_installed_is_listed_with_distribution_and_version(reflact: Reflact) -> None:
    rows = [line.split() for line in reflact("plugins").out.splitlines()]
    assert rows[0] == ["kind", "name", "distribution", "version"]
    assert ["observer", "console", "reflact-cli", "0.1.0"] in rows
    assert ["update", "mode", "patch", "reflact-core", "0.1.0"] in rows


def test_a_plugin_file_is_listed_too(reflact: Reflact) -> None:
    rows = [line.split() for line in reflact("plugins", "--plugin", DESKS).out.splitlines()]
    assert ["env", "desks", str(DESKS)] in rows


def test_listing_imports_no_plugin() -> None:
    code = (
        "import sys; from reflact_cli.main import main; main(['plugins']);"
        "print(sorted(name for name in sys.modules if name.startswith(('reflact_env', 'reflact_backend'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
