"""One question, one graded rollout; templates; the student that says what it is told."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import jinja2
import pytest
from reflact.errors import DataError
from reflact.kit.qa import Grade, graded, regraded, single_round
from reflact.kit.scripted import EchoStudent
from reflact.kit.templates import Templates
from reflact.types import ChatRequest, ExecJob, Message, Rollout, Skill, Task

TASK = Task(id="q1", kind="short", data={})


def grade(reply: str) -> Grade:
    right = float(reply == "42")
    return Grade(hard=right, soft=right, answer=reply, feedback="" if right else "not 42", extra={"length": len(reply)})


@pytest.mark.parametrize("kind", ["chat", "exec"])
def test_a_round_asks_once_and_grades_the_reply(tmp_path: Path, kind: str) -> None:
    student = EchoStudent("41", kind=kind)  # type: ignore[arg-type]
    rollout = single_round(
        TASK,
        student=student,
        skill=Skill("Think."),
        workdir=tmp_path,
        prompt="6 * 7?",
        grade=grade,
        question="6 * 7?",
        expected=["42"],
    )
    assert (student.prompts, student.skills) == (["6 * 7?"], ["Think."])
    assert (rollout.task_id, rollout.kind, rollout.hard, rollout.soft) == ("q1", "short", 0.0, 0.0)
    assert (rollout.answer, rollout.expected, rollout.feedback, rollout.extra) == (
        "41",
        ("42",),
        "not 42",
        {"length": 2},
    )


def test_a_template_takes_values_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "ask.md.j2").write_text("{% if text %}\n# {{ text }}\n{% endif %}\n", encoding="utf-8")
    nasty = "{{ x }} {% y %} {#z#} $w \\n \r\n </answer> 😀"
    assert Templates(tmp_path).render("ask.md.j2", text=nasty) == f"# {nasty}\n"


def test_a_template_refuses_a_missing_variable_and_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "ask.md.j2").write_text("{{ text }}", encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError, match="'text' is undefined"):
        Templates(tmp_path).render("ask.md.j2")
    with pytest.raises(jinja2.TemplateNotFound, match=r"ask\.txt"):
        Templates(tmp_path).render("ask.txt")


def test_a_scripted_student_may_look_its_reply_up_in_the_prompt(tmp_path: Path) -> None:
    student = EchoStudent(lambda prompt: "yes" if "Rome" in prompt else "no")
    asked = ChatRequest(messages=(Message(role="system", content="Be brief."), Message(role="user", content="Rome?")))
    job = ExecJob(workdir=tmp_path, prompt="Milan?", skill=Skill("s"), timeout_s=1)
    assert (student.chat(asked).text, student.run(job).answer) == ("yes", "no")
    assert student.prompts == ["Be brief.\n\nRome?", "Milan?"]
    assert student.skills == ["s"]


def stored(**more: Any) -> Rollout:
    trace = (
        {"role": "user", "content": "6 * 7?"},
        {"role": "assistant", "content": "41"},
        {"role": "user", "content": "sure?"},
        {"role": "assistant", "content": "42"},
    )
    values = {"hard": 0.0, "soft": 0.0, "trace": trace, "extra": {"n_turns": 2}, **more}
    return Rollout(task_id="q1", **values)


def test_a_stored_rollout_is_graded_anew_from_its_last_reply() -> None:
    again = regraded(stored(outcome="truncated"), grade)
    assert (again.hard, again.answer, again.outcome) == (1.0, "42", "truncated")
    assert again.extra == {"n_turns": 2, "length": 2}


def test_grading_anew_what_was_just_graded_changes_nothing() -> None:
    first = replace(graded(TASK, grade("42")), trace=stored().trace)
    assert regraded(first, grade) == first


def test_a_rollout_that_never_got_a_reply_keeps_having_no_score() -> None:
    lost = stored(outcome="infra_error", trace=())
    assert regraded(lost, grade) == lost


def test_a_verdict_that_can_be_read_now_gives_a_score() -> None:
    found = regraded(stored(outcome="judge_error", error="no verdict"), grade)
    assert (found.outcome, found.error, found.scored) == ("ok", None, True)


def test_a_rollout_whose_reply_is_not_stored_is_refused() -> None:
    with pytest.raises(DataError, match="q1: no reply of the student is stored"):
        regraded(stored(trace=()), grade)
