"""From an OfficeQA record, of any of its editions, to a task."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from reflact import DataError, Task

_FILE = re.compile(r"\.(txt|json|md|csv|pdf)$", re.IGNORECASE)
_CORPUS_FILE = re.compile(r"corpus_file\s*=\s*([^|;\s][^|;]*)")
_PAGE = re.compile(r"(?:[?&]page|pdf_page_number)\s*=\s*(\d+)")


def to_task(raw: Mapping[str, Any]) -> Task:
    """Return the task of *raw*: data with `question`, `answers`, `source_files`, `source_docs`, `pages`, `bulletin`.

    `pages` gives for each source file the numbers of the pages the answer stands on, as far as they are known;
    `bulletin` names all files in one text, to group by.
    Raises `DataError` for a record without id, question or answer.
    """
    task_id = _first(raw, "uid", "id", "question_id")
    if not task_id:
        raise DataError("no id (uid, id or question_id)")
    question = _first(raw, "question")
    if not question:
        raise DataError(f"{task_id!r} has no question")
    answers = _answers(raw)
    if not answers:
        raise DataError(f"{task_id!r} has no answer (ground_truth, answer or answers)")
    docs = names_in(raw.get("source_docs"))
    files = names_in(raw.get("source_files")) or list(dict.fromkeys(_files_of(docs)))
    return Task(
        id=task_id,
        kind=_first(raw, "task_type", "category", "difficulty") or "officeqa",
        data={
            "question": question,
            "answers": answers,
            "source_files": files,
            "source_docs": docs,
            "pages": _pages(files, docs),
            "bulletin": "; ".join(sorted(files)),
        },
    )


def names_in(value: Any) -> list[str]:
    """Return the names in *value*: a list, or a text that is one in JSON or Python, or separated by lines or `;`.

    Commas separate only where each piece is the name of a file, since addresses and titles have commas of their own.
    """
    if isinstance(value, list | tuple):
        return [name for one in value for name in names_in(one)]
    text = "" if value is None else str(value).strip()
    if text.startswith("[") and (listed := _literal(text)) is not None:
        return names_in(listed)
    pieces = [piece.strip() for piece in re.split(r"[\r\n;]+", text)]
    return [name for piece in pieces if piece for name in _by_commas(piece)]


def _by_commas(text: str) -> list[str]:
    pieces = [piece.strip() for piece in text.split(",")]
    return [piece for piece in pieces if piece] if all(map(_FILE.search, filter(None, pieces))) else [text]


def _literal(text: str) -> Any:
    for parse in (json.loads, ast.literal_eval):
        try:
            found = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, list):
            return found
    return None


def _answers(raw: Mapping[str, Any]) -> list[str]:
    several = raw.get("answers")
    if isinstance(several, list | tuple):
        return [text for text in (_text(one) for one in several) if text]
    answer = _first(raw, "ground_truth", "answer", "answers")
    return [answer] if answer else []


def _files_of(docs: list[str]) -> Iterator[str]:
    for doc in docs:
        if found := _CORPUS_FILE.search(doc):
            yield found[1].strip()


def _pages(files: list[str], docs: list[str]) -> dict[str, list[int]]:
    """Return the pages of each file: those of the document at its place, or of all documents when they do not pair."""
    pages: dict[str, list[int]] = {name: [] for name in files}
    for place, doc in enumerate(docs):
        named = _CORPUS_FILE.search(doc)
        own = [name for name in files if named and PurePosixPath(name).name == PurePosixPath(named[1].strip()).name]
        about = own or ([files[place]] if len(files) == len(docs) else files)
        for name in about:
            pages[name] += [int(one) for one in _PAGE.findall(doc) if int(one) not in pages[name]]
    return pages


def _first(raw: Mapping[str, Any], *names: str) -> str:
    return next((text for name in names if (text := _text(raw.get(name)))), "")


def _text(value: Any) -> str:
    if value is None or isinstance(value, dict):
        return ""
    return str(value).strip()
