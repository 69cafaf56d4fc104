"""The env qa from a file to rollouts."""

import json
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Rollout, Skill
from reflact.kit.scripted import EchoStudent
from reflact_env_qa.config import QAConfig
from reflact_env_qa.env import QA


def questions(n: int) -> list[dict[str, Any]]:
    return [{"id": f"q{k}", "question": f"Where is binder {k}?", "answer": f"B{k}"} for k in range(n)]


def jsonl(folder: Path, records: list[dict[str, Any]]) -> str:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def first(env: QA, reply: str, skill: str = "") -> tuple[Rollout, EchoStudent]:
    student = EchoStudent(reply)
    return env.run(env.tasks("train")[0], skill=Skill(skill), student=student, workdir=Path("unused")), student


def test_a_file_of_questions_is_a_benchmark(tmp_path: Path) -> None:
    env = QA(QAConfig(data_path=jsonl(tmp_path, questions(10))))
    assert [len(env.tasks(split)) for split in ("train", "val", "test")] == [2, 1, 7]
    rollout, student = first(env, env.gold(env.tasks("train")[0]))
    assert (rollout.hard, rollout.feedback) == (1.0, "")
    assert student.prompts == [rollout.question]
    assert rollout.expected == (rollout.answer,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "id,question,answer\n1,Where?,007\n2,When?,no\n3,Why?,1e3\n"),
        ("q.yaml", "1: {question: 'Where?', answer: 007}\n2: {question: 'When?', answer: no}\n"
                   "3:\n  question: Why?\n  answer: 1e3\n"),
    ],
)  # fmt: skip
def test_answers_in_text_files_are_what_was_written(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    env = QA(QAConfig(data_path=str(tmp_path / name)))
    golds = {task.id: task.data["answers"] for split in ("train", "val", "test") for task in env.tasks(split)}
    assert golds == {"1": ["007"], "2": ["no"], "3": ["1e3"]}


def test_a_faulty_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"questions\.jsonl:3: no field 'answer'"):
        QA(QAConfig(data_path=jsonl(tmp_path, [*questions(2), {"question": "Why?"}, *questions(9)[3:]])))


def test_context_choices_and_the_tag_are_shown_only_where_there_are_any(tmp_path: Path) -> None:
    records = [
        {**one, "context": "All is in bay 4.", "choices": ["left", "right"], "scorer": "choice", "answer": "left"}
        for one in questions(3)
    ]
    env = QA(QAConfig(data_path=jsonl(tmp_path, records), answer_format="tag"))
    rollout, student = first(env, "<answer>A</answer>")
    assert student.prompts == [
        "## Context\n\nAll is in bay 4.\n\n## Question\n\n" + rollout.question + "\n\nA. left\nB. right\n\n"
        "Put your final answer between <answer> and </answer>."
    ]
    assert rollout.hard == 1.0


def test_a_question_with_braces_is_asked_as_it_is(tmp_path: Path) -> None:
    nasty = "What is {{ 6 * 7 }} {% x %} {y} $z \\ </answer>?"
    records = [{"question": f"{nasty} {n}", "answer": "42"} for n in range(3)]
    _, student = first(QA(QAConfig(data_path=jsonl(tmp_path, records))), "42")
    assert student.prompts[0].startswith(nasty)


def test_the_student_gets_no_hint_of_the_answer_format(tmp_path: Path) -> None:
    _, student = first(QA(QAConfig(data_path=jsonl(tmp_path, questions(3)))), "x")
    assert student.prompts[0] in {one["question"] for one in questions(3)}


def test_a_pattern_has_no_gold_reply(tmp_path: Path) -> None:
    records = [{**one, "answer": r"B\d", "scorer": "regex"} for one in questions(3)]
    env = QA(QAConfig(data_path=jsonl(tmp_path, records)))
    assert env.gold(env.tasks("train")[0]) == ""
    assert first(env, "B7")[0].hard == 1.0
