"""`make bump V=0.2.0`: one version everywhere, and the notes of `changelog.d` moved into the changelog."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from workspace import ROOT, distributions

VERSION = re.compile(r'^version = "[^"]*"$', re.MULTILINE)
BOUNDS = re.compile(r"(\breflact(?:-[a-z-]+)?(?:\[[a-z,]+\])?)>=\d+\.\d+,<\d+\.\d+")
WRITTEN = re.compile(r"(\d+)\.(\d+)\.\d+")
KINDS = ("added", "changed", "fixed", "removed")
MARK = "<!-- releases -->\n"


def bump(root: Path, version: str, day: date) -> list[Path]:
    """Make *version* the version of everything below *root*, released on *day*. Returns the files that changed.

    Raises `SystemExit` for a version that is not three numbers.
    """
    match = WRITTEN.fullmatch(version)
    if not match:
        raise SystemExit(f"{version!r} is not a version; write three numbers, such as 0.2.0")
    major, minor = int(match[1]), int(match[2])
    bounds = rf"\1>={major}.{minor},<{major}.{minor + 1}"
    projects = {dist.folder / "pyproject.toml" for dist in distributions(root)}
    changed = []
    for file in sorted({*projects, *_mentions(root)}):
        old = file.read_text(encoding="utf-8")
        new = BOUNDS.sub(bounds, old)
        new = VERSION.sub(f'version = "{version}"', new, count=1) if file in projects else new
        if new != old:
            file.write_text(new, encoding="utf-8")
            changed.append(file)
    return changed + _release(root, version, day)


def _mentions(root: Path) -> Iterator[Path]:
    """Yield the documents and templates in which a dependency on ours may be written."""
    for top in (*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("reflact-*/**/*.md")):
        if top.name != "CHANGELOG.md":
            yield top
    yield from (file for file in root.glob("reflact-cli/src/*/templates/**/*") if file.is_file())


def _release(root: Path, version: str, day: date) -> list[Path]:
    """Move the notes in `changelog.d` below a heading of their own at the top of the changelog."""
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if MARK not in text:
        raise SystemExit(f"{changelog} has lost its line {MARK.strip()!r}; put it back above the newest release")
    parts, moved = [f"## {version} ({day.isoformat()})\n"], []
    for kind in KINDS:
        notes = sorted((root / "changelog.d").glob(f"*.{kind}.md"))
        if notes:
            lines = (f"- {note.read_text(encoding='utf-8').strip()}" for note in notes)
            parts.append(f"### {kind.title()}\n\n" + "\n".join(lines) + "\n")
            moved += notes
    if not moved:
        return []
    changelog.write_text(text.replace(MARK, MARK + "\n" + "\n".join(parts), 1), encoding="utf-8")
    for note in moved:
        note.unlink()
    return [changelog, *moved]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: make bump V=0.2.0")
    for path in bump(ROOT, sys.argv[1], date.today()):
        print(path.relative_to(ROOT))
