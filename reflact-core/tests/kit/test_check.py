"""What a check finds in envs with one fault each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from reflact.config.schema import Config
from reflact.contracts import EnvSpec, Student
from reflact.kit.check import check_env
from reflact.kit.judge import Judge, judged
from reflact.kit.qa import Grade, graded, regraded
from reflact.types import Rollout, Skill, Split, Task

FACTS = {"France": "Paris", "Kenya": "Nairobi", "Chile": "Santiago"}


def capitals() -> dict[Split, list[Task]]:
    names: tuple[Split, ...] = ("train", "val", "test")
    return {
        split: [Task(id=land, data={"question": land, "gold": city})]
        for split, (land, city) in zip(names, FACTS.items(), strict=True)
    }


def ask(task: Task) -> str:
    return f"Name the capital of {task.data['question']}."


def is_right(answer: str, gold: str) -> float:
    return float(gold in answer)


@dataclass
class Capitals:
    """A right env; every test breaks one part of it."""

    splits: Callable[[], Mapping[Split, Sequence[Task]]] = capitals
    prompt: Callable[[Task], str] = ask
    score: Callable[[str, str], float] = is_right
    skill: Callable[[Skill], Skill] = lambda skill: skill

    def tasks(self, split: Split) -> Sequence[Task]:
        return self.splits()[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        answer = student.answer(self.prompt(task), skill=self.skill(skill), workdir=workdir)
        hard = self.score(answer, task.data["gold"])
        return Rollout(
            task_id=task.id, hard=hard, soft=hard, question=task.data["question"], expected=(task.data["gold"],)
        )

    def gold(self, task: Task) -> str:
        return str(task.data["gold"])


def found(env: Any, folder: Path, **changes: Any) -> list[tuple[str, str, str]]:
    spec = EnvSpec(name="capitals", config=Config, build=lambda _: env, **changes)
    return [(one.level, one.rule, one.message) for one in check_env(env, spec, workdir=folder)]


def with_task(split: Split, *tasks: Task) -> Callable[[], Mapping[Split, Sequence[Task]]]:
    return lambda: {**capitals(), split: tasks}


def test_nothing_is_found_in_a_right_env(tmp_path: Path) -> None:
    assert found(Capitals(), tmp_path) == []


def test_an_exec_env_is_run_with_an_exec_student(tmp_path: Path) -> None:
    seen: list[str] = []

    class Watching(Capitals):
        def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
            seen.append(student.kind)
            return super().run(task, skill=skill, student=student, workdir=workdir)

    assert found(Watching(), tmp_path, students=frozenset({"exec"})) == []
    assert set(seen) == {"exec"}


@pytest.mark.parametrize(
    ("env", "rule", "message"),
    [
        (Capitals(splits=with_task("val")), "splits", "the val split is empty"),
        (
            Capitals(splits=with_task("val", Task(id="France", data={"question": "x", "gold": "Rome"}))),
            "splits",
            "id 'France' occurs twice, in train and val",
        ),
        (
            Capitals(splits=with_task("val", Task(id="v", data={"question": "x", "gold": "Rome", "at": (1, 2)}))),
            "json",
            "task 'v': its data come back from JSON changed",
        ),
        (
            Capitals(splits=with_task("val", Task(id="v", data={"question": "x", "gold": "Rome", "at": Path()}))),
            "json",
            "task 'v': its data cannot be written as JSON",
        ),
        (Capitals(score=lambda answer, gold: 0.0), "grading", "the right reply 'Paris' scores hard 0, soft 0"),
        (Capitals(score=lambda answer, gold: float(bool(answer))), "grading", "the wrong reply 'There is no such"),
        (Capitals(score=lambda answer, gold: float(answer in gold)), "grading", "the empty reply '' scores hard 1"),
        (Capitals(skill=lambda skill: Skill(skill.text.strip("."))), "skill", "does not get the skill as it is"),
        (
            Capitals(prompt=lambda task: f"{ask(task)} ({task.data['gold']})"),
            "sealed",
            "task 'France': the prompt holds data['gold']",
        ),
    ],
)
def test_a_fault_is_found_and_named(tmp_path: Path, env: Capitals, rule: str, message: str) -> None:
    errors = [(name, text) for level, name, text in found(env, tmp_path) if level == "error"]
    assert {name for name, _ in errors} == {rule}
    assert any(message in text for _, text in errors)


def test_an_order_that_changes_is_found(tmp_path: Path) -> None:
    calls = iter(range(99))

    def splits() -> Mapping[Split, Sequence[Task]]:
        more = [Task(id="Peru", data={"question": "Peru", "gold": "Lima."}), *capitals()["train"]]
        return {**capitals(), "train": more[:: 1 if next(calls) % 2 else -1]}

    assert ("error", "order", "tasks('train') differs from call to call") in found(Capitals(splits=splits), tmp_path)


def test_an_env_without_gold_is_warned_about(tmp_path: Path) -> None:
    class Silent:
        def __init__(self) -> None:
            self.tasks, self.run = Capitals().tasks, Capitals().run

    assert [one[:2] for one in found(Silent(), tmp_path)] == [("warning", "grading")]


@pytest.mark.parametrize(("last", "errors"), [("Paris", 0), ("Rome", 3)])
def test_where_a_right_answer_takes_several_replies_a_player_gives_them(tmp_path: Path, last: str, errors: int) -> None:
    class Dialogue(Capitals):
        def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
            said = [student.answer(self.prompt(task), skill=skill, workdir=workdir) for _ in range(2)]
            hard = float(said == ["let me think", "Paris"])
            return Rollout(task_id=task.id, hard=hard, soft=hard)

        def player(self, task: Task) -> Callable[[str], str]:
            replies = iter(["let me think", last])
            return lambda _: next(replies)

    told = found(Dialogue(), tmp_path)
    assert len(told) == errors
    assert all(rule == "grading" and "reply of its player scores hard 0" in message for _, rule, message in told)


def test_ids_that_differ_in_case_only_are_warned_about(tmp_path: Path) -> None:
    env = Capitals(splits=with_task("val", Task(id="france", data={"question": "x", "gold": "Rome"})))
    assert [one[:2] for one in found(env, tmp_path)] == [("warning", "ids")]


def test_one_content_in_two_splits_is_warned_about(tmp_path: Path) -> None:
    env = Capitals(splits=with_task("val", Task(id="again", data=capitals()["train"][0].data)))
    assert [one[:2] for one in found(env, tmp_path)] == [("warning", "splits")]


def test_options_may_be_shown_and_a_gold_list_may_not(tmp_path: Path) -> None:
    def tasks(field: str, value: object) -> Callable[[], Mapping[Split, Sequence[Task]]]:
        return with_task("val", Task(id="v", data={"question": "Italy", "gold": "Rome", field: value}))

    def shown(task: Task) -> str:
        return f"{ask(task)} {task.data.get('options', '')} {task.data.get('golds', '')}"

    options = Capitals(splits=tasks("options", ["Rome", "Milan"]), prompt=shown)
    golds = Capitals(splits=tasks("golds", ["Rome"]), prompt=shown)
    assert found(options, tmp_path) == []
    assert [one[1:] for one in found(golds, tmp_path)] == [
        ("sealed", "task 'v': the prompt holds data['golds'], the expected answer")
    ]


def test_an_answer_that_the_question_holds_may_be_shown(tmp_path: Path) -> None:
    copying = Task(id="v", data={"question": "Rome or Milan", "gold": "Rome", "hint": "Rome"})
    env = Capitals(splits=with_task("val", copying), prompt=lambda task: f"{ask(task)} {task.data.get('hint', '')}")
    assert found(env, tmp_path) == []


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ skill | upper }}", "does not hold the skill as it is"),
        ("{{ skill }} {{ tone }}", "cannot be rendered from `skill` alone: 'tone' is undefined"),
        ("{{ skill }", "cannot be rendered from `skill` alone"),
    ],
)
def test_a_student_template_that_loses_the_skill_is_found(tmp_path: Path, template: str, message: str) -> None:
    (tmp_path / "student.md.j2").write_text(template, encoding="utf-8")
    ((level, rule, text),) = found(Capitals(), tmp_path, prompts=tmp_path)
    assert (level, rule) == ("error", "skill")
    assert message in text


@pytest.mark.parametrize(("lenient", "rules"), [(False, set()), (True, {"regrading"})])
def test_a_score_that_is_another_when_graded_again_is_found(tmp_path: Path, lenient: bool, rules: set[str]) -> None:
    class Regrading(Capitals):
        def regrade(self, task: Task, rollout: Rollout) -> Rollout:
            def grade(reply: str) -> Grade:
                right = 1.0 if lenient else is_right(reply, task.data["gold"])
                return Grade(hard=right, soft=right)

            return regraded(rollout, grade)

    findings = found(Regrading(), tmp_path)
    assert {rule for _, rule, _ in findings} == rules
    if lenient:
        assert "the wrong reply scores (0.0, 0.0) (hard, soft), and (1.0, 1.0) when graded again" in findings[0][2]


def test_an_env_that_asks_a_judge_is_checked_with_a_judge_that_knows(tmp_path: Path) -> None:
    class Judged(Capitals):
        def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
            golds = [str(task.data["gold"])]
            answer = student.answer(self.prompt(task), skill=skill, workdir=workdir)
            verdict = Judge()(question=ask(task), golds=golds, answer=answer, student=student)
            return graded(task, judged(verdict, answer=answer, expected=golds))

    assert not found(Judged(), tmp_path, judge=True)
