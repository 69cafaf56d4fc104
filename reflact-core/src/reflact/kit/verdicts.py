"""What a judge said: one grade of a scale, or nothing that counts. Read strictly, so that prose never decides."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from reflact.kit.answers import without_reasoning

_YES, _NO = ("true", "yes", "1"), ("false", "no", "0")
_KEYS = ("grade", "verdict", "correct")
_AROUND = " \t\r*_`'\"“”‘’#.,;:!()[]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The grades a judge may give, each with its meaning; `correct` and `incorrect` are always among them.

    `empty` is the grade of an answer that is blank, about which no judge is asked.
    """

    meanings: Mapping[str, str]
    empty: str = "incorrect"

    @property
    def words(self) -> Mapping[str, str]:
        """What a judge may write, in lower case -> the grade it means."""
        spelled = {spelling: grade for grade in self.meanings for spelling in (grade, grade.replace("_", " "))}
        return {**spelled, **dict.fromkeys(_YES, "correct"), **dict.fromkeys(_NO, "incorrect")}

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of a verdict."""
        return {
            "type": "object",
            "properties": {"reason": {"type": "string"}, "grade": {"type": "string", "enum": list(self.meanings)}},
            "required": ["reason", "grade"],
            "additionalProperties": False,
        }


TWO_GRADES = Scale(
    meanings={
        "correct": "it means the same as a reference answer and contradicts none of it",
        "incorrect": "anything else: another meaning, several answers at once, a part that is wrong, or no answer",
    }
)
THREE_GRADES = Scale(
    meanings={
        "correct": "it holds what a reference answer says and nothing that contradicts it",
        "incorrect": "something in it contradicts the reference answer, even when it is hedged",
        "not_attempted": "it gives no answer, or not the whole of it, and contradicts nothing",
    },
    empty="not_attempted",
)


class Reading(NamedTuple):
    """A grade, and why the judge gave it, where it said so."""

    grade: str
    reason: str = ""


def read_verdict(reply: str, scale: Scale) -> Reading | None:
    """Return the grade in *reply*, None when it does not say exactly one.

    Either the reply (reasoning and a code fence set aside) is a JSON object with `grade`, `verdict` or `correct`, alone
    or as a whole first or last line; or its first or last line is one word of the scale and nothing else. Where two
    of these disagree, and for every word that merely occurs in a sentence, there is no verdict.
    """
    text = _unfenced(without_reasoning(reply))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    whole = _from_json(text, scale)
    found = [whole] if whole else [one for one in (_from_line(lines[0], scale), _from_line(lines[-1], scale)) if one]
    return found[-1] if len({one.grade for one in found}) == 1 else None


def _from_line(line: str, scale: Scale) -> Reading | None:
    grade = scale.words.get(line.strip(_AROUND).lower())
    return Reading(grade) if grade else _from_json(line, scale)


def _from_json(text: str, scale: Scale) -> Reading | None:
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) for pair in pairs):
        return None
    grades = [scale.words.get(str(value).strip().lower()) for key, value in pairs if key in _KEYS]
    reason = next((value for key, value in pairs if key == "reason" and isinstance(value, str)), "")
    grade = grades[0] if grades and len(set(grades)) == 1 else None
    return Reading(grade, reason) if grade else None


def _unfenced(text: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1].strip() == "```":
        return "\n".join(lines[1:-1]).strip()
    return text.strip()
