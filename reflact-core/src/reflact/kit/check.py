"""What must hold for every env, asked of one env without a model: the core of `reflact check` and `EnvContract`."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Literal

from jinja2 import TemplateError

from reflact.contracts import Env, EnvSpec, SupportsCheck
from reflact.data.ids import content_hash, safe_id
from reflact.data.splits import check_splits
from reflact.errors import DataError
from reflact.kit.leaks import expected_answers, leaked
from reflact.kit.scripted import EchoStudent
from reflact.llm.prompts import Prompts
from reflact.types import Rollout, Skill, Split, Task

WRONG = "There is no such answer; this reply is wrong on purpose."
SKILL = "Rule 1: keep {braces}, {{ double }}, {% tags %}, $dollars, back\\slashes\r\nand </answer> as they are — ü 🏔."

_NO_GOLD = "the env has no gold(task) -> reply, so that a right answer could not be tried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a check found; an `error` makes scores wrong, a `warning` is for the author to judge."""

    rule: str
    message: str
    level: Literal["error", "warning"] = "error"


def check_env(env: Env, spec: EnvSpec, *, workdir: Path, tasks_per_split: int = 20) -> list[Finding]:
    """Return what is wrong with *env*; an empty list is good. Up to *tasks_per_split* tasks are run, in *workdir*.

    What *env* itself raises is passed on.
    """
    splits = splits_of(env)
    some = list(chain.from_iterable(tasks[:tasks_per_split] for tasks in splits.values()))
    run = Trial(env, spec, workdir)
    return [
        *disjoint(splits),
        *named(splits),
        *stable(env, splits),
        *json_only(splits),
        *graded(run, some),
        *prompted(run, some),
        *sealed(run, some),
    ]


@dataclass(frozen=True, slots=True)
class Trial:
    """An env and a place to run it in."""

    env: Env
    spec: EnvSpec
    workdir: Path

    def __call__(self, task: Task, reply: str, skill: str = "") -> tuple[Rollout, EchoStudent]:
        """Return what becomes of *task* when the student says *reply*, and that student."""
        student = EchoStudent(reply, kind="chat" if "chat" in self.spec.students else "exec")
        workdir = self.workdir / safe_id(task.id)
        return self.env.run(task, skill=Skill(skill), student=student, workdir=workdir), student


def splits_of(env: Env) -> Mapping[Split, tuple[Task, ...]]:
    """Return all tasks of *env* by split."""
    names: tuple[Split, ...] = ("train", "val", "test")
    return {split: tuple(env.tasks(split)) for split in names}


def disjoint(splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find empty splits, empty and repeated ids and, as a warning, tasks of one content in two splits."""
    tasks = {split: tuple(found) for split, found in splits.items()}
    try:
        check_splits(tasks, same_content=False)
    except DataError as error:
        yield Finding(rule="splits", message=str(error))
        return
    with_data = {split: tuple(task for task in found if task.data) for split, found in tasks.items()}
    if all(with_data.values()) and not any(json_only(splits)):
        try:
            check_splits(with_data)
        except DataError as error:
            yield Finding(rule="splits", message=str(error), level="warning")


def named(splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find, as a warning, ids whose folders would be one where the file system ignores case."""
    alike: dict[str, set[str]] = defaultdict(set)
    for task in chain.from_iterable(splits.values()):
        alike[safe_id(task.id).casefold()].add(task.id)
    for ids in alike.values():
        if len(ids) > 1:
            message = f"ids {', '.join(map(repr, sorted(ids)))} differ in case only; some file systems mix them up"
            yield Finding(rule="ids", message=message, level="warning")


def stable(env: Env, splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find splits that *env* lists otherwise when asked again."""
    for split, tasks in splits.items():
        if list(env.tasks(split)) != list(tasks):
            yield Finding(rule="order", message=f"tasks({split!r}) differs from call to call")


def json_only(splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find tasks whose data are not JSON."""
    for task in chain.from_iterable(splits.values()):
        try:
            content_hash(task)
        except DataError as error:
            yield Finding(rule="json", message=str(error))
        else:
            if json.loads(json.dumps(dict(task.data))) != dict(task.data):
                message = f"task {task.id!r}: its data come back from JSON changed (a tuple, or a key that is no text)"
                yield Finding(rule="json", message=message)


def graded(run: Trial, tasks: Iterable[Task]) -> Iterator[Finding]:
    """Find right replies that do not score 1, wrong and empty ones that do not score 0, and scores out of range."""
    for task in tasks:
        gold = run.env.gold(task) if isinstance(run.env, SupportsCheck) else ""
        for what, reply, due in (("right", gold, 1.0), ("wrong", WRONG, 0.0), ("empty", "", 0.0)):
            if what == "right" and not gold:
                continue
            rollout, _ = run(task, reply)
            if rollout.task_id != task.id:
                yield Finding(rule="grading", message=f"task {task.id!r} came back as {rollout.task_id!r}")
            if not rollout.scored or rollout.error:
                reason = rollout.error or rollout.outcome
                yield Finding(rule="grading", message=f"task {task.id!r}: the {what} reply is not scored: {reason}")
            elif rollout.hard != due or not 0.0 <= rollout.soft <= 1.0:
                scores = f"hard {rollout.hard:g}, soft {rollout.soft:g}"
                message = f"task {task.id!r}: the {what} reply {reply[:80]!r} scores {scores}; hard must be {due:g}"
                yield Finding(rule="grading", message=message)
    if not isinstance(run.env, SupportsCheck):
        yield Finding(rule="grading", message=_NO_GOLD, level="warning")


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
