"""How much of the right documents a student is given: their names, their pages too, or nothing at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reflact import ConfigError, DataError, Task

from reflact_env_officeqa.corpus import Corpus

MOST_CANDIDATES = 20
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the corpus is to one task, by the mode."""

    mode: Literal["oracle_files", "oracle_pages", "full_corpus"]
    all: Corpus

    def checked(self, task: Task) -> Task:
        """Return *task*. Raises `DataError` when its documents are to be given and are not there."""
        if self.mode == "full_corpus":
            return task
        names = task.data["source_files"]
        missing = [name for name in names if self.all.find(name) is None]
        if missing or not names:
            what = f"{len(missing)} of its {len(names)} documents are not there" if names else "it names no documents"
            raise DataError(f"{task.id!r}: {what}{', first ' + missing[0] if missing else ''}")
        return task

    def corpus(self, task: Task) -> Corpus:
        """Return the documents the student may read."""
        return self.all if self.mode == "full_corpus" else self.all.only(self._given(task))

    def shown(self, task: Task, *, readable: bool) -> Mapping[str, Any]:
        """Return what the question's template shows: question, candidates, hints and pages.

        Of how many documents there are nothing is told unless they are *readable*.
        """
        oracle = self.mode == "oracle_pages"
        return {
            "question": task.data["question"],
            "candidates": self._given(task)[:MOST_CANDIDATES] if self.mode != "full_corpus" else [],
            "hints": task.data["source_docs"] if oracle else [],
            "pages": self._pages(task) if oracle else "",
            "count": len(self.all.files) if readable else 0,
        }

    def copies(self, task: Task, *, most_mb: float) -> Mapping[str, str | bytes | Path]:
        """Return the documents for an agent's folder: path -> file, or the text of a parsed one.

        Raises `ConfigError` when they are more than *most_mb* million bytes.
        """
        given = self.corpus(task)
        size = sum(file.stat().st_size for file in given.files.values())
        if size > most_mb * _MB:
            raise ConfigError(
                f"an agent's folder would get {size / _MB:.0f} MB of documents for each task, more than "
                f"env.exec_max_mb ({most_mb:g}); set env.evidence_mode=oracle_files, or raise that"
            )
        return {
            f"docs/{path}": given.text(path) if file.suffix == ".json" else file for path, file in given.files.items()
        }

    def facts(self, task: Task) -> Mapping[str, Any]:
        """Return what a rollout tells of it."""
        pages = self._pages(task) if self.mode == "oracle_pages" else ""
        return {
            "evidence_mode": self.mode,
            "source_files": list(task.data["source_files"]),
            "resolved_source_paths": self._given(task),
            "oracle_parsed_pages_included": bool(pages),
            "oracle_parsed_pages_chars": len(pages),
        }

    def _given(self, task: Task) -> list[str]:
        found = (self.all.find(name) for name in task.data["source_files"])
        return list(dict.fromkeys(path for path in found if path is not None))

    def _pages(self, task: Task) -> str:
        return self.all.pages(task.data["pages"])
