"""What the process environment says about this env, and what a library reads from it before it can be used."""

import os
import tempfile
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from reflact.agents.environment import NETWORK, PATH

DOCKER = ("DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "XDG_RUNTIME_DIR")
"""How the Docker engine is reached."""
KEPT = ("HOME", "LANG", "TMPDIR", "HF_HOME", "HF_ENDPOINT", *DOCKER, *NETWORK)


def inherited(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what programs of Docker's and the benchmark's are given: no key of any model is among it."""
    kept = {name: environ[name] for name in KEPT if name in environ}
    return {"PATH": environ.get("PATH") or PATH, **kept}


def silence(environ: MutableMapping[str, str] = os.environ) -> None:
    """Keep mini-swe-agent from greeting on the terminal and from reading or making settings in the user's home."""
    environ.setdefault("MSWEA_SILENT_STARTUP", "1")
    environ.setdefault("MSWEA_GLOBAL_CONFIG_DIR", str(Path(tempfile.gettempdir(), "reflact-mini-swe-agent")))
