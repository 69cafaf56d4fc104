"""The SearchQA score: exact match and token F1, as for SQuAD."""

from collections.abc import Sequence

from reflact.kit.answers import extract_answer
from reflact.kit.qa import Grade
from reflact.kit.text import contains, exact_match, f1, shorten


def grade(reply: str, golds: Sequence[str]) -> Grade:
    """Return the grade of *reply*: `hard` is the exact match and `soft` the F1 of its answer, the best over *golds*.

    The answer is in the last `<answer>` tag, else the last line. `extra` holds `em`, `f1`, `answer_from`, and `sub_em`:
    whether a gold stands in the answer, for information only.
    Source: MRQA 2019 shared task, which scores SearchQA (Dunn et al. 2017, arXiv 1704.05179) like SQuAD v1.1.
    """
    answer, how = extract_answer(reply)
    right, partial = exact_match(answer, golds), f1(answer, golds)
    feedback = f"predicted {shorten(answer, 300)!r} but expected {_listed(golds)} (EM 0, F1 {partial:.2f})"
    return Grade(
        hard=float(right),
        soft=partial,
        answer=answer,
        feedback="" if right else feedback,
        extra={
            "em": int(right),
            "f1": round(partial, 4),
            "sub_em": int(contains(answer, golds)),
            "answer_from": how,
        },
    )


def _listed(golds: Sequence[str]) -> str:
    return " or ".join(map(repr, golds[:5]))
