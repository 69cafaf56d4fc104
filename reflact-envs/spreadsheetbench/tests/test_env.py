"""A task from instruction to score, in every mode, with students that are right, wrong, slow and strange."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from reflact import ChatReply, ChatRequest, Skill
from reflact.kit.scripted import EchoStudent
from reflact.types import Rollout, ToolCall
from reflact_env_spreadsheetbench.converse import Conversation, Report

OPEN = "import openpyxl\nbook = openpyxl.load_workbook(INPUT_PATH)\nsheet = book.worksheets[0]\n"
SAVE = "book.save(OUTPUT_PATH)"
DOUBLE = f"{OPEN}sheet['B1'] = sheet['A1'].value * 2\n{SAVE}"
CASES = tuple(({"S": [[n]]}, {"S": [[n, 2 * n]]}) for n in (21, 4))
One = Callable[..., Any]
Say = Callable[..., Rollout]


@dataclass
class Scripted:
    """A chat student that says one thing after the other, and keeps what it was asked."""

    replies: list[str | ChatReply]
    kind: str = "chat"
    timeout_s: float = 600.0
    requests: list[ChatRequest] = field(default_factory=list)

    def chat(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        said = self.replies.pop(0)
        return said if isinstance(said, ChatReply) else ChatReply(text=said)


def test_a_right_program_passes_every_case(one: One, say: Say, fenced: Any, tmp_path: Path) -> None:
    env, task = one(*CASES)
    rollout = say(env, task, fenced(DOUBLE))
    assert (rollout.hard, rollout.soft, rollout.kind) == (1.0, 1.0, "cell_level")
    assert rollout.extra["cases"][1] == {"no": 2, "stage": "eval", "ok": True, "verdict": "pass", "pass_via": "cached"}
    work = tmp_path / "work" / "wanted-1"
    names = ["1_pred.xlsx", "2_pred.xlsx", "code.py", "raw.txt", "spreadsheet_preview.txt"]
    assert sorted(path.name for path in work.iterdir()) == names
    assert (work / "code.py").read_text().strip() == DOUBLE


def test_a_program_that_knows_the_first_case_only_gets_its_share(one: One, say: Say, fenced: Any) -> None:
    env, task = one(*CASES)
    rollout = say(env, task, fenced(f"{OPEN}sheet['B1'] = 42\n{SAVE}"))
    assert (rollout.hard, rollout.soft) == (0.0, 0.5)
    assert rollout.extra["fail_reason"] == "eval-mismatch: S!B1 expected=8 got=42"
    assert "case 1: PASS\ncase 2: FAIL: eval-mismatch" in rollout.feedback


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("print('hello')", "output-not-found"),
        ("raise KeyError('A')", "exec-error: KeyError: 'A'"),
        ("while True: pass", "exec-error: not done within 2 s"),
        ("import os\nos.symlink('/etc/passwd', OUTPUT_PATH)", "output-refused: output.xlsx is no plain file"),
        ("open(OUTPUT_PATH, 'w').write('no workbook')", "the workbook cannot be read: not an .xlsx"),
    ],
)
def test_a_failure_is_told_by_its_reason(one: One, say: Say, fenced: Any, program: str, reason: str) -> None:
    env, task = one(CASES[0], code_timeout=2)
    rollout = say(env, task, fenced(program))
    assert (rollout.hard, rollout.soft, rollout.scored) == (0.0, 0.0, True)
    assert rollout.extra["fail_reason"].startswith(reason)


def test_a_reply_without_a_program_is_told_as_such(one: One, say: Say) -> None:
    env, task = one(CASES[0])
    rollout = say(env, task, "I cannot do that.")
    assert (rollout.hard, rollout.extra["fail_reason"], rollout.answer) == (0.0, "empty-code-block", "")
    assert "no program was run: empty-code-block" in rollout.feedback


def test_the_prompt_has_what_is_asked_and_the_skill_and_nothing_of_the_gold(one: One, say: Say, fenced: Any) -> None:
    secret = ({"S": [[1, None]]}, {"S": [[1, "the gold itself"]]})
    env, task = one(secret, mode="multi", max_turns=2)
    student = EchoStudent(fenced(f"{OPEN}sheet['B1'] = 'wrong'\n{SAVE}"))
    rollout = say(env, task, "", skill="Rule {x} {{ y }}\r\n$z", student=student)
    assert all(part in student.prompts[0] for part in ("Do it.", "S!B1", "A1=1", "Rule {x} {{ y }}\r\n$z"))
    assert not [prompt for prompt in student.prompts if "the gold itself" in prompt]
    assert ("the gold itself" in rollout.feedback, rollout.expected) == (True, ("the gold itself",))


def test_the_official_prompt_is_one_message_and_a_skill_goes_before_it(one: One, say: Say, fenced: Any) -> None:
    env, task = one(CASES[0], prompt="official")
    for skill, roles in (("", ["user"]), ("A rule.", ["system", "user"])):
        student = Scripted([fenced(DOUBLE)])
        assert say(env, task, "", skill=skill, student=student).hard == 1.0
        messages = student.requests[0].messages
        assert [message.role for message in messages] == roles
        assert "### answer_position\nS!B1" in messages[-1].text
        assert (skill in messages[0].text) and "{{" not in messages[-1].text


def test_a_program_that_fails_is_told_how_until_one_runs(one: One, say: Say, fenced: Any) -> None:
    """[BUG 3] Of what a program printed the beginning was told, without the exception."""
    env, task = one(CASES[0], mode="multi")
    noisy = fenced("print('x' * 9000)\nraise ValueError('mind the gap')")
    student = Scripted(["Let me think.", noisy, fenced(DOUBLE), "never asked"])
    rollout = say(env, task, "", student=student)
    assert (rollout.hard, rollout.extra["n_turns"], rollout.extra["stopped_by"]) == (1.0, 3, "ok")
    told = [request.messages[-1].text for request in student.requests]
    assert "no program in your reply" in told[1]
    assert "exec-error: ValueError: mind the gap" in told[2] and "x" * 9000 not in told[2]


def test_every_call_goes_through_the_student_of_the_task(one: One, say: Say, fenced: Any) -> None:
    """[BUG 7] A client of its own was called past the router, with a pause after every call."""
    env, task = one(CASES[0], mode="multi")
    student = Scripted(["no program", "none yet", fenced(DOUBLE)])
    rollout = say(env, task, "", student=student)
    assert (len(student.requests), rollout.extra["n_turns"]) == (3, 3)
    assert {request.max_tokens for request in student.requests} == {16384}


def test_turns_end(one: One, say: Say, fenced: Any) -> None:
    env, task = one(CASES[0], mode="multi", max_turns=3)
    rollout = say(env, task, fenced("raise ValueError"))
    assert (rollout.extra["n_turns"], rollout.extra["stopped_by"], rollout.hard) == (3, "turns", 0.0)


def test_the_time_of_a_task_ends(fenced: Any) -> None:
    now = iter(range(0, 1000, 100))
    talk = Conversation(
        tried=lambda program: Report(told="wrong"),
        missing="",
        max_turns=30,
        max_tokens=100,
        clock=lambda: float(next(now)),
    )
    attempt = talk([], student=replace(Scripted([fenced("a")] * 30), timeout_s=250.0))  # type: ignore[arg-type]
    assert (attempt.turns, attempt.stopped_by) == (3, "time")


@pytest.mark.parametrize("feedback", ["none", "train"])
def test_cells_are_only_told_in_training_and_where_that_is_wanted(
    one: One, say: Say, fenced: Any, feedback: str
) -> None:
    """[BUG 4] Comparing with the gold in training only makes training scores incomparable: off unless wanted."""
    env, _ = one(CASES[0], mode="multi", eval_feedback=feedback, max_turns=2)
    wrong = f"{OPEN}sheet['B1'] = 7\n{SAVE}"
    for split in ("train", "test"):
        student = EchoStudent(fenced(wrong))
        rollout = say(env, env.tasks(split)[0], "", student=student)
        told = feedback == "train" and split == "train"
        assert rollout.extra["n_turns"] == (2 if told else 1)
        assert ("S!B1: yours holds 7" in student.prompts[-1]) == told
        assert not [prompt for prompt in student.prompts if "expected" in prompt]


def test_wrong_cells_are_told_by_name_in_any_sheet_and_not_too_many(one: One, say: Say, fenced: Any) -> None:
    """[BUG 5] Sheet names with blanks broke the feedback, since it was cut out of a text."""
    sheets = ({"My sheet, too": [[1]] * 50}, {"My sheet, too": [[1, n] for n in range(50)]})
    env, _ = one(sheets, position="'My sheet, too'!B1:B50", mode="multi", eval_feedback="train", max_turns=2)
    student = EchoStudent(fenced(f"{OPEN}sheet['B3'] = 'x'\n{SAVE}"))
    say(env, env.tasks("train")[0], "", student=student)
    told = student.prompts[-1]
    assert "My sheet, too!B2: yours holds nothing" in told and "My sheet, too!B3: yours holds x" in told
    assert told.count("yours holds") == 20 and "and 30 more" in told


def test_feedback_for_the_teacher_says_what_the_verdict_says_and_is_short(one: One, say: Say, fenced: Any) -> None:
    """[BUG 12] It compared otherwise than the score did, and showed every empty cell."""
    sheets = ({"S": [[1]] * 3000}, {"S": [[1, 1.0, n] for n in range(3000)]})
    env, task = one(sheets, position="S!B1:Z3000")
    rollout = say(env, task, fenced(f"{OPEN}for row in range(1, 3001): sheet.cell(row, 2, '1')\n{SAVE}"))
    lines = rollout.feedback.splitlines()
    assert "S!B1 " not in rollout.feedback
    assert (len(lines), len(rollout.feedback) <= 12_100) == (52, True)
    assert lines[-1] == "  … and 2950 more wrong cells"


def test_a_workbook_of_an_earlier_run_is_never_graded(one: One, say: Say, fenced: Any, tmp_path: Path) -> None:
    """[BUG 8] A prediction that lay there from an earlier turn or run was scored."""
    env, task = one(CASES[0], mode="multi", max_turns=2)
    assert say(env, task, fenced(DOUBLE)).hard == 1.0
    student = Scripted([fenced("raise ValueError"), fenced("print('no output')")])
    assert say(env, task, "", student=student).hard == 0.0
    assert not list((tmp_path / "work").rglob("*_pred.xlsx"))


def test_a_program_that_runs_only_once_does_not_count(one: One, say: Say, fenced: Any) -> None:
    """[BUG 8]"""
    env, task = one(CASES[0], mode="multi", max_turns=2)
    once = f"import os\nassert not os.path.exists('seen')\nopen('seen', 'w').close()\n{DOUBLE}"
    assert say(env, task, fenced(once)).hard == 1.0


def test_without_keeping_them_no_workbooks_lie_about(one: One, say: Say, fenced: Any, tmp_path: Path) -> None:
    env, task = one(CASES[0], keep_pred_files=False)
    assert say(env, task, fenced(DOUBLE)).hard == 1.0
    assert not list((tmp_path / "work").rglob("*.xlsx"))


def test_what_was_handed_in_is_graded_again_without_a_model(one: One, say: Say, fenced: Any) -> None:
    env, task = one(*CASES)
    rollout = say(env, task, fenced(DOUBLE))
    stored = replace(rollout, trace=({"role": "assistant", "content": "whatever"},), hard=0.0, soft=0.0)
    again = env.regrade(task, stored)
    assert (again.hard, again.soft, again.extra["n_turns"]) == (1.0, 1.0, 1)


def test_an_answer_nobody_can_compute_has_no_score_and_says_so(one: One, say: Say, fenced: Any) -> None:
    """[BUG 10]"""
    env, task = one(CASES[0])
    rollout = say(env, task, fenced(f"{OPEN}sheet['B1'] = '=A1*2'\n{SAVE}"))
    assert (rollout.hard, rollout.soft, rollout.outcome, rollout.scored) == (0.0, 0.0, "judge_error", False)
    assert rollout.error and rollout.error.startswith("unscorable: S!B1 expected=42")
    assert (rollout.extra["unscorable"], rollout.extra["recalc"]) == (True, "off")
    assert "case 1: UNSCORABLE" in rollout.feedback and "install LibreOffice" in rollout.feedback


def test_where_another_case_fails_it_is_a_failure_all_the_same(one: One, say: Say, fenced: Any) -> None:
    env, task = one(*CASES)
    rollout = say(env, task, fenced(f"{OPEN}sheet['B1'] = '=A1*2' if sheet['A1'].value == 21 else 7\n{SAVE}"))
    assert (rollout.hard, rollout.soft, rollout.outcome) == (0.0, 0.0, "ok")
    assert [one["verdict"] for one in rollout.extra["cases"]] == ["unscorable", "fail"]


def test_a_gold_nobody_can_compute_is_refused_before_the_student_is_asked(one: One, say: Say, fenced: Any) -> None:
    env, task = one(({"S": [[1]]}, {"S": [[1, "=A1*2"]]}))
    student = EchoStudent(fenced(DOUBLE))
    with pytest.raises(Exception, match="the right value of S!B1 is a formula's"):
        say(env, task, "", student=student)
    assert not student.prompts


@pytest.mark.slow
def test_with_libreoffice_a_formula_is_as_good_as_its_value(
    one: One, say: Say, fenced: Any, calculating: None, tmp_path: Path
) -> None:
    """[BUG 10]"""
    env, task = one(CASES[0], recalc="libreoffice", recalc_cache=str(tmp_path / "cache"))
    rollout = say(env, task, fenced(f"{OPEN}sheet['B1'] = '=A1*2'\n{SAVE}"))
    assert (rollout.hard, rollout.extra["cases"][0]["pass_via"]) == (1.0, "recalc")
    assert rollout.extra["recalc"].startswith("libreoffice ")


def call(name: str, arguments: str, number: int = 1) -> ChatReply:
    return ChatReply(text="", tool_calls=(ToolCall(id=f"c{number}", name=name, arguments=arguments),))


def written(program: str, path: str = "solution.py") -> ChatReply:
    return call("write_file", json.dumps({"path": path, "content": program}))


def test_with_tools_the_program_that_is_left_is_run_afresh_on_every_case(one: One, say: Say) -> None:
    """[BUG 6] The first case was scored by the file the student had made by hand."""
    env, task = one(*CASES, mode="react")
    run = call("bash", '{"cmd": "python run_solution.py solution.py input.xlsx output.xlsx"}')
    look = call("bash", '{"cmd": "ls; echo $OPENAI_API_KEY; pwd"}')
    student = Scripted([look, written(DOUBLE), run, "It is there."])
    rollout = say(env, task, "", skill="A rule.", student=student)
    assert (rollout.hard, rollout.extra["n_turns"], rollout.extra["stopped_by"]) == (1.0, 4, "ok")
    results = [message.text for message in student.requests[-1].messages if message.role == "tool"]
    assert results[0].splitlines()[:2] == ["input.xlsx", "run_solution.py"]
    assert "[check of output.xlsx]\nSheet 'S': last row 1, last column 2\nA1=21 | B1=42" in results[2]
    assert "A rule." in student.requests[0].messages[0].text


def test_a_file_made_by_hand_does_not_count(one: One, say: Say) -> None:
    """[BUG 6]"""
    env, task = one(CASES[0], mode="react")
    by_hand = call("bash", '{"cmd": "cp input.xlsx output.xlsx; python -c \\"print(1)\\""}')
    rollout = say(env, task, "", student=Scripted([by_hand, "Done.", "Done."]))
    assert (rollout.hard, rollout.extra["fail_reason"]) == (0.0, "empty-code-block")


@pytest.mark.parametrize("path", ["../out.txt", "/etc/reflact-test", "link/out.txt", "file-link", ".", "a/../../b"])
def test_no_file_is_written_outside_the_folder(one: One, say: Say, path: str, tmp_path: Path) -> None:
    """[BUG 6] Absolute paths and `..` were followed."""
    env, task = one(CASES[0], mode="react")
    (tmp_path / "target").mkdir()
    link = call("bash", f'{{"cmd": "ln -s {tmp_path}/target link; ln -s {tmp_path}/target/new file-link"}}')
    student = Scripted([link, written("x", path), "Done.", "Done."])
    say(env, task, "", student=student)
    told = [message.text for message in student.requests[-1].messages if message.role == "tool"][-1]
    assert told.startswith("[write_file failed: ")
    assert not list((tmp_path / "target").iterdir()) and not Path("/etc/reflact-test").exists()


def test_formulas_without_a_value_are_pointed_out_after_a_run(one: One, say: Say) -> None:
    env, task = one(CASES[0], mode="react")
    run = call("bash", '{"cmd": "python run_solution.py solution.py input.xlsx output.xlsx"}')
    student = Scripted([written(f"{OPEN}sheet['B1'] = '=A1*2'\n{SAVE}"), run, "Done.", "Done."])
    say(env, task, "", student=student)
    told = [message.text for message in student.requests[-1].messages if message.role == "tool"][-1]
    assert "1 formulas have no stored value" in told


def test_many_programs_do_not_run_at_once(one: One) -> None:
    env, _ = one(CASES[0])
    assert env._bench.booth.free._value == min(24, 2 * (os.cpu_count() or 1))


def test_a_skill_is_no_part_of_an_empty_system_prompt(one: One, tmp_path: Path, fenced: Any) -> None:
    env, task = one(CASES[0])
    student = Scripted([fenced(DOUBLE)])
    env.run(task, skill=Skill("  \n"), student=student, workdir=tmp_path / "w")  # type: ignore[arg-type]
    assert "## Skill" not in student.requests[0].messages[0].text
