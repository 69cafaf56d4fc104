"""Documents as tests see them: their code blocks, and a folder in which the blocks are carried out in order.

A block with a title (```` ```python title="capitals.py" ````) is a file of that name. A `bash` or `python` block is
run, and a `text` block right after it is what it must have said, where `…` stands for anything. A `yaml` block is part
of a configuration and must be valid as such. In a `bash` block `make` only says what it would do, `pip` installs the
folder's own package, beside the blocks, and nothing else, and of a script in `benchmarks/` only options are checked.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reflact import Plugins
from reflact.config import load
from workspace import ROOT

FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>\w*)(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=fence)[ \t]*$", re.M | re.S)
TITLE = re.compile(r'title="([^"]+)"')
PRELUDE = f"""
set -euo pipefail
make() {{ command make --no-print-directory -n -C '{ROOT}' "$@" > /dev/null; }}
python() {{
    case "$1" in benchmarks/*) ;; *) command python "$@"; return ;; esac
    local help word; help=$(command python "{ROOT}/$1" --help)
    for word in "$@"; do
        case "$word" in --*) grep -q -e "$word" <<< "$help" || {{ echo "$1 has no $word"; return 2; }} ;; esac
    done
}}
pip() {{ case "${{@: -1}}" in .) python -m pip install -q --no-deps --no-build-isolation --target .site . ;; esac; }}
"""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document."""

    place: str
    language: str
    title: str
    text: str


def blocks(document: Path) -> Iterator[Block]:
    """Yield the fenced blocks of *document*, in order."""
    source = document.read_text(encoding="utf-8")
    for match in FENCE.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        title = TITLE.search(match["info"])
        place = f"{document.relative_to(ROOT)}:{line}"
        yield Block(place, match["language"], title[1] if title else "", match["text"])


def pages() -> list[Path]:
    """Return every document for users."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@dataclass(slots=True)
class Desk:
    """A folder in which a document's blocks are carried out."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    said: str = ""

    def follow(self, document: Path) -> None:
        """Carry out all blocks of *document*, as in the root of a clone."""
        for name in ("configs", "examples"):
            (self.folder / name).symlink_to(ROOT / name)
        for block in blocks(document):
            self.carry_out(block)

    def carry_out(self, block: Block) -> None:
        """Write, run, load or compare one block. Raises `AssertionError` when it is not as it should be."""
        if block.title:
            file = self.folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif block.language in ("bash", "python"):
            self.said = self._run(block)
        elif block.language == "yaml":
            self._load(block)
        elif block.language == "text" and self.said:
            compare(block, self.said)
            self.said = ""
        else:
            assert block.language in ("", "text"), f"{block.place}: nobody knows what to do with {block.language}"

    def _load(self, block: Block) -> None:
        fragment = self.folder / "fragment.yaml"
        fragment.write_text(block.text, encoding="utf-8")
        env = [] if re.search(r"^ *name:|\{name:", block.text, re.M) else ["env.name=qa"]
        resolved = load(fragment, overrides=env, plugins=Plugins())
        assert not resolved.warnings, f"{block.place}: {resolved.warnings}"

    def _run(self, block: Block) -> str:
        bash = block.language == "bash"
        command = ["bash", "-c", PRELUDE + block.text] if bash else [sys.executable, "-c", block.text]
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        site = os.pathsep.join(filter(None, [str(self.folder / ".site"), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PATH": path, "PYTHONPATH": site, "COLUMNS": "200", **self.environment}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert done.returncode == 0, f"{block.place}: exit code {done.returncode}\n{done.stdout}"
        return done.stdout


def compare(block: Block, said: str) -> None:
    """Raise `AssertionError` unless the lines of *block* stand in *said*, in this order."""
    rest = _even(said)
    for line in filter(None, _even(block.text).splitlines()):
        pattern = ".*?".join(re.escape(part) for part in line.split("…"))
        found = re.search(rf"^{pattern}$", rest, re.M)
        assert found, f"{block.place}: {line!r} is not in what was said:\n{said}"
        rest = rest[found.end() :]


def _even(text: str) -> str:
    """Return *text* with single blanks and no indent: how columns are lined up does not matter."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines())
