"""What the process environment says about this env: a token the user names."""

import os
from collections.abc import Mapping


def token(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return what the variable *name* holds; empty when there is none."""
    return environ.get(name, "").strip()
