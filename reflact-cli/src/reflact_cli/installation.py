"""What is installed: Python, the distributions, their plugins, and programs that some of them use."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version

from reflact.contracts import Finding
from reflact.errors import PluginError
from reflact.plugins import NOUN, Announced, Plugins

PROGRAMS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "codex": (("codex",), "for the backend codex_exec"),
    "claude": (("claude",), "for the backend claude_code_exec"),
    "bwrap": (("bwrap",), "for the sandboxes of agents, and of envs that run what a student wrote"),
    "docker": (("docker",), "for envs that work in containers"),
    "libreoffice": (("soffice", "libreoffice"), "for spreadsheets that are recalculated"),
}
"""Programs nobody needs who does not use what they are for: the names they go by, and what that is."""


def installation(plugins: Plugins) -> Iterator[Finding]:
    """Yield what there is; every plugin is imported, and one that cannot be is an error."""
    told = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding(what="Python", level="good", told=told)
    for name in ("reflact-core", "reflact-cli"):
        yield Finding(what=name, level="good", told=_version(name))
    for one in plugins.announced():
        yield _loaded(one, plugins)
    for name, (commands, purpose) in PROGRAMS.items():
        found = next(filter(None, map(shutil.which, commands)), None)
        yield Finding(what=name, level="info", told=f"{found or 'not found'} ({purpose})")


def _loaded(one: Announced, plugins: Plugins) -> Finding:
    what = f"{NOUN[one.slot]} {one.name}"
    try:
        if one.slot == "observers":
            plugins.observers(disabled=frozenset(plugins.names("observers")) - {one.name})
        else:
            plugins.get(one.slot, one.name)
    except PluginError as error:
        return Finding(what=what, level="error", told=str(error))
    return Finding(what=what, level="good", told=one.owner)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed as a distribution"
