"""The environment of an agent: what any program needs, and only the variables named besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reflact.agents.private import MARKER, Private

PATH = "/usr/local/bin:/usr/bin:/bin"
NETWORK = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
)
"""How the network is reached; not secret as a rule, and without it an agent behind a proxy reaches nothing."""


def minimal(
    environ: Mapping[str, str],
    private: Private,
    *,
    keep: Iterable[str] = NETWORK,
    more: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the environment of an attempt: PATH, LANG, a private HOME and TMPDIR, the marker.

    From *environ* only PATH and the variables in *keep* are taken; *more* is added as it is.
    """
    kept = {name: environ[name] for name in keep if name in environ}
    return {
        "PATH": environ.get("PATH") or PATH,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "HOME": str(private.home),
        "TMPDIR": str(private.temp),
        MARKER: private.marker,
        **kept,
        **(more or {}),
    }
