"""Documents that can be searched and opened offline: those of an item, or those in the user's folders."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reflact import DataError
from reflact.data.records import read

SNIPPET = 300
_K1, _B = 1.5, 0.75
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document; `id` is what it is opened by."""

    id: str
    title: str
    text: str
    date: str = ""
    url: str = ""

    def record(self) -> dict[str, str]:
        """Return it as JSON-ready data, of which `to_document` makes it again."""
        return {"id": self.id, "title": self.title, "text": self.text, "date": self.date, "url": self.url}


@dataclass(frozen=True, slots=True)
class Library:
    """Documents ranked by BM25 (Robertson and Zaragoza 2009; k1 1.5, b 0.75), ties in their order."""

    documents: Sequence[Document]
    _counts: list[Counter[str]] = field(init=False, repr=False, compare=False)
    _spread: Counter[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        counts = [Counter(_words(f"{one.title} {one.text}")) for one in self.documents]
        object.__setattr__(self, "_counts", counts)
        object.__setattr__(self, "_spread", Counter(word for one in counts for word in one))

    def search(self, query: str, k: int) -> list[Document]:
        """Return the *k* best documents for *query*; none that shares no word with it."""
        asked = set(_words(query))
        total = len(self.documents)
        mean = sum(map(Counter.total, self._counts)) / total if total else 1.0
        scored = []
        for place, counts in enumerate(self._counts):
            length = 1 - _B + _B * counts.total() / (mean or 1.0)
            score = sum(
                math.log(1 + (total - self._spread[word] + 0.5) / (self._spread[word] + 0.5))
                * counts[word]
                * (_K1 + 1)
                / (counts[word] + _K1 * length)
                for word in asked & counts.keys()
            )
            scored.append((-score, place))
        return [self.documents[place] for score, place in sorted(scored)[:k] if score < 0]

    def get(self, wanted: str) -> Document | None:
        """Return the document with the id *wanted*, also as `[3]` or `#3`."""
        plain = wanted.strip().strip("[]#")
        return next((one for one in self.documents if one.id == plain), None)


def snippet(document: Document, query: str) -> str:
    """Return the 300 characters of *document* around the first word of *query*, on one line."""
    text = " ".join(document.text.split())
    asked = {word for word in _words(query) if len(word) > 3}
    place = next((found.start() for found in _WORD.finditer(text) if found[0].casefold() in asked), 0)
    begin = max(place - SNIPPET // 3, 0) if len(text) > SNIPPET else 0
    return f"{'…' * bool(begin)}{text[begin : begin + SNIPPET]}{'…' * (begin + SNIPPET < len(text))}"


def to_document(raw: Any, number: str, where: str) -> Document:
    """Return the document of *raw*, a text or a record with `text`. Raises `DataError` for anything else."""
    if isinstance(raw, str):
        return Document(id=number, title="", text=raw)
    if not isinstance(raw, Mapping) or not isinstance(raw.get("text"), str):
        raise DataError(f"{where}: document {number} has no text")
    told = {name: str(raw.get(name) or "").strip() for name in ("title", "date", "url", "id")}
    return Document(**{**told, "id": told["id"] or number, "text": raw["text"]})


def read_folders(folders: Sequence[str], *, questions: Sequence[str]) -> list[Document]:
    """Return the documents in *folders*, numbered. Raises `DataError` for one that is missing, or holds *questions*."""
    found: list[Document] = []
    for folder in map(Path, folders):
        if not folder.is_dir():
            raise DataError(f"env.data_dirs {folder}: no such folder (looked at {folder.absolute()})")
        for place in (Path(one) for one in questions if one and Path(one).exists()):
            if place.resolve().is_relative_to(folder.resolve()):
                raise DataError(
                    f"env.data_dirs {folder} holds the questions with their answers ({place}); give the documents a "
                    "folder of their own"
                )
        for raw, where in _raw(folder.resolve()):
            found.append(to_document(raw, f"d{len(found) + 1}", where))
    if folders and not found:
        raise DataError(f"env.data_dirs {', '.join(folders)}: no documents (.jsonl, .json, .txt, .md) in there")
    if len({one.id for one in found}) < len(found):
        twice = Counter(one.id for one in found).most_common(1)[0][0]
        raise DataError(f"env.data_dirs {', '.join(folders)}: the id {twice!r} names several documents")
    return found


def _raw(folder: Path) -> Iterator[tuple[Any, str]]:
    for file in sorted(folder.rglob("*")):
        if file.name.startswith(".") or not file.is_file() or not file.resolve().is_relative_to(folder):
            continue
        if file.suffix in (".jsonl", ".json"):
            yield from ((record.raw, record.where) for record in read(file))
        elif file.suffix in (".txt", ".md"):
            yield {"title": file.stem, "text": file.read_text(encoding="utf-8", errors="replace")}, str(file)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
