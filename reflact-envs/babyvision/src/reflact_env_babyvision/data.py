"""From a BabyVision record, official or normalised, to a task."""

from collections.abc import Iterable, Mapping
from typing import Any

from reflact import DataError, Task
from reflact.kit.media import Media, as_source

from reflact_env_babyvision.options import correct_label, options_of

_IDS = ("taskId", "id")
_QUESTIONS = ("question", "query")
_IMAGES = ("image", "image_path", "image_file", "img")
_OPTIONS = ("options", "choices", "choiceOptions")
_BLANKS = ("blankAns", "blank_answers", "answers")
_RIGHT = ("choiceAns", "correct_choice", "label")
_CHOICE = frozenset({"choice", "multiple_choice", "mcq", "option"})
_BLANK = frozenset({"blank", "open", "open_ended", "fill_blank", "short_answer"})


def to_task(raw: Mapping[str, Any], media: Media) -> Task:
    """Return the task of *raw*: data with `question`, `image` (a source), `options`, `label`, `answers`, `type`, `cot`.

    A choice has `options` (text by letter) and the right `label`, a blank has `answers`. Raises `DataError` for a
    record that cannot be asked, shown or graded.
    """
    found = _first(raw, _IDS)
    task_id = "" if found is None else str(found).strip()
    if not task_id:
        raise DataError(f"no id ({', '.join(_IDS)})")
    question = str(_first(raw, _QUESTIONS) or "").strip()
    if not question:
        raise DataError(f"{task_id!r} has no question")
    try:
        graded_by = _choice(raw) if _is_choice(raw) else _blank(raw)
        image = as_source(_first(raw, _IMAGES))
        media.check(image)
    except DataError as error:
        raise DataError(f"{task_id!r}: {error}") from error
    subtype = str(raw.get("subtype") or raw.get("subType") or "").strip()
    kind = str(_first(raw, ("type", "taskType")) or "").strip()
    return Task(
        id=task_id,
        kind=str(raw.get("kind") or subtype or raw.get("task_type") or kind or "puzzle"),
        data={
            "question": question,
            "image": image,
            **graded_by,
            "type": kind,
            "cot": str(_first(raw, ("coT", "cot")) or "").strip(),
        },
    )


def _is_choice(raw: Mapping[str, Any]) -> bool:
    told = str(raw.get("ansType") or raw.get("ans_type") or "").strip().lower()
    if told in _CHOICE or told in _BLANK:
        return told in _CHOICE
    if told:
        raise DataError(f"ansType {told!r} is neither choice nor blank")
    return bool(options_of(_first(raw, _OPTIONS))) and _first(raw, _RIGHT) is not None


def _choice(raw: Mapping[str, Any]) -> dict[str, Any]:
    options = options_of(_first(raw, _OPTIONS))
    label = correct_label(_first(raw, _RIGHT), options)
    shown = {one: text for one, text in options.items() if text}
    if len(shown) < 2:
        raise DataError(f"{len(shown)} options with a text; a choice needs two")
    return {"options": shown, "label": label, "answers": []}


def _blank(raw: Mapping[str, Any]) -> dict[str, Any]:
    given = _first(raw, _BLANKS)
    listed = given if isinstance(given, list | tuple) else [given]
    answers = [text for text in (str(one).strip() for one in listed if one is not None) if text]
    if not answers:
        raise DataError("no blankAns: the answer to fill in")
    return {"options": {}, "label": "", "answers": answers}


def _first(raw: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((raw[name] for name in names if raw.get(name) not in (None, "", [], {})), None)
