"""Turn what validation found into sentences: where, which key, what is wrong, what was given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic_core import ErrorDetails

from reflact.config.secret import is_secret, public
from reflact.errors import ConfigError

Loc = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and the place it stands at."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}" if self.place else self.reason


def refuse(faults: Iterable[Fault]) -> None:
    """Raise one `ConfigError` with a line for each of *faults*; do nothing when there are none."""
    lines = list(dict.fromkeys(str(fault) for fault in faults))
    if lines:
        raise ConfigError("\n".join(lines))


def faults(
    errors: Iterable[ErrorDetails],
    *,
    find: Callable[[Loc], tuple[str, str]],
    known: Collection[str],
    everywhere: Collection[str],
    missing: str,
) -> list[Fault]:
    """Return a fault for each key that *errors* blame.

    *find* gives the place and the written key of a location; *known* are the keys of the section, *everywhere* those of
    all sections and the flat ones, so that a key in the wrong section is recognised; *missing* says what to do about a
    missing key.
    """
    by_key: dict[tuple[str, str], list[ErrorDetails]] = {}
    for error in errors:
        by_key.setdefault(find(error["loc"]), []).append(error)
    found: list[Fault] = []
    for (place, key), blamed in by_key.items():
        match blamed[0]["type"]:
            case "extra_forbidden":
                found.append(Fault(place, unknown_key(key, known, everywhere)))
            case "missing":
                found.append(Fault(place, f"{key}: missing; {missing}"))
            case _:
                found.append(Fault(place, f"{key}: {_reason(key, blamed)}"))
    return found


def unknown_key(key: str, known: Collection[str], everywhere: Collection[str]) -> str:
    """Return what to say of *key*: the nearest of *known*, or the key of the same name in another section."""
    name = _last(key).lstrip("-")
    candidates = [*known] if "." in key else [*known, *sorted(everywhere, key=lambda one: "." in one)]
    near = get_close_matches(name, [_last(one) for one in candidates], n=1)
    meant = [one for one in candidates if near and _last(one) == near[0]]
    if not get_close_matches(name, near, n=1, cutoff=0.85):
        meant = [one for one in everywhere if _last(one) == name and one != key] + meant
    hint = f"Did you mean {meant[0]!r}?" if meant else f"Known: {', '.join(sorted(known))}."
    return f"unknown key {key!r}. {hint}"


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _reason(key: str, found: list[ErrorDetails]) -> str:
    reasons = list(dict.fromkeys(_sentence(error) for error in found))
    given: Any = found[0]["input"]
    shown = "" if found[0]["type"] == "value_error" and isinstance(given, Mapping) else f" (got {_shown(key, given)})"
    return " or ".join(reasons) + shown


def _sentence(error: ErrorDetails) -> str:
    message = error["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _shown(key: str, given: Any) -> str:
    if is_secret(key):
        return "a hidden value"
    if given is None or isinstance(given, bool):
        return {None: "null", True: "true", False: "false"}[given]
    text = repr(public(given) if isinstance(given, str) else given)
    return text if len(text) <= 80 else f"{text[:77]}..."
