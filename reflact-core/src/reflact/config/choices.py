"""The values some keys may be spelled with, and the one value `use_gate` may have."""

from collections.abc import Callable, Mapping
from typing import Any

LR_CONTROL: Mapping[str, str] = {
    "manual": "fixed",
    "scheduler": "fixed",
    "scheduled": "fixed",
    "auto": "autonomous",
    "teacher": "autonomous",
    "optimizer": "autonomous",
    "off": "none",
    "no_lr": "none",
}
PAIR_POLICY: Mapping[str, str] = {
    "default": "mixed",
    "random": "mixed",
    "all": "mixed",
    "change": "changed",
    "delta": "changed",
    "10_01": "changed",
    "01_10": "changed",
    "stable": "unchanged",
    "same": "unchanged",
    "00_11": "unchanged",
}
UPDATE_MODE: Mapping[str, str] = {
    "edits": "patch",
    "rewrite": "rewrite_from_suggestions",
    "suggestions": "rewrite_from_suggestions",
    "rewrite_suggestions": "rewrite_from_suggestions",
    "full_rewrite": "full_rewrite_minibatch",
    "minibatch_full_rewrite": "full_rewrite_minibatch",
    "skill_rewrite_minibatch": "full_rewrite_minibatch",
}

ON = frozenset({"true", "yes", "on", "1"})
OFF = frozenset({"false", "no", "off", "0", "none", "null", "", "0.0"})


def one_of(aliases: Mapping[str, str]) -> Callable[[Any], Any]:
    """Return a function that turns an alias, in any case, into its value and leaves everything else alone."""

    def canonical(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        lowered = value.strip().lower()
        return aliases.get(lowered, lowered if lowered in aliases.values() else value)

    return canonical


def truth(text: str) -> bool | str:
    """Return what *text* says in the words of the old command line, or *text* when it says neither."""
    lowered = text.strip().lower()
    return True if lowered in ON else False if lowered in OFF else text


def gate_is_on(value: Any) -> Any:
    """Return True for any way to say yes. Raises `ValueError` for any way to say no."""
    said = truth(str(value)) if value else False
    if said is False:
        raise ValueError("the gate is always on: a candidate is never taken without it; remove the key")
    return said
