"""From configuration and environment to a model; the only reader of os.environ here."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reflact.errors import ConfigError, unknown
from reflact.folders import cache_folder

from reflact_backend_local import weights
from reflact_backend_local.catalog import CATALOG, DEFAULT, Weights
from reflact_backend_local.config import LocalConfig
from reflact_backend_local.model import LocalChat
from reflact_backend_local.progress import Progress, silent
from reflact_backend_local.server import Settings, shared

LOG = logging.getLogger(__name__)


def build(config: LocalConfig) -> LocalChat:
    """Return the chat model for *config*, its weights loaded; fetches them when they are nowhere.

    Raises `ConfigError` for a path that is no file, `BackendError` when weights cannot be had or loaded.
    """
    settings = Settings(
        path=locate(config),
        threads=config.threads,
        parallel=config.parallel,
        context=config.context,
        cache_ram_mib=config.cache_ram_mib,
    )
    with _openmp_waits_asleep():
        return LocalChat(config, shared(settings))


def locate(config: LocalConfig) -> Path:
    """Return the GGUF file *config* means: its path, REFLACT_LOCAL_GGUF, the cache, or a new download."""
    pinned = CATALOG.get(config.model)
    if config.path:
        return weights.given(pinned, Path(config.path).expanduser())
    if file := os.environ.get("REFLACT_LOCAL_GGUF"):
        return weights.given(pinned, Path(file).expanduser())
    if found := weights.cached(named(config.model), cache()):
        return found
    LOG.warning("fetching %s", describe(config.model))
    return fetch(config.model)


def fetch(model: str = DEFAULT, *, progress: Progress = silent) -> Path:
    """Return the cached weights of the pinned *model*, fetching them first when needed. Raises `BackendError`."""
    return weights.fetch(named(model), cache(), progress=progress)


def verify(model: str = DEFAULT, *, progress: Progress = silent) -> Path:
    """Read the cached weights of *model* again and return their path. Raises `BackendError` when they are not whole."""
    return weights.verify(named(model), cache() / named(model).filename, progress=progress)


def describe(model: str = DEFAULT) -> str:
    """Return one line on *model*: origin, licence and sizes, to show before it is fetched."""
    return weights.describe(named(model))


def named(model: str) -> Weights:
    """Return the pinned weights of *model*. Raises `ConfigError` for an unknown name."""
    if model not in CATALOG:
        raise ConfigError(unknown("local model", model, CATALOG))
    return CATALOG[model]


def cache() -> Path:
    """Return the user's folder of weights."""
    return cache_folder() / "weights"


@contextmanager
def _openmp_waits_asleep() -> Iterator[None]:
    """Have OpenMP, which reads its environment once, when it is loaded, wait for other threads without spinning.

    Spinning for a core that another process has makes generation about ten times slower. A user's own choice stays.
    """
    if "OMP_WAIT_POLICY" in os.environ or "GOMP_SPINCOUNT" in os.environ:
        yield
        return
    os.environ["OMP_WAIT_POLICY"] = "passive"
    try:
        yield
    finally:
        os.environ.pop("OMP_WAIT_POLICY", None)
