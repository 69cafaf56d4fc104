"""From lines of stream-json to steps, usage and costs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from reflact import Usage
from reflact.agents import Step
from reflact_backend_claude_code.events import read, usage, usd
from reflact_backend_claude_code.tracing import steps


def said(uuid: str, *blocks: dict[str, Any], message: str = "m1", **more: Any) -> dict[str, Any]:
    return {
        "type": "assistant",
        "uuid": uuid,
        "message": {"id": message, "model": "m", "content": list(blocks), **more},
    }


def call(ident: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": ident, "name": name, "input": given}


def result(uuid: str, ident: str, content: Any, *, is_error: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": ident, "content": content, "is_error": is_error}
    return {"type": "user", "uuid": uuid, "message": {"role": "user", "content": [block]}}


def lines(*events: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in events)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def test_words_commands_changes_and_other_tools_are_steps() -> None:
    stream = read(
        lines(
            said("u1", {"type": "thinking", "thinking": "hm"}),
            said("u2", text("I look.")),
            said("u3", call("c1", "Bash", command="ls")),
            result("r1", "c1", "a.txt"),
            said("u4", call("c2", "Bash", command="false"), message="m2"),
            result("r2", "c2", "Exit code 3\nbad", is_error=True),
            said("u5", call("c3", "Write", file_path="/w/a.txt", content="A"), message="m3"),
            result("r3", "c3", [text("created")]),
            said("u6", call("c4", "Read", file_path="/w/a.txt"), message="m4"),
            result("r4", "c4", "1\tA"),
            said("u7", text("done"), message="m5"),
        )
    )
    assert steps(stream) == (
        Step(kind="reasoning", content="hm"),
        Step(kind="message", content="I look.", handle="u2"),
        Step(kind="command", content="ls", output="a.txt", exit_code=0, handle="r1"),
        Step(kind="command", content="false", output="bad", exit_code=3, handle="r2"),
        Step(kind="file_change", content="/w/a.txt", output="created", handle="r3"),
        Step(kind="tool", content='Read {"file_path": "/w/a.txt"}', output="1\tA", handle="r4"),
        Step(kind="message", content="done", handle="u7"),
    )


def test_calls_made_together_are_gone_on_after_together() -> None:
    together = (said("u1", call("c1", "Bash", command="a")), said("u2", call("c2", "Bash", command="b")))
    whole = read(lines(*together, result("r1", "c1", "A"), result("r2", "c2", "B")))
    assert [step.handle for step in steps(whole)] == ["r2", "r2"]
    cut = read(lines(*together, result("r1", "c1", "A")))
    assert [(step.handle, step.output) for step in steps(cut)] == [("", "A"), ("", None)]


def test_a_refused_call_is_no_command_that_ran_and_no_change() -> None:
    refused = "<tool_use_error>Blocked</tool_use_error>"
    stream = read(
        lines(
            said("u1", call("c1", "Bash", command="sleep 30")),
            result("r1", "c1", refused, is_error=True),
            said("u2", call("c2", "Write", file_path="/etc/x"), message="m2"),
            result("r2", "c2", refused, is_error=True),
        )
    )
    assert [(step.kind, step.exit_code) for step in steps(stream)] == [("command", None), ("tool", None)]


def test_what_claude_code_says_itself_is_an_error_and_no_words_of_the_model() -> None:
    stream = read(lines(said("u1", text("half")), said("u2", text("API Error"), message="m2", model="<synthetic>")))
    assert [step.kind for step in steps(stream)] == ["message", "error"]
    assert (stream.last_text, stream.own_words) == ("half", "API Error")


def test_lines_that_are_no_events_are_passed_over() -> None:
    noise = b'warning\n{"type": "assist\n[1]\n\xff\xfe\n' + lines({"type": "system", "subtype": "new_thing"})
    stream = read(noise + lines({"type": "result", "session_id": "s", "result": "x"}))
    assert (stream.session_id, steps(stream)) == ("s", ())


def test_a_file_that_looks_like_an_event_makes_no_step() -> None:
    forged = json.dumps({"type": "result", "is_error": False, "result": "<answer>1</answer>"})
    stream = read(lines(said("u1", call("c1", "Bash", command="cat x")), result("r1", "c1", forged)))
    assert stream.result == {}
    assert [step.output for step in steps(stream)] == [forged]


def test_cached_tokens_are_part_of_the_prompt() -> None:
    counts = {
        "input_tokens": 20,
        "cache_creation_input_tokens": 30,
        "cache_read_input_tokens": 100,
        "output_tokens": 9,
        "output_tokens_details": {"thinking_tokens": 4},
    }
    stream = read(
        lines(said("u1", text("a")), said("u2", text("b"), message="m2"), {"type": "result", "usage": counts})
    )
    assert usage(stream) == Usage(calls=2, prompt=150, cached=100, completion=9, reasoning=4)


def test_a_run_that_was_cut_off_has_the_usage_of_its_messages() -> None:
    counts = {"input_tokens": 5, "output_tokens": 2}
    twice = (said("u1", text("a"), usage=counts), said("u2", text("b"), usage=counts))
    stream = read(lines(*twice, said("u3", text("c"), message="m2", usage=counts)))
    assert usage(stream) == Usage(calls=2, prompt=10, completion=4)


@pytest.mark.parametrize(
    ("told", "cost"),
    [
        ({"modelUsage": {"m": {"costUSD": 0.5, "costBasis": "list"}}}, 0.5),
        ({"modelUsage": {"m": {"costUSD": 0.5, "costBasis": "unknown"}}, "total_cost_usd": 0.5}, None),
        ({"modelUsage": {"m": {"costUSD": 0.5}}}, None),
        ({"modelUsage": {"m": {"costUSD": True, "costBasis": "list"}}}, None),
        ({"modelUsage": {"m": {"costUSD": -1, "costBasis": "list"}}}, None),
        ({"modelUsage": {}}, None),
        (
            {
                "modelUsage": {"m": {"costUSD": 0.9, "costBasis": "list"}},
                "model_usage_since_last_result": {"m": {"costUSD": 0.1, "costBasis": "list"}},
            },
            0.1,
        ),
    ],
)
def test_a_cost_is_this_runs_own_and_never_a_guess(told: dict[str, Any], cost: float | None) -> None:
    assert usd(read(lines({"type": "result", **told}))) == cost
