"""The env searchqa with students that say what they are told."""

from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from reflact import Skill, Task
from reflact.kit.scripted import EchoStudent
from reflact.kit.templates import Templates
from reflact_env_searchqa.config import SearchQAConfig
from reflact_env_searchqa.env import SearchQA
from reflact_env_searchqa.sample import write_sample


def searchqa(folder: Path, **config: Any) -> SearchQA:
    write_sample(folder / "sample", 30, 7)
    return SearchQA(SearchQAConfig(data_path=str(folder / "sample"), **config))


def task(**data: Any) -> Task:
    return Task(id="t", kind="qa", data={"question": "this place", "context": "[DOC] x", "answers": ["Ansel"], **data})


def test_a_student_that_knows_some_answers_has_just_that_accuracy(tmp_path: Path) -> None:
    env = searchqa(tmp_path)
    tasks = [one for split in ("train", "val", "test") for one in env.tasks(split)]
    known = {one.data["question"]: env.gold(one) for one in tasks if int(sha256(one.id.encode()).hexdigest(), 16) % 3}

    def reply(prompt: str) -> str:
        return known.get(prompt.rpartition("## Question\n\n")[2], "<answer>unknown</answer>")

    rollouts = [env.run(one, skill=Skill(""), student=EchoStudent(reply), workdir=tmp_path) for one in tasks]
    assert sum(one.hard for one in rollouts) == len(known)
    assert 0 < len(known) < len(tasks)


def test_the_prompt_is_context_then_question(tmp_path: Path) -> None:
    student = EchoStudent("<answer>Ansel</answer>")
    searchqa(tmp_path).run(task(), skill=Skill("s"), student=student, workdir=tmp_path)
    assert student.prompts == ["## Context\n\n[DOC] x\n\n## Question\n\nthis place"]


def test_one_turn_is_one_call_whatever_comes_back(tmp_path: Path) -> None:
    student = EchoStudent("no tag")
    rollout = searchqa(tmp_path).run(task(), skill=Skill(""), student=student, workdir=tmp_path)
    assert len(student.prompts) == 1
    assert (rollout.hard, rollout.answer, rollout.extra["n_turns"]) == (0.0, "no tag", 1)


def test_further_turns_keep_question_context_and_attempts_and_end_with_a_tag(tmp_path: Path) -> None:
    replies = iter(["I am not sure", "perhaps <answer>Ansel", "<answer>Ansel</answer>", "never asked"])
    student = EchoStudent(lambda _: next(replies))
    rollout = searchqa(tmp_path, max_turns=9).run(task(), skill=Skill(""), student=student, workdir=tmp_path)
    assert (rollout.hard, rollout.extra["n_turns"], len(student.prompts)) == (1.0, 3, 3)
    last = student.prompts[2]
    parts = ("[DOC] x", "this place", "## Previous attempt 1\n\nI am not sure", "perhaps <answer>Ansel")
    assert all(part in last for part in parts)


def test_a_tag_in_the_first_reply_ends_it(tmp_path: Path) -> None:
    student = EchoStudent("<answer>wrong</answer>")
    searchqa(tmp_path, max_turns=3).run(task(), skill=Skill(""), student=student, workdir=tmp_path)
    assert len(student.prompts) == 1


def test_an_answer_that_was_cut_away_is_told_from_a_reading_error(tmp_path: Path) -> None:
    long = "[DOC] " + "x" * 90 + " [DOC] Ansel is here"
    cut = searchqa(tmp_path, max_context_chars=10).run(
        task(context=long), skill=Skill(""), student=EchoStudent(""), workdir=tmp_path
    )
    whole = searchqa(tmp_path).run(task(context=long), skill=Skill(""), student=EchoStudent(""), workdir=tmp_path)
    assert (cut.extra["context_truncated"], cut.extra["answer_in_context"]) == (True, False)
    assert (whole.extra["context_truncated"], whole.extra["answer_in_context"]) == (False, True)


def test_the_rollout_tells_the_teacher_question_and_golds(tmp_path: Path) -> None:
    rollout = searchqa(tmp_path).run(task(), skill=Skill(""), student=EchoStudent("x"), workdir=tmp_path)
    assert (rollout.question, rollout.expected, rollout.kind) == ("this place", ("Ansel",), "qa")


@pytest.mark.parametrize("skill", ["", " \n"])
def test_a_blank_skill_leaves_no_heading(skill: str) -> None:
    assert "## Skill" not in system(skill)


def test_a_skill_gets_into_the_system_prompt_unchanged() -> None:
    skill = "{x} {{y}} {% z %} $w \\n \r\n</answer> 東"
    assert system(skill).endswith(f"## Skill\n\n{skill}")


def system(skill: str) -> str:
    return Templates(files("reflact_env_searchqa") / "prompts").render("student.md.j2", skill=skill)
