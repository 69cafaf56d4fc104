"""The MathVerse score: by label, by spelling or by number where these can tell, else by the judge."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from reflact.kit.answers import Answer, extract_answer, without_reasoning
from reflact.kit.boxed import extract_boxed
from reflact.kit.judge import Verdict, judged
from reflact.kit.qa import Grade
from reflact.kit.text import shorten

from reflact_env_mathverse.latex import alike, number, plain, same_text
from reflact_env_mathverse.options import labels_in

Mode = Literal["auto", "always", "never"]
_LEAD = re.compile(r"^\W*(?:final answer|answer|(?:so |thus,? |therefore,? )?the answer is)\b[\s:*]*", re.IGNORECASE)
LONGEST = 2000
"""The most characters of an answer that are looked at."""


class Decision(NamedTuple):
    """Whether an answer is right, None where no rule can tell, and the rule that told."""

    right: bool | None
    rule: str


def read_answer(reply: str) -> Answer:
    """Return the answer in *reply*: in its last `<answer>` tag, else its last box, else its last line; not all of a
    very long one."""
    found = _found(reply)
    return Answer(found.text[:LONGEST], found.how)


def _found(reply: str) -> Answer:
    tagged = extract_answer(reply, fallback=False)
    boxed = extract_boxed(reply) if tagged.how != "tag" else tagged
    if boxed.how != "none":
        return boxed
    last = extract_answer(reply)
    return Answer(_LEAD.sub("", last.text).strip(), last.how)


def decide(answer: Answer, data: Mapping[str, Any]) -> Decision:
    """Return what can be told of *answer* without a judge.

    Labels decide a problem with options. Without options an equal spelling is right, and two bare numbers are compared;
    `0.5 m` and `50 cm`, or two forms of an equation, are left to the judge.
    """
    if not answer.text:
        return Decision(False, "no answer")
    if data["is_choice"]:
        return _by_label(answer, data)
    gold = data["answer"]
    if same_text(answer.text, gold):
        return Decision(True, "same text")
    said, meant = number(answer.text), number(gold)
    if said is None or meant is None or not alike(answer.text, gold):
        return Decision(None, "unlike text")
    return Decision(said == meant, "number")


def needs_judge(data: Mapping[str, Any]) -> bool:
    """Return whether a wrong answer to the problem *data* could only be told from a right one by a judge."""
    return not data["labels"] if data["is_choice"] else number(data["answer"]) is None


def grade(reply: str, data: Mapping[str, Any], *, mode: Mode, verdict: Callable[[str], Verdict]) -> Grade:
    """Return the grade of *reply* to the problem *data*; `hard` and `soft` are 1 for a right answer.

    *verdict* asks the judge about an answer. In *mode* `always` it decides alone, and is shown the end of a reply that
    marks no answer, so that it finds one there itself.
    Source: Zhang et al., "MathVerse" (ECCV 2024, arXiv 2403.14624): accuracy, each answer extracted and judged by a
    model, which is *mode* `always`.
    """
    answer = read_answer(reply)
    if mode == "always" and answer.how == "fallback":
        answer = Answer(without_reasoning(reply)[-LONGEST:], answer.how)
    decision = Decision(None, "judge") if mode == "always" and answer.text else decide(answer, data)
    facts = {
        "evaluation_mode": "mathverse_v2",
        "decided_by": decision.rule if decision.right is not None or mode == "never" else "judge",
        "predicted_label": " ".join(labels_in(answer, data["options"])) if data["is_choice"] else "",
        "answer_from": answer.how,
        **{name: data[name] for name in ("version", "subject", "subfield")},
        "question_type": "multi-choice" if data["is_choice"] else "free-form",
    }
    if decision.right is None and mode != "never":
        return judged(verdict(answer.text), answer=answer.text, expected=expected(data), extra=facts)
    score = float(bool(decision.right))
    told = f"{'choice' if data['is_choice'] else 'answer'}=0: {decision.rule}, got {shorten(answer.text, 300)!r}"
    feedback = "" if score else f"{told}, expected {expected(data)[0]!r}"
    return Grade(hard=score, soft=score, answer=answer.text, feedback=feedback, extra=facts)


def expected(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is right, for the teacher and the judge: the labels with their options' texts, or the answer."""
    labels = data["labels"]
    texts = [": ".join(filter(None, (label, data["options"].get(label, "")))) for label in labels]
    return ("; ".join(texts),) if texts else (data["answer"],)


def _by_label(answer: Answer, data: Mapping[str, Any]) -> Decision:
    said, meant = labels_in(answer, data["options"]), tuple(data["labels"])
    if meant and said:
        return Decision(said == meant, "label")
    same = plain(answer.text) == plain(data["answer"])
    return Decision(True if same else None, "same text" if same else "no label")
