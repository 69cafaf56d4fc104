"""What is kept of a job says what happened, and holds no key."""

from __future__ import annotations

import json
from pathlib import Path

from reflact import ExecResult, Usage
from reflact.agents import Secrets, Step, cleaned, entries, keep, summarise, transcript
from reflact.agents.secrets import long_texts
from reflact.agents.steps import MAX_OUTPUT

KEY = 'key-0123456789-"quoted"'
STEPS = (
    Step(kind="message", content="I will look.", handle="3"),
    Step(kind="command", content="cat task.md", output="Do it.\n", exit_code=0, handle="5"),
    Step(kind="command", content="make", output="\nNo rule to make target.\n", exit_code=2),
    Step(kind="command", content="sleep 9"),
    Step(kind="file_change", content="add a.txt\nadd b.txt\nadd c.txt\nadd d.txt"),
    Step(kind="message", content="<answer>7</answer>"),
)


def summary(*steps: Step, answer: str = "", **more: object) -> str:
    settings = {"agent": "codex", "outcome": "ok", "usage": Usage(calls=2, prompt=10, cached=4, completion=3), **more}
    return summarise(steps, answer=answer, **settings)  # type: ignore[arg-type]


def test_a_trace_is_counted_from_one_and_knows_what_it_knows() -> None:
    found = entries(STEPS)
    assert [one["step"] for one in found] == [1, 2, 3, 4, 5, 6]
    assert found[1] == {
        "role": "agent",
        "step": 2,
        "kind": "command",
        "content": "cat task.md",
        "output": "Do it.\n",
        "exit_code": 0,
    }
    assert "output" not in found[3] and "exit_code" not in found[3]


def test_a_long_output_loses_its_middle() -> None:
    (entry,) = entries([Step(kind="command", content="x", output="a" + "-" * 10**6 + "z")])
    assert entry["output"][0] + entry["output"][-1] == "az"
    assert len(entry["output"]) < MAX_OUTPUT + 100


def test_a_summary_names_failures_files_reading_answer_and_tokens() -> None:
    assert summary(*STEPS, answer="<answer>7</answer>").splitlines() == [
        "- agent: codex, 6 steps, ended: ok",
        "- commands: 3 run, 1 failed",
        "- failed: `make` (exit 2): No rule to make target.",
        "- files changed: add a.txt, add b.txt, add c.txt and 1 more",
        "- read task.md: yes (the prompt holds it too)",
        "- read SKILL.md: no",
        "- final answer: in <answer> tags, 18 characters",
        "- tokens: 10 prompt (4 cached), 3 completion (0 reasoning), 2 calls",
    ]


def test_a_summary_tells_a_missing_answer_and_a_skill_that_was_shown() -> None:
    found = summary(Step(kind="error", content="timed\nout"), skill_shown=True)
    assert "- error: timed out" in found
    assert "- final answer: missing" in found and "- read SKILL.md: shown at the start" in found


def test_a_transcript_cannot_be_given_steps_by_what_a_tool_prints() -> None:
    step = Step(kind="command", content="cat log", output="[9] message:\nfinal answer:\n")
    lines = transcript([step], agent="A", prompt="[8] command:", answer="ok").splitlines()
    assert [line for line in lines if line.startswith(("[", "final"))] == ["[1] command:", "final answer:"]


def test_no_key_is_left_in_anything_that_is_kept(tmp_path: Path) -> None:
    secrets = Secrets([KEY, "ab"])
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "env.txt").write_bytes(b"\xff KEY=" + KEY.encode())
    (workspace / "env.txt").chmod(0o400)
    (workspace / "other.txt").write_text("ab stays")
    (workspace / "empty.txt").touch()
    event = json.dumps({"type": "item", "text": f"it is {KEY}"})
    steps = cleaned((Step(kind="command", content=f"echo {KEY}", output=KEY),), secrets.masked)
    result = ExecResult(answer=secrets.masked(f"the key is {KEY}"), trace=entries(steps), workspace=workspace)
    keep(
        tmp_path,
        "codex",
        agent="CODEX CLI",
        prompt=KEY,
        result=result,
        steps=steps,
        events=f"{event}\nnot json {KEY}\n".encode(),
        stderr=KEY.encode(),
        details={"session": KEY},
        secrets=secrets,
    )
    for file in (one for one in tmp_path.rglob("*") if one.is_file()):
        content = file.read_bytes()
        assert b"key-0123456789" not in content, file
    assert json.loads((tmp_path / "events.jsonl").read_text().splitlines()[0])["text"] == "it is ***"
    assert (workspace / "env.txt").read_bytes() == b"\xff KEY=***"
    assert (workspace / "other.txt").read_text() == "ab stays"
    assert json.loads((tmp_path / "agent_result.json").read_text())["answer"] == "the key is ***"


def test_an_answer_that_only_looks_like_a_key_is_left_alone_but_not_in_an_error() -> None:
    secrets = Secrets([])
    assert secrets.masked("use sk-learn") == "use sk-learn"
    assert secrets.in_error("key sk-abcdefgh is wrong") == "key *** is wrong"


def test_secrets_do_not_show_themselves() -> None:
    assert KEY not in repr(Secrets([KEY]))


def test_the_long_texts_of_a_login_file_are_taken_for_secrets() -> None:
    login = {"tokens": {"access": "a" * 40, "kind": "short"}, "list": ["b" * 16], "n": 1}
    assert sorted(long_texts(login)) == ["a" * 40, "b" * 16]


def test_the_handle_of_every_step_is_kept_for_a_resume(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "codex",
        agent="A",
        prompt="",
        result=ExecResult(answer=""),
        steps=STEPS,
        events=b"",
        stderr=b"",
        details={},
        secrets=Secrets([]),
    )
    assert json.loads((tmp_path / "agent_result.json").read_text())["handles"] == {"1": "3", "2": "5"}
