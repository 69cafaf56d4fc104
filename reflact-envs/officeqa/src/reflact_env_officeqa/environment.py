"""What the process environment says about this env: where documents lie, and a token the user names."""

import os
from collections.abc import Mapping

FOLDERS = "OFFICEQA_DOCS_DIR"


def document_folders(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the folders in `OFFICEQA_DOCS_DIR`, separated as in `PATH` or by commas."""
    given = environ.get(FOLDERS, "").replace(",", os.pathsep).split(os.pathsep)
    return tuple(one.strip() for one in given if one.strip())


def token(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return what the variable *name* holds; empty when there is none."""
    return environ.get(name, "").strip()
