"""The MMRB score: by label, in order where an order is asked for, or by the text of a short answer."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from reflact.kit.answers import Answer, extract_answer, without_reasoning
from reflact.kit.boxed import extract_boxed
from reflact.kit.judge import Verdict, judged
from reflact.kit.qa import Grade
from reflact.kit.text import shorten

from reflact_env_mmrb.compare import holds, labels_in, number, plain

Mode = Literal["never", "auto", "always"]
Match = Literal["contains", "strict"]
_BRACKETS = re.compile(r"\bAnswer\s*\[([^\[\]]*)\]", re.IGNORECASE)
_STATED = re.compile(
    r"\W*(?:final answer|(?:so |thus,? |therefore,? )?the answer is|answer)(?=[\s:*])[\s:*]*(\S.*)", re.I
)
_BARE_WORDS = 5
LONGEST = 2000
"""The most characters of an answer that are looked at."""


class Decision(NamedTuple):
    """Whether an answer is right, whether a rule can tell for sure, and the rule."""

    right: bool
    sure: bool
    rule: str


def read_answer(reply: str) -> Answer:
    """Return the answer in *reply*: in its last `<answer>` tag, its last box, or `Answer[…]`.

    Without these: a tag that is never closed, a last line such as "The answer is …", or a reply of up to five words.
    There is no other answer in a reply, and never all of a longer one.
    """
    found = _found(reply)
    return Answer(found.text[:LONGEST], found.how)


def _found(reply: str) -> Answer:
    marked = extract_answer(reply, fallback=False)
    if marked.how == "tag":
        return marked
    boxed = extract_boxed(reply)
    if boxed.how == "box":
        return boxed
    text = without_reasoning(reply)
    if brackets := _BRACKETS.findall(text):
        return Answer(brackets[-1].strip(), "box")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if boxed.how == "unclosed" or not lines:
        return boxed
    stated = _STATED.fullmatch(lines[-1])
    if stated:
        return Answer(stated[1].strip(), "fallback")
    return Answer(lines[0], "fallback") if len(lines) == 1 and len(text.split()) <= _BARE_WORDS else boxed


def decide(answer: Answer, data: Mapping[str, Any], *, match: Match = "contains") -> Decision:
    """Return whether *answer* is right by rule; *match* `contains` also takes a short answer that holds the gold."""
    if not answer.text:
        return Decision(False, True, "no answer")
    said, gold = answer.text, data["answer"]
    if data["labels"]:
        labels = labels_in(answer, data["options"], count=len(data["labels"]))
        return Decision(list(labels) == data["labels"], bool(labels), "labels" if labels else "no label")
    if plain(said) == plain(gold):
        return Decision(bool(plain(said)) or said == gold, True, "same text")
    numbers = number(said), number(gold)
    if None not in numbers:
        return Decision(numbers[0] == numbers[1], True, "number")
    if match == "contains" and holds(said, gold):
        return Decision(True, True, "holds it")
    return Decision(False, False, "unlike text")


def grade(reply: str, data: Mapping[str, Any], *, match: Match, mode: Mode, verdict: Callable[[str], Verdict]) -> Grade:
    """Return the grade of *reply* to the question *data*; `hard` and `soft` are 1 for a right answer.

    *verdict* asks the judge about an answer: in *mode* `auto` where no rule is sure, in `always` about all. `extra`
    tells `parsed` and `official_correct`: the published accuracy, over parsed replies, and parse rate follow from them.
    Source: Cheng et al., "Evaluating MLLMs with Multimodal Multi-image Reasoning Benchmark" (2025, arXiv 2506.04280),
    which counts an answer that equals the expected one, holds it, or is held by it, in capitals.
    """
    answer = read_answer(reply)
    decision = decide(answer, data, match=match)
    asks = bool(answer.text) and (mode == "always" or (mode == "auto" and not decision.sure))
    facts = {
        "evaluation_mode": "mmrb_v2",
        "decided_by": "judge" if asks else decision.rule,
        "predicted_label": " ".join(labels_in(answer, data["options"], count=0)) if data["is_choice"] else "",
        "extraction": answer.how,
        "parsed": bool(answer.text),
        "official_correct": _official(answer.text, data),
    }
    if asks:
        return judged(verdict(answer.text), answer=answer.text, expected=expected(data), extra=facts)
    told = f"{'choice' if data['is_choice'] else 'answer'}=0: {decision.rule}, got {shorten(answer.text, 300)!r}"
    feedback = "" if decision.right else f"{told}, expected {expected(data)[0]!r}"
    score = float(decision.right)
    return Grade(hard=score, soft=score, answer=answer.text, feedback=feedback, extra=facts)


def expected(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is right, for the teacher and the judge: the label with its option's text, or the answer."""
    labels = data["labels"]
    text = data["options"].get(labels[0], "") if len(labels) == 1 else ""
    return (f"{labels[0]}: {text}",) if text else (", ".join(labels) or data["answer"],)


def _official(said: str, data: Mapping[str, Any]) -> bool:
    one, other = said.strip().upper(), (", ".join(data["labels"]) or data["answer"]).upper()
    return bool(one) and (one in other or other in one)
