"""The DocVQA score: ANLS, of which the mean is the official figure."""

import re
import unicodedata
from collections.abc import Sequence

from reflact.kit.anls import Variant, anls
from reflact.kit.answers import Answer, extract_answer
from reflact.kit.qa import Grade
from reflact.kit.text import shorten

LONGEST = 512
_LEAD = re.compile(r"^\W*(?:final answer|answer|the answer is)\b[\s:*_]*", re.IGNORECASE)


def read_answer(reply: str) -> Answer:
    """Return the answer in *reply*: in the last `<answer>` tag, else its last line without `Answer:` before it."""
    found = extract_answer(reply)
    text = _LEAD.sub("", found.text).strip() if found.how == "fallback" else found.text
    return Answer(text[:LONGEST], found.how)


def grade(
    reply: str,
    golds: Sequence[str],
    *,
    variant: Variant = "rrc",
    threshold: float = 0.999,
    unicode_normalize: bool = False,
) -> Grade:
    """Return the grade of *reply*: `soft` is the ANLS of its answer, the best over *golds*, `hard` whether it reaches
    *threshold*. No answer scores 0, and only the first 512 characters of one count. Without *golds* it is only read.

    Source: Mathew et al., "DocVQA" (WACV 2021, arXiv 2007.00398), section 5; see `reflact.kit.anls`.
    """
    answer, how = read_answer(reply)
    if not golds:
        return Grade(hard=0.0, soft=0.0, answer=answer, extra={"answer_from": how})
    said, *meant = (_plain(text) if unicode_normalize else text for text in (answer, *golds))
    score = anls(said, meant, variant=variant) if answer else 0.0
    exact = score == 1.0
    return Grade(
        hard=float(score >= threshold),
        soft=score,
        answer=answer,
        feedback="" if score >= threshold else f"anls={score:.2f}: {_missed(answer, golds, score)}",
        extra={"anls": round(score, 4), "exact": int(exact), "answer_from": how},
    )


def _missed(answer: str, golds: Sequence[str], score: float) -> str:
    wanted = " or ".join(map(repr, golds[:5]))
    if not answer:
        return f"no answer was given, expected {wanted}"
    return f"{'near miss' if score else 'wrong'}, read {shorten(answer, 300)!r}, expected {wanted}"


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
