"""A session file is read whole, and cut so that a model could have written what is left."""

from __future__ import annotations

import json
from typing import Any

import pytest
from reflact import BackendError, Usage
from reflact_backend_codex.events import read_events
from reflact_backend_codex.resume import prefix
from reflact_backend_codex.rollout import Session, rows_of, to_lines

Row = dict[str, Any]


def item(**payload: Any) -> Row:
    return {"type": "response_item", "payload": payload}


def said(role: str, text: str) -> Row:
    return item(type="message", role=role, content=[{"type": "output_text", "text": text}])


def call(name: str, command: str) -> Row:
    return item(type="function_call", name="exec_command", call_id=name, arguments=json.dumps({"cmd": command}))


def output(name: str, text: str, code: int = 0) -> Row:
    header = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n"
    return item(type="function_call_output", call_id=name, output=header + text)


ROWS = (
    {"type": "session_meta", "payload": {"id": "thread-1"}},
    said("user", "$reflact-student\n\nDo it."),
    said("user", "<skill>\n<name>reflact-student</name>\nbody</skill>"),
    item(type="reasoning", summary=[{"type": "summary_text", "text": "hm"}]),
    call("a", "ls"),
    call("b", "pwd"),
    {"type": "token_usage_record", "payload": {"usage": {"input_tokens": 10, "output_tokens": 2}}},
    output("a", "Output:\nProcess exited with code 9\n", 3),
    output("b", "/w\n"),
    {"type": "token_usage_record", "payload": {"usage": {"input_tokens": 20, "cached_input_tokens": 5}}},
    said("assistant", "done"),
)


def test_steps_have_what_was_run_what_came_of_it_and_where_it_ends() -> None:
    found = [(one.kind, one.content, one.exit_code, one.handle) for one in Session(ROWS).steps]
    assert found == [
        ("reasoning", "hm", None, "4"),
        ("command", "ls", 3, "8"),
        ("command", "pwd", 0, "9"),
        ("message", "done", None, "11"),
    ]


def test_what_a_command_prints_cannot_pass_for_its_exit_code() -> None:
    step = Session(ROWS).steps[1]
    assert (step.output, step.exit_code) == ("Output:\nProcess exited with code 9\n", 3)


def test_only_what_this_job_did_is_counted() -> None:
    assert Session(ROWS).usage == Usage(calls=2, prompt=30, cached=5, completion=2)
    assert Session(ROWS, before=8).usage == Usage(calls=1, prompt=20, cached=5)
    assert [one.content for one in Session(ROWS, before=8).steps] == ["done"]


def test_the_skill_is_seen_to_be_shown() -> None:
    assert Session(ROWS).shows_the_skill
    assert not Session((*ROWS[:2], *ROWS[3:])).shows_the_skill


@pytest.mark.parametrize(("after", "kept"), [(0, 3), (1, 4), (2, 7), (3, 9), (4, 11)])
def test_a_prefix_ends_with_its_step(after: int, kept: int) -> None:
    assert len(prefix(Session(ROWS), after)) == kept


def test_a_call_without_its_output_is_not_in_a_prefix() -> None:
    calls = [row["payload"].get("call_id") for row in prefix(Session(ROWS), 2) if "call_id" in row["payload"]]
    assert calls == ["a", "a"]


@pytest.mark.parametrize("after", [-1, 5])
def test_a_step_that_never_was_is_refused(after: int) -> None:
    with pytest.raises(BackendError, match="the job has 4 steps"):
        prefix(Session(ROWS), after)


def test_rows_are_written_as_they_were_read_and_a_broken_end_is_dropped() -> None:
    text = to_lines(ROWS)
    assert rows_of(text.encode()) == ROWS
    assert rows_of(text.encode()[:-5]) == ROWS[:-1]


@pytest.mark.parametrize(
    ("payload", "kind", "content"),
    [
        ({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch\n*** Add File: a.txt\n+x\n"},
         "file_change", "add a.txt"),
        ({"type": "custom_tool_call", "name": "exec", "input": 'await tools.exec_command({cmd: "ls \\"a\\""})'},
         "command", 'ls "a"'),
        ({"type": "custom_tool_call", "name": "exec", "input": "text(1)"}, "tool", "exec text(1)"),
        ({"type": "function_call", "name": "shell", "arguments": '{"command": ["bash", "-lc", "ls"]}'},
         "command", "ls"),
        ({"type": "function_call", "name": "view_image", "arguments": '{"path": "a"}'},
         "tool", 'view_image {"path": "a"}'),
        ({"type": "local_shell_call", "action": {"command": ["ls", "-l"]}}, "command", "ls -l"),
        ({"type": "function_call", "name": "exec_command", "arguments": "not json"}, "command", ""),
        ({"type": "web_search_call", "action": {"query": "x"}}, "tool", 'web_search {"query": "x"}'),
    ],
)  # fmt: skip
def test_every_kind_of_call_is_a_step(payload: Row, kind: str, content: str) -> None:
    (step,) = Session((item(**payload),)).steps
    assert (step.kind, step.content) == (kind, content)


def test_events_that_are_no_events_are_passed_over() -> None:
    lines = ['{"type": "turn.completed", "usage": {"input_tokens": 5}}', "warning", "{broken", '{"no": "type"}', "[]"]
    found = read_events("\n".join(lines).encode())
    assert (found.completed, found.failure, found.usage) == (True, "", Usage(calls=1, prompt=5))


def test_a_retry_that_went_well_is_no_failure() -> None:
    lines = ['{"type": "error", "message": "Reconnecting... 1/5"}', '{"type": "turn.completed", "usage": {}}']
    assert read_events("\n".join(lines).encode()).failure == ""
