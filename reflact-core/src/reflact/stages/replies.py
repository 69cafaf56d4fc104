"""What a teacher is asked to answer with, per stage; the JSON schemas come from these."""

import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator

from reflact.contracts import UpdateMode
from reflact.llm.tolerant import Words


def _as_list(value: Any) -> Any:
    return [] if value is None else value


def _as_number(value: Any) -> int | None:
    """Return the first whole number in *value*; JSON's true and false are none."""
    found = None if isinstance(value, bool) else re.search(r"-?\d+", str(value))
    return int(found.group()[:9]) if found else None


def _as_count(value: Any) -> int:
    return max(1, _as_number(value) or 1)


def _as_numbers(value: Any) -> list[int]:
    given = value if isinstance(value, list) else [] if value is None else [value]
    return [number for number in map(_as_number, given) if number is not None]


Count = Annotated[int, BeforeValidator(_as_count)]
Numbers = Annotated[list[int], BeforeValidator(_as_numbers)]
"""Positions in a list that was shown; what names none is dropped."""


class Reply(BaseModel):
    """Base of replies: keys we did not ask for are let pass, and dropped."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class FailureDraft(Reply):
    """A failure pattern: its name, in how many of the trajectories it shows, and what goes wrong."""

    failure_type: Words = ""
    count: Count = 1
    description: Words = ""


class Guidance(Reply):
    """Text for the slow-update region, written to the student."""

    reasoning: Words = ""
    slow_update_content: Words


class Lesson(Reply):
    """Memory for the teacher itself."""

    reasoning: Words = ""
    meta_skill_content: Words


def _as_rate(value: Any) -> int:
    number = _as_number(value)
    if number is None:
        raise ValueError("must be a whole number")
    return max(0, number)


class RateChoice(Reply):
    """How many items to keep, and why."""

    learning_rate: Annotated[int, BeforeValidator(_as_rate)]
    reasoning: Words = ""
    confidence: Words = ""
    risk_notes: list[str] = Field(default_factory=list)


def _as_notes(value: Any) -> Any:
    """Return texts, however they came: one text, a list of texts, or of objects with a `note` or a `content`."""
    given = value if isinstance(value, list) else [] if value is None else [value]
    texts = (one.get("note", one.get("content")) if isinstance(one, dict) else one for one in given)
    return [text for text in texts if isinstance(text, str)]


NoteList = Annotated[list[str], BeforeValidator(_as_notes)]


class Notes(Reply):
    """Execution notes, said in fewer."""

    appendix_notes: NoteList


class ProbeDraft(Reply):
    """An instruction that makes a student lay its judgement open."""

    reasoning: Words = ""
    probe_instruction: Words


class StepProbeDraft(ProbeDraft):
    """The same for an agent: which task it goes on with, and after which of the steps it took."""

    probe_target_id: Words = ""
    probe_after_step: Annotated[int | None, BeforeValidator(_as_number)] = None


class Ranking(Reply):
    """The most important items first, by their numbers."""

    reasoning: Words = ""
    selected_indices: Numbers

    @model_validator(mode="before")
    @classmethod
    def _lift(cls, value: Any) -> Any:
        return {"selected_indices": value} if isinstance(value, list) else value


@cache
def analysis(mode: UpdateMode, *, success: bool, notes: bool = False) -> type[Reply]:
    """Return the reply type of an analyst: the patterns it saw, a patch of *mode*'s items, and *notes* if wanted."""
    pattern: Any = str if success else FailureDraft
    patterns: Any = (Annotated[list[pattern], BeforeValidator(_as_list)], Field(default_factory=list))
    items: Any = list[mode.draft]  # type: ignore[name-defined]
    inner: dict[str, Any] = {"reasoning": (Words, ""), mode.payload: (items, ...)}
    patch = create_model("PatchDraft", __base__=Reply, **inner)
    lift: Any = model_validator(mode="before")(_lift(mode.payload))
    fields: dict[str, Any] = {"success_patterns" if success else "failure_summary": patterns, "patch": (patch, ...)}
    if notes:
        fields["appendix_notes"] = (NoteList, Field(default_factory=list))
    return create_model("Analysis", __base__=Reply, __validators__={"lift": lift}, **fields)


def _lift(payload: str) -> Callable[[Any], Any]:
    """Return a function that puts bare items where an analysis has them."""

    def lift(value: Any) -> Any:
        if isinstance(value, list):
            return {"patch": {payload: value}}
        if isinstance(value, dict) and "patch" not in value and payload in value:
            return {**value, "patch": value}
        return value

    return lift


@cache
def reflection(mode: UpdateMode) -> type[Reply]:
    """Return the reply type of meta reflect: a summary for the next epoch, and a patch of *mode*'s items."""
    items: Any = list[mode.draft]  # type: ignore[name-defined]
    inner: dict[str, Any] = {"reasoning": (Words, ""), mode.payload: (items, Field(default_factory=list))}
    patch = create_model("MetaPatch", __base__=Reply, **inner)
    fields: dict[str, Any] = {"meta_summary": (Words, ""), "patch": (patch, ...)}
    return create_model("MetaReflection", __base__=Reply, **fields)


@cache
def merging(mode: UpdateMode) -> type[Reply]:
    """Return the reply type of a merge: *mode*'s items, each with the numbers of the items it was made from."""
    item: Any = create_model("MergedItem", __base__=mode.draft, sources=(Numbers, Field(default_factory=list)))
    fields: dict[str, Any] = {"reasoning": (Words, ""), mode.payload: (list[item], ...)}
    lift: Any = model_validator(mode="before")(_wrap(mode.payload))
    return create_model("Merge", __base__=Reply, __validators__={"lift": lift}, **fields)


def _wrap(payload: str) -> Callable[[Any], Any]:
    """Return a function that puts bare items where a merge has them."""
    return lambda value: {payload: value} if isinstance(value, list) else value
