"""The grade of a reply: what its answer tag holds, in the eyes of who grades."""

from collections.abc import Callable

from reflact import Task
from reflact.kit.answers import extract_answer
from reflact.kit.judge import Verdict, judged
from reflact.kit.qa import Grade

RUBRIC = (
    "Numbers, dates and names in an answer must be those of the reference answer; more detail than it gives is no "
    "fault as long as it does not contradict it. An answer that names several possibilities without settling on one "
    "is not the reference answer."
)


def grade(reply: str, task: Task, verdict_on: Callable[[str], Verdict], *, judge: str) -> Grade:
    """Return the grade of *reply* to *task*: `hard` and `soft` are 1 when *verdict_on* its answer is `correct`.

    Only what the last `<answer>` tag holds is judged; without one the answer is blank, which is `not_attempted`.
    *judge* tells in `extra` who graded.
    Source: SealQA (arXiv 2506.01062), after SimpleQA (arXiv 2411.04368): correct, incorrect, not attempted. `groups` in
    `extra` let an evaluation tell their shares, the accuracy over what was attempted, and scores by freshness.
    """
    answer, how = extract_answer(reply, fallback=False)
    verdict = verdict_on(answer)
    attempted = "no" if verdict.grade == "not_attempted" else "yes"
    groups = {"grade": verdict.grade or "none", "attempted": attempted, "freshness": task.data["freshness"] or "none"}
    extra = {"judge": judge, "answer_from": how, "groups": groups}
    return judged(verdict, answer=answer, expected=task.data["answers"], extra=extra)
