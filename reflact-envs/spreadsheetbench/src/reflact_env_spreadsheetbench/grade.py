"""From the runs of a program on every case to a score (arXiv 2406.14991: soft and hard restriction)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reflact.kit.qa import Grade
from reflact.kit.text import shorten

from reflact_env_spreadsheetbench.judge import Judged

Stage = Literal["extract", "exec", "eval"]
FEEDBACK_CHARS = 12_000
MOST_SHOWN = 50
UNSCORABLE = (
    "A case depends on a formula whose value is not known here, so that it is neither right nor wrong: install "
    "LibreOffice (24.8 or later knows XLOOKUP, FILTER and LET), or have values written instead of formulas."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What became of one case: how far it got, and the verdict there."""

    no: int
    stage: Stage
    judged: Judged

    @property
    def passed(self) -> bool:
        """Whether it is solved."""
        return self.judged.verdict == "pass"


def grade(program: str, results: Sequence[CaseResult], *, recalc: str, refused: str = "") -> Grade:
    """Return the grade of *program* from the *results* of its cases: soft the share that passes, hard whether all do.

    Where it hangs on a case nobody can judge whether all pass, the grade has the outcome `judge_error`, which no score
    counts. Where another case fails it is 0 all the same, and soft the share known to pass. *refused* says why there is
    no program at all.
    """
    passed = sum(one.passed for one in results)
    failed = [one for one in results if one.judged.verdict == "fail"]
    unscorable = [one for one in results if one.judged.verdict == "unscorable"]
    undecided = bool(unscorable) and not failed
    first = next(iter((*failed, *unscorable)), None)
    reason = refused or (first.judged.reason if first else "")
    return Grade(
        hard=float(bool(results) and passed == len(results)),
        soft=passed / len(results) if results else 0.0,
        answer=program,
        feedback=_feedback(results, unscorable=bool(unscorable), refused=refused),
        outcome="judge_error" if undecided else "ok",
        error=f"unscorable: {reason}" if undecided else None,
        extra={
            "fail_reason": shorten(reason, 600),
            "code_ok": bool(program),
            "exec_ok": bool(results) and all(one.stage == "eval" for one in results),
            "n_cases": len(results),
            "n_exec_pass": sum(one.stage == "eval" for one in results),
            "n_pass": passed,
            "n_unscorable": len(unscorable),
            "unscorable": undecided,
            "recalc": recalc,
            "cases": [_told(one) for one in results],
        },
    )


def _told(one: CaseResult) -> dict[str, Any]:
    judged = one.judged
    facts = {"no": one.no, "stage": one.stage, "ok": one.passed, "verdict": judged.verdict}
    return facts | ({"pass_via": judged.via} if judged.via else {"reason": shorten(judged.reason, 300)})


def _feedback(results: Sequence[CaseResult], *, unscorable: bool, refused: str) -> str:
    lines = [f"no program was run: {refused}"] if refused else []
    for one in results:
        judged = one.judged
        how = f" ({judged.via})" if judged.via == "recalc" else ""
        lines.append(f"case {one.no}: {judged.verdict.upper()}{how}" + (f": {judged.reason}" if judged.reason else ""))
        lines += [f"  {wrong}" for wrong in judged.wrong[:MOST_SHOWN]]
        if len(judged.wrong) > MOST_SHOWN:
            lines.append(f"  … and {len(judged.wrong) - MOST_SHOWN} more wrong cells")
    return shorten("\n".join([*lines, *([UNSCORABLE] if unscorable else [])]), FEEDBACK_CHARS)
