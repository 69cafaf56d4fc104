"""What must hold when an env is run: right, wrong and empty replies, the skill, and answers kept from the student."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Literal

from jinja2 import TemplateError

from reflact.contracts import Env, EnvSpec, Regrades, SupportsCheck, SupportsPlay
from reflact.data.ids import safe_id
from reflact.kit.leaks import expected_answers, leaked
from reflact.kit.scripted import EchoStudent
from reflact.llm.prompts import Prompts
from reflact.types import Rollout, Skill, Task

WRONG = "There is no such answer; this reply is wrong on purpose."
SKILL = "Rule 1: keep {braces}, {{ double }}, {% tags %}, $dollars, back\\slashes\r\nand </answer> as they are — ü 🏔."

YES, NO = "true", "false"
"""What a judge says of a right reply and of any other, where an env asks one."""

_NO_GOLD = "the env has no gold(task) -> reply, so that a right answer could not be tried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a check found; an `error` makes scores wrong, a `warning` is for the author to judge."""

    rule: str
    message: str
    level: Literal["error", "warning"] = "error"


@dataclass(frozen=True, slots=True)
class Trial:
    """An env and a place to run it in."""

    env: Env
    spec: EnvSpec
    workdir: Path

    def __call__(
        self, task: Task, reply: str | Callable[[str], str], skill: str = "", verdict: str = NO
    ) -> tuple[Rollout, EchoStudent]:
        """Return what becomes of *task* when the student says *reply* and a judge *verdict*, and that student."""
        student = EchoStudent(reply, kind="chat" if "chat" in self.spec.students else "exec", verdict=verdict)
        workdir = self.workdir / safe_id(task.id)
        return self.env.run(task, skill=Skill(skill), student=student, workdir=workdir), student


def graded(run: Trial, tasks: Iterable[Task]) -> Iterator[Finding]:
    """Find right replies that do not score 1, wrong and empty ones that do not score 0, and scores out of range."""
    for task in tasks:
        right = _right(run.env, task)
        replies: tuple[tuple[str, str | Callable[[str], str], float], ...]
        replies = (("right", right, 1.0), ("wrong", WRONG, 0.0), ("empty", "", 0.0))
        for what, reply, due in replies:
            if what == "right" and not right:
                continue
            rollout, _ = run(task, reply, verdict=YES if due else NO)
            if rollout.task_id != task.id:
                yield Finding(rule="grading", message=f"task {task.id!r} came back as {rollout.task_id!r}")
            if not rollout.scored or rollout.error:
                reason = rollout.error or rollout.outcome
                yield Finding(rule="grading", message=f"task {task.id!r}: the {what} reply is not scored: {reason}")
            elif rollout.hard != due or not 0.0 <= rollout.soft <= 1.0:
                scores = f"hard {rollout.hard:g}, soft {rollout.soft:g}"
                said = repr(reply[:80]) if isinstance(reply, str) else "of its player"
                message = f"task {task.id!r}: the {what} reply {said} scores {scores}; hard must be {due:g}"
                yield Finding(rule="grading", message=message)
    if not isinstance(run.env, SupportsCheck | SupportsPlay):
        yield Finding(rule="grading", message=_NO_GOLD, level="warning")


def _right(env: Env, task: Task) -> str | Callable[[str], str]:
    """Return what does *task* right: the replies of a player, or one reply; nothing where the env knows none."""
    if isinstance(env, SupportsPlay):
        return env.player(task)
    return env.gold(task) if isinstance(env, SupportsCheck) else ""


def regraded(run: Trial, tasks: Iterable[Task]) -> Iterator[Finding]:
    """Find stored rollouts that are worth something else when they are graded again, where the env can do that."""
    if not isinstance(run.env, Regrades):
        return
    for task in tasks:
        gold = run.env.gold(task) if isinstance(run.env, SupportsCheck) else ""
        for what, reply in (("right", gold), ("wrong", WRONG), ("empty", "")):
            rollout, _ = run(task, reply, verdict=YES if what == "right" else NO)
            trace = rollout.trace or ({"role": "assistant", "content": reply},)
            again = run.env.regrade(task, replace(rollout, trace=trace))
            was, now = (rollout.hard, rollout.soft), (again.hard, again.soft)
            if now != was:
                message = f"task {task.id!r}: the {what} reply scores {was} (hard, soft), and {now} when graded again"
                yield Finding(rule="regrading", message=message)


def prompted(run: Trial, tasks: Iterable[Task]) -> Iterator[Finding]:
    """Find tasks in which the student is not asked or does not get the skill, and a template that changes it."""
    for task in tasks:
        _, student = run(task, WRONG, SKILL)
        if not student.prompts:
            yield Finding(rule="skill", message=f"task {task.id!r}: the student is never asked")
        elif not any(SKILL in seen for seen in (*student.skills, *student.prompts)):
            yield Finding(rule="skill", message=f"task {task.id!r}: the student does not get the skill as it is")
    roots = (*([run.spec.prompts] if run.spec.prompts else []), files("reflact.prompts") / "default")
    try:
        if SKILL not in Prompts(roots).text("student", skill=SKILL):
            yield Finding(rule="skill", message="student.md.j2 does not hold the skill as it is")
        Prompts(roots).text("student", skill="")
    except TemplateError as error:
        yield Finding(rule="skill", message=f"student.md.j2 cannot be rendered from `skill` alone: {error}")


def sealed(run: Trial, tasks: Iterable[Task]) -> Iterator[Finding]:
    """Find tasks whose expected answer gets from its field into the prompt."""
    for task in tasks:
        rollout, _ = run(task, WRONG)
        gold = run.env.gold(task) if isinstance(run.env, SupportsCheck) else ""
        for field in leaked(task, expected_answers(rollout, gold), lambda changed: run(changed, WRONG)[1].prompts):
            message = f"task {task.id!r}: the prompt holds data[{field!r}], the expected answer"
            yield Finding(rule="sealed", message=message)
