"""What a teacher is asked to answer with, per stage; the JSON schemas come from these."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator

from reflact.contracts import UpdateMode


def _as_text(value: Any) -> Any:
    return "" if value is None else value


def _as_count(value: Any) -> Any:
    digits = "".join(char for char in str(value) if char.isdigit())
    return max(1, int(digits[:6])) if digits else 1


Words = Annotated[str, BeforeValidator(_as_text)]
Count = Annotated[int, BeforeValidator(_as_count)]


class Reply(BaseModel):
    """Base of replies: keys we did not ask for are let pass, and dropped."""

    model_config = ConfigDict(extra="ignore")


class FailureDraft(Reply):
    """A failure pattern: its name, in how many of the trajectories it shows, and what goes wrong."""

    failure_type: Words = ""
    count: Count = 1
    description: Words = ""


class Ranking(Reply):
    """The most important items first, by their numbers."""

    reasoning: Words = ""
    selected_indices: list[int]


@cache
def analysis(mode: UpdateMode, *, success: bool) -> type[Reply]:
    """Return the reply type of an analyst: the patterns it saw, and a patch of *mode*'s items."""
    patterns: dict[str, Any] = (
        {"success_patterns": (list[str], Field(default_factory=list))}
        if success
        else {"failure_summary": (list[FailureDraft], Field(default_factory=list))}
    )
    items: Any = list[mode.draft]  # type: ignore[name-defined]
    inner: dict[str, Any] = {"reasoning": (Words, ""), mode.payload: (items, ...)}
    patch = create_model("PatchDraft", __base__=Reply, **inner)
    lift: Any = model_validator(mode="before")(_lift(mode.payload))
    fields: dict[str, Any] = {**patterns, "patch": (patch, ...)}
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
def merging(mode: UpdateMode) -> type[Reply]:
    """Return the reply type of a merge: *mode*'s items, each with the numbers of the items it was made from."""
    item: Any = create_model("MergedItem", __base__=mode.draft, sources=(list[int], Field(default_factory=list)))
    fields: dict[str, Any] = {"reasoning": (Words, ""), mode.payload: (list[item], ...)}
    return create_model("Merge", __base__=Reply, **fields)
