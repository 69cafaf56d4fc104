"""The BabyVision score: the boxed answer by rule where a rule decides, by the judge where none does."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from reflact.kit.answers import Answer
from reflact.kit.boxed import extract_boxed
from reflact.kit.choices import read_choice
from reflact.kit.judge import Verdict, judged
from reflact.kit.qa import Grade
from reflact.kit.text import shorten

Mode = Literal["auto", "always", "never"]
AskJudge = Callable[[str], Verdict]

_WRAPPED = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_PLAIN_GOLD = re.compile(r"[a-z]|[-+]?\d+(\.\d+)?(,[-+]?\d+(\.\d+)?)*")
_NOISE = re.compile(r"[\s$*]|\\[,;! ]")


def grade(reply: str, data: Mapping[str, Any], *, mode: Mode, ask: AskJudge) -> Grade:
    """Return the grade of *reply* to the puzzle *data*; `hard` and `soft` are 1 for a right answer.

    Without a boxed answer it is 0, and nobody is asked. A label or an option's text, or a text that equals an accepted
    one, decides; else *ask* is given the answer, unless *mode* is `never`, which makes it wrong. With `always` the
    judge decides in each case, as in the official evaluation (arXiv 2601.06521).
    """
    found = extract_boxed(reply)
    answer = unicodedata.normalize("NFKC", found.text).strip()
    options: Mapping[str, str] = data["options"]
    label = read_choice(Answer(answer, found.how), _normal(options)).label if options and answer else ""
    facts = {
        "answer_from": found.how,
        "ans_type": "choice" if options else "blank",
        "type": data["type"],
        **({"predicted_label": label, "correct_label": data["label"]} if options else {}),
    }
    wanted = expected(data)
    if not answer:
        told = f"no_final_answer: the reply holds no boxed answer, expected {_listed(wanted)}"
        return Grade(hard=0.0, soft=0.0, feedback=told, extra={**facts, "decided_by": "nothing"})
    right = _decided(answer, label, data)
    if mode == "always" or (right is None and mode == "auto"):
        verdict = ask(found.text)
        return judged(verdict, answer=found.text, expected=wanted, extra={**facts, "decided_by": "judge"})
    score = float(bool(right))
    told = f"wrong_answer: got {shorten(found.text, 300)!r}, expected {_listed(wanted)}"
    extra = {**facts, "decided_by": "rule"}
    return Grade(hard=score, soft=score, answer=found.text, feedback="" if score else told, extra=extra)


def same_text(answer: str, gold: str) -> bool:
    """Return whether two answers are equal but for case, white space, width of letters, LaTeX wrappers and brackets
    around the whole: `(4, 7)`, `4,7` and `（4，7）` are. Never for an answer of which nothing is left."""
    said = _bare(answer)
    return bool(said) and said == _bare(gold)


def needs_judge(data: Mapping[str, Any]) -> bool:
    """Return whether an answer that differs from the accepted ones may still be right: they are words, not figures."""
    return not data["options"] and not all(_PLAIN_GOLD.fullmatch(_bare(gold)) for gold in data["answers"])


def expected(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a right answer says: the label, or the accepted texts."""
    return (data["label"],) if data["options"] else tuple(data["answers"])


def _decided(answer: str, label: str, data: Mapping[str, Any]) -> bool | None:
    """Return what a rule says of *answer*; None where none can tell."""
    if data["options"]:
        return label == data["label"] if label else None
    return True if any(same_text(answer, gold) for gold in data["answers"]) else None


def _normal(options: Mapping[str, str]) -> dict[str, str]:
    return {label: unicodedata.normalize("NFKC", text) for label, text in options.items()}


def _bare(text: str) -> str:
    plain = _NOISE.sub("", _WRAPPED.sub(r"\1", unicodedata.normalize("NFKC", text))).casefold().rstrip(".。")
    while len(plain) > 1 and _BRACKETS.get(plain[0]) == plain[-1] and _encloses(plain):
        plain = plain[1:-1]
    return plain if plain.strip("()[]{}") else ""


def _encloses(text: str) -> bool:
    """Whether the bracket that opens *text* is closed at its very end."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char == text[0]) - (char == text[-1])
        if not depth:
            return place == len(text) - 1
    return False


def _listed(golds: Sequence[str]) -> str:
    return " or ".join(map(repr, golds[:5]))
