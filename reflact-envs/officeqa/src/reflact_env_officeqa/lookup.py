"""The tools for documents: find files, read lines, find lines. Whatever goes wrong is told in words."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from pydantic import Field
from reflact.kit.actions import RESULT_CHARS, Action, Arguments
from reflact.kit.text import shorten

from reflact_env_officeqa.corpus import Corpus

MOST_FILES, MOST_LINES = 50, 400
IN_ONE, IN_MANY = 20, 50
GREP_SECONDS = 2.0
LINE_CHARS = 300
_ROOM = RESULT_CHARS - 150


class NoDocument(LookupError):
    """There is no document at a path; the message names one like it."""


class Glob(Arguments):
    """Which files."""

    pattern: str = Field(description="such as *1951*; compared with file names and with whole paths")


class Read(Arguments):
    """Which lines of which file."""

    path: str
    start: int = Field(1, description="the first line, counted from 1")
    limit: int = Field(80, description="how many lines")


class Grep(Arguments):
    """Which text, and where."""

    pattern: str = Field(description="the text to find, as it is; upper and lower case are the same")
    path: str = Field(description="a file; or a folder, or a pattern such as *1951*, for several files")


@dataclass(frozen=True, slots=True)
class Lookup:
    """The tools over one corpus; a search through many files ends after two seconds."""

    corpus: Corpus
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def actions(self) -> list[Action[Any]]:
        """Return the tools as a student calls them."""
        return [
            Action(
                name="glob",
                description="Lists the documents whose name or path fits a pattern.",
                arguments=Glob,
                run=lambda asked: self.glob(asked.pattern),
            ),
            Action(
                name="read",
                description="Shows lines of a document.",
                arguments=Read,
                run=lambda asked: self.read(asked.path, asked.start, asked.limit),
            ),
            Action(
                name="grep",
                description="Finds the lines of a document, or of several, that contain a text; gives their numbers.",
                arguments=Grep,
                run=lambda asked: self.grep(asked.pattern, asked.path),
            ),
        ]

    def glob(self, pattern: str) -> str:
        """Return the paths that fit *pattern*, one a line, at most 50."""
        found = self._fitting(pattern)
        more = [f"[{len(found) - MOST_FILES} more; give a narrower pattern]"] if len(found) > MOST_FILES else []
        return "\n".join([*found[:MOST_FILES], *more]) or "[no matches]"

    def read(self, path: str, start: int = 1, limit: int = 80) -> str:
        """Return *limit* lines of the document at *path* from line *start* on, as many as a result has room for."""
        lines = self.corpus.text(self._at(path)).splitlines()
        if not lines:
            return "[empty file]"
        first = max(start, 1)
        shown: list[str] = []
        room = _ROOM
        for line in lines[first - 1 : first - 1 + min(max(limit, 1), MOST_LINES)]:
            if shown and len(line) >= room:
                break
            shown.append(line if len(line) < room else shorten(line, room))
            room -= len(shown[-1]) + 1
        if not shown:
            return f"[the document has only {len(lines)} lines]"
        last = first + len(shown) - 1
        return "\n".join([f"[lines {first} to {last} of {len(lines)}]", *shown])

    def grep(self, pattern: str, path: str) -> str:
        """Return the lines that contain *pattern*: at most 20 of one document, 50 of several with their paths."""
        if not pattern:
            return "[grep needs a text to find]"
        several = self._several(path)
        if several is None:
            one = self._at(path)
            found = [f"{number}: {line}" for number, line in self._lines(one, pattern)]
            return _listed(found, IN_ONE)
        ends = self.clock() + GREP_SECONDS
        found, looked = [], 0
        for one in several:
            if self.clock() >= ends or len(found) > IN_MANY:
                break
            looked += 1
            found += [f"{one}:{number}: {line}" for number, line in self._lines(one, pattern)]
        late = looked < len(several) and len(found) <= IN_MANY
        told = f"\n[stopped after {looked} of {len(several)} documents, as time was up; name fewer]" if late else ""
        return _listed(found, IN_MANY) + told

    def _lines(self, path: str, pattern: str) -> Iterator[tuple[int, str]]:
        text = self.corpus.text(path)
        wanted = pattern.casefold()
        if "\0" in text[:8192] or wanted not in text.casefold():
            return
        hits = ((n, line) for n, line in enumerate(text.splitlines(), start=1) if wanted in line.casefold())
        for number, line in islice(hits, IN_MANY + 1):
            yield number, _around(line, wanted)

    def _several(self, path: str) -> list[str] | None:
        """Return the documents of a folder or a pattern; None for a path that is neither."""
        plain = _plain(path)
        if plain in ("", ".", "*", "**", "**/*"):
            return list(self.corpus.files)
        if any(one in plain for one in "*?["):
            return self._fitting(plain)
        return [one for one in self.corpus.files if one.startswith(f"{plain}/")] or None

    def _fitting(self, pattern: str) -> list[str]:
        wanted = _plain(pattern).casefold().replace("**/", "*")
        return [
            path
            for path in self.corpus.files
            if fnmatchcase(path.casefold(), wanted) or fnmatchcase(PurePosixPath(path).name.casefold(), wanted)
        ]

    def _at(self, path: str) -> str:
        """Return the document that *path* means: the path itself, or a file name that only one document has."""
        plain = _plain(path)
        if plain in self.corpus.files:
            return plain
        named = [one for one in self.corpus.files if PurePosixPath(one).name == plain]
        if len(named) == 1:
            return named[0]
        close = get_close_matches(plain, self.corpus.files, n=1)
        raise NoDocument(f"there is no document {path!r}. {f'Did you mean {close[0]!r}?' if close else 'Use glob.'}")


def _plain(path: str) -> str:
    return path.strip().replace("\\", "/").removeprefix("./").rstrip("/")


def _around(line: str, wanted: str) -> str:
    """Return *line*, or the 300 characters of it around *wanted*."""
    if len(line) <= LINE_CHARS:
        return line.rstrip()
    begin = max(line.casefold().find(wanted) - LINE_CHARS // 3, 0)
    return f"{'…' * bool(begin)}{line[begin : begin + LINE_CHARS]}…"


def _listed(found: list[str], most: int) -> str:
    more = ["[more lines match; look for something rarer]"] if len(found) > most else []
    return "\n".join([*found[:most], *more]) or "[no matches]"
