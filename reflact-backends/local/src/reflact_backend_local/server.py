"""One llama.cpp server inside the process per set of weights, shared by every role that uses them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any
from weakref import WeakValueDictionary

from reflact.errors import BackendError

from reflact_backend_local.stream import Completion, Stream

MOST_THREADS = 2
BATCH = 128
"""Prompt tokens computed at a go; deadlines are looked at, and other calls go on, in between. 512 was no faster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that makes one server different from another; `threads` 0 lets the machine decide."""

    path: Path
    threads: int
    parallel: int
    context: int
    cache_ram_mib: int


class LocalServer:
    """Loaded weights with `parallel` slots. Thread-safe; freed when nobody refers to it any more."""

    def __init__(self, settings: Settings) -> None:
        self._slots = BoundedSemaphore(settings.parallel)
        self._server = _load(settings)

    def complete(self, body: Mapping[str, Any], *, timeout_s: float) -> Completion:
        """Generate for the chat completion request *body*, waiting for a free slot first.

        Raises `BackendError`: `context` when the prompt is too long, `timeout` when the generation takes longer than
        *timeout_s* seconds, `bad_request` or `protocol` when the server refuses.
        """
        with self._slots:
            stream = Stream(timeout_s=timeout_s)
            request = {**body, "stream": True, "stream_options": {"include_usage": True}, "return_progress": True}
            try:
                self._server.handle_chat_completions(request, stream.take)
            except (ValueError, RuntimeError) as error:
                raise BackendError(f"request refused: {error}", fault="bad_request") from error
        return stream.completion()


_LOADING = Lock()
_LOADED: WeakValueDictionary[Settings, LocalServer] = WeakValueDictionary()


def shared(settings: Settings) -> LocalServer:
    """Return the process's server for *settings*, loading the weights at the first call.

    Raises `BackendError` when the library or the weights cannot be loaded.
    """
    with _LOADING:
        server = _LOADED.get(settings)
        if server is None:
            server = _LOADED[settings] = LocalServer(settings)
        return server


def threads_for(wanted: int) -> int:
    """Return *wanted*, or for 0 the cores this process may use, at most `MOST_THREADS`."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return wanted or min(usable, MOST_THREADS)


def _load(settings: Settings) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise BackendError(
            f"xllamacpp cannot be loaded ({error}). On Debian or Ubuntu it needs the package libgomp1."
        ) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(settings.path)
    params.n_parallel = settings.parallel
    params.n_ctx = settings.context * settings.parallel
    params.n_batch = params.n_ubatch = BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads_for(settings.threads)
    params.cache_ram_mib = settings.cache_ram_mib
    params.n_gpu_layers = 0
    params.fit_params = False
    params.verbosity = 0
    params.ui = params.endpoint_slots = False
    params.api_keys = [secrets.token_hex(16)]  # its HTTP port cannot be switched off, so nobody is given the key
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise BackendError(f"{settings.path} cannot be loaded as a model (is it a whole GGUF?)") from error
    # Released before it has ever answered, it may wait for its own start for ever.
    server.handle_completions({"prompt": "a", "n_predict": 1}, lambda *_: True)
    return server
