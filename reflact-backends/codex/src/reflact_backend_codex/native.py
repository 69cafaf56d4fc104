"""From the script that npm puts on the PATH to the program behind it, which is the one that can be killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_SCRIPT = b"#!"


def native(found: Path) -> Path | None:
    """Return the program that the script *found* would start; `None` when *found* is no such script, or it is alone."""
    resolved = found.resolve()
    if not _is_npm_script(resolved):
        return None
    return next(_programs(resolved.parent.parent), None)


def _is_npm_script(file: Path) -> bool:
    with file.open("rb") as opened:
        first = opened.readline(200)
    return first.startswith(_SCRIPT) and b"node" in first and (file.parent.parent / "package.json").is_file()


def _programs(package: Path) -> Iterator[Path]:
    """Yield programs of the platform packages beside or within *package*, and of its own `vendor` folder."""
    folders = [package]
    for modules in (package / "node_modules" / "@openai", package.parent):
        folders += sorted(modules.glob("codex-*")) if modules.is_dir() else []
    for folder in folders:
        for name in ("codex", "codex.exe"):
            yield from (file for file in sorted(folder.glob(f"vendor/*/bin/{name}")) if file.is_file())
            yield from (file for file in sorted(folder.glob(f"vendor/*/codex/{name}")) if file.is_file())
