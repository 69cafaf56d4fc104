"""The grade of a reply: its answer tag, scored by the rule that is configured."""

from collections.abc import Sequence

from reflact.kit.answers import extract_answer
from reflact.kit.qa import Grade
from reflact.kit.text import shorten

from reflact_env_officeqa import legacy, official
from reflact_env_officeqa.config import OfficeQAConfig

_TOLERANCES = {"score_tol_0_1": 0.001, "score_tol_1": 0.01, "score_tol_5": 0.05}


def grade(reply: str, golds: Sequence[str], config: OfficeQAConfig) -> Grade:
    """Return the grade of *reply*, the best over *golds*: only what its last `<answer>` tag holds counts.

    `extra` tells with which tolerance the official score would be 1: `score_tol_0_1` 0.1 %, and 1 % and 5 %.
    """
    answer, how = extract_answer(reply, fallback=False)
    if config.scorer == "legacy":
        right = any(legacy.is_right(gold, answer) for gold in golds)
    else:
        right = any(official.is_right(gold, answer, config.answer_tolerance) for gold in golds)
    near = {name: int(any(official.is_right(gold, answer, by) for gold in golds)) for name, by in _TOLERANCES.items()}
    partial = legacy.token_f1(answer, golds) if config.soft_metric == "token_f1" else float(right)
    return Grade(
        hard=float(right),
        soft=partial,
        answer=answer,
        feedback="" if right else _told(answer, how, golds, near),
        extra={**near, "answer_from": how},
    )


def _told(answer: str, how: str, golds: Sequence[str], near: dict[str, int]) -> str:
    wanted = " or ".join(map(repr, golds[:5]))
    if how == "none":
        return f"no <answer> tag in the last reply; expected {wanted}"
    close = {"score_tol_0_1": "0.1 %", "score_tol_1": "1 %", "score_tol_5": "5 %"}
    by = next((f", which is within {share}" for name, share in close.items() if near[name]), "")
    return f"answered {shorten(answer, 300)!r} but expected {wanted}{by}"
