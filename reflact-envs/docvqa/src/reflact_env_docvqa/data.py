"""From a DocVQA record, in any of the shapes it is passed around in, to a task."""

import ast
import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from reflact import DataError, Task
from reflact.kit.media import Media, as_source

IDS = ("questionId", "question_id", "id", "qid")
MATERIALIZE = "`reflact data materialize docvqa --ids DIR --from FILE --out DIR`"
_IMAGES = ("image_path", "image_paths", "image")
_ANSWERS = ("answers", "answer", "ground_truth")
_KINDS = ("kind", "topic", "category", "question_types")
_PATH_MARK = re.compile(r"\s*document_path:\s*(?P<path>\S.*?)\s*$", re.IGNORECASE)


def to_task(raw: Mapping[str, Any], media: Media) -> Task:
    """Return the task of *raw*: data with `question`, `answers`, `image` (a source) and `page`.

    Takes the competition's names, those of its copies, and a CSV's. A record that has no field of answers, or none in
    it, is of a test split that keeps them back: its task is not scorable. Raises `DataError` for a record without id,
    question or a usable image, and for one whose answers are blank.
    """
    task_id = id_of(raw)
    if not task_id:
        raise DataError(f"no id ({', '.join(IDS)})")
    asked = str(raw.get("question") or "").strip()
    answers = golds(first(raw, _ANSWERS))
    if not asked and not answers:
        raise DataError(f"{task_id!r} has an id but neither question nor answers: put them in with {MATERIALIZE}")
    mark = _PATH_MARK.search(asked)
    question = asked[: mark.start()].strip() if mark else asked
    if not question:
        raise DataError(f"{task_id!r} has no question")
    if not answers and not _withheld(raw):
        raise DataError(f"{task_id!r} has a blank answer; leave the field out where the answer is withheld")
    image = as_source(_only(first(raw, _IMAGES), task_id) or (mark["path"] if mark else None))
    media.check(image)
    return Task(
        id=task_id,
        kind=_kind(first(raw, _KINDS)),
        data={"question": question, "answers": answers, "image": image, "page": _page(raw, image)},
        scorable=bool(answers),
    )


def golds(value: Any) -> list[str]:
    """Return the accepted answers in *value*: a list, or a cell of a table; blank ones left out.

    A cell is a list only where it is a JSON list, or a Python list or tuple, of nothing but texts. `1,234`, `0.30` and
    `1e3` are answers as they stand.
    """
    found = _cell(value) if isinstance(value, str) else value
    listed = found if isinstance(found, list | tuple) else [] if found is None else [found]
    return [text for text in (str(one).strip() for one in listed if one is not None) if text]


def _cell(text: str) -> Any:
    for parse in (json.loads, ast.literal_eval):
        try:
            found = parse(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, list | tuple) and found and all(isinstance(one, str) for one in found):
            return found
    return text


def id_of(raw: Mapping[str, Any]) -> str:
    """Return the id of *raw*, a number or a text, under any of its names; empty when there is none."""
    found = first(raw, IDS)
    return "" if found is None else str(found).strip()


def first(raw: Mapping[str, Any], names: Iterable[str]) -> Any:
    """Return the first of the fields *names* of *raw* that is not empty."""
    return next((raw[name] for name in names if raw.get(name) not in (None, "", [])), None)


def _withheld(raw: Mapping[str, Any]) -> bool:
    return all(raw.get(name) in (None, []) for name in _ANSWERS)


def _only(value: Any, task_id: str) -> Any:
    if not isinstance(value, list | tuple):
        return value
    if len(value) != 1:
        raise DataError(f"{task_id!r} has {len(value)} images; a question is about one page")
    return value[0]


def _kind(value: Any) -> str:
    return "|".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "document")


def _page(raw: Mapping[str, Any], image: Any) -> str:
    """Return what the questions of one page share: the document and the number, else a digest of the image's source."""
    document = first(raw, ("docId", "ucsf_document_id"))
    if document is not None:
        return f"{document}:{raw.get('ucsf_document_page_no') or 1}"
    return str(raw.get("page") or sha256(json.dumps(image, sort_keys=True).encode()).hexdigest()[:16])
