"""What a member does in an environment of its own: loads, shows what it announces, and does a little work."""

from __future__ import annotations

import json
from pathlib import Path

from clean import CleanEnvironment
from workspace import Distribution

SMOKE = Path(__file__).parent / "packaging" / "smoke.py"


def smoked(member: Distribution, clean: CleanEnvironment) -> set[str]:
    """Return what *member*, installed in *clean*, turned out to announce."""
    extras = json.dumps(sorted(member.project.get("optional-dependencies", {})))
    said = clean.run("python", "-W", "ignore", str(SMOKE), member.name, member.package.name, extras)
    return set(said.splitlines())


def announced(member: Distribution) -> set[str]:
    """Return what the project file of *member* says it announces."""
    return {
        f"{group.removeprefix('reflact.')} {name}"
        for group, entries in member.project.get("entry-points", {}).items()
        for name in entries
    }
