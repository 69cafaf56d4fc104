"""Replies kept from run to run: found again when the request is the same in all that matters, and never in the way."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import ChatReply, ChatRequest, Image, Message, Text, Tool, ToolCall, Usage
from reflact.config.spend import Budget
from reflact.llm.budget import Purse
from reflact.llm.identity import model_key, request_key
from reflact.llm.replies import Replies
from reflact.llm.router import Bound, Call, Ledger, Memo, Ways
from reflact.testing import ScriptedModel
from reflact.types import Finish

HELLO = ChatRequest(messages=(Message(role="user", content="hello"),), stage="rollout")
PIXEL = Image(data=b"png", media_type="image/png")
TOOL = Tool(name="look", description="look it up", parameters={"type": "object"})


def bound(file: Path, *replies: ChatReply, purse: Purse | None = None) -> tuple[Bound, ScriptedModel, list[Call]]:
    left, calls = list(replies), list[Call]()
    model = ScriptedModel(lambda _: left.pop(0))
    ways = Ways(memo=Memo(replies=Replies(file), identity="m"), purse=purse or Purse())
    ledger = Ledger(calls.append)
    role = Bound(role="student", backend="f", model_name="m", kind="chat", model=model, ledger=ledger, ways=ways)
    return role, model, calls


def said(text: str = "hi", finish: Finish = "stop") -> ChatReply:
    return ChatReply(text=text, usage=Usage(calls=1, prompt=5), finish=finish, model="m-2026", usd=0.5)


def test_a_request_that_was_answered_before_gets_that_answer_unpaid_and_on_record(tmp_path: Path) -> None:
    first, _, _ = bound(tmp_path / "r.sqlite", said("é \U0001f3d4"))
    first.chat(HELLO)
    second, model, calls = bound(tmp_path / "r.sqlite")
    reply = second.chat(HELLO)
    assert (reply.text, reply.usage, reply.usd, reply.model) == ("é \U0001f3d4", Usage(), 0.0, "m-2026")
    assert model.requests == ()
    assert [(one.cached, one.usage, one.usd) for one in calls] == [(True, Usage(), 0.0)]


def test_tool_calls_are_kept_too(tmp_path: Path) -> None:
    calls = (ToolCall(id="1", name="look", arguments='{"at": 1}'),)
    student, _, _ = bound(tmp_path / "r.sqlite", ChatReply(text="", tool_calls=calls, finish="tool_calls"))
    student.chat(HELLO)
    assert student.chat(HELLO).tool_calls == calls


def test_what_a_reply_was_searched_for_and_cites_is_kept_too(tmp_path: Path) -> None:
    found = ChatReply(text="7", searches=("moons of Tarn",), sources=("https://example.org/a",))
    student, _, _ = bound(tmp_path / "r.sqlite", found)
    student.chat(HELLO)
    again = student.chat(HELLO)
    assert (again.searches, again.sources) == (found.searches, found.sources)


@pytest.mark.parametrize("reply", [said(finish="length"), said(finish="refused"), said(" ")])
def test_a_reply_that_is_not_complete_is_not_kept(tmp_path: Path, reply: ChatReply) -> None:
    student, model, _ = bound(tmp_path / "r.sqlite", reply, said("better"))
    student.chat(HELLO)
    assert student.chat(HELLO).text == "better"
    assert len(model.requests) == 2


def test_a_reply_from_the_cache_leaves_the_budget_alone(tmp_path: Path) -> None:
    student, _, _ = bound(tmp_path / "r.sqlite", said(), purse=Purse(Budget(calls=1)))
    assert [student.chat(HELLO).text for _ in range(5)] == ["hi"] * 5


def test_repeats_of_a_request_are_answered_apart(tmp_path: Path) -> None:
    student, _, _ = bound(tmp_path / "r.sqlite", said("one"), said("two"), said("three"))
    repeats = [replace(HELLO, repeat=n) for n in range(3)]
    assert [student.chat(one).text for one in repeats] == ["one", "two", "three"]
    assert [student.chat(one).text for one in repeats] == ["one", "two", "three"]


OTHERS: Mapping[str, Any] = {
    "messages": (Message(role="user", content="hello!"),),
    "schema": {"type": "object"},
    "schema_name": "other",
    "tools": (TOOL,),
    "hosted_tools": ("web_search",),
    "max_tokens": 5,
    "effort": "low",
    "temperature": 0.5,
    "repeat": 1,
}


@pytest.mark.parametrize("field", OTHERS)
def test_all_that_is_asked_makes_a_request_another_one(field: str) -> None:
    assert request_key("m", replace(HELLO, **{field: OTHERS[field]})) != request_key("m", HELLO)


def test_the_stage_a_request_belongs_to_does_not_since_nobody_is_sent_it() -> None:
    assert request_key("m", replace(HELLO, stage="analyst")) == request_key("m", HELLO)


def test_an_image_makes_a_request_another_one_by_its_bytes() -> None:
    def shown(image: Image) -> ChatRequest:
        return replace(HELLO, messages=(Message(role="user", content=(Text("what?"), image)),))

    other = replace(PIXEL, data=b"gnp")
    assert len({request_key("m", one) for one in (shown(PIXEL), shown(other), HELLO)}) == 3
    assert request_key("m", shown(PIXEL)) == request_key("m", shown(replace(PIXEL)))


def test_backend_model_and_settings_make_a_model_another_one() -> None:
    keys = {model_key("b", "m", {"t": 1}), model_key("b", "m", {"t": 2}), model_key("b", "n", {"t": 1})}
    assert len(keys | {model_key("c", "m", {"t": 1})}) == 4
    assert model_key("b", "m", {"t": 1, "s": 2}) == model_key("b", "m", {"s": 2, "t": 1})


def test_many_threads_can_use_it_at_once(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite")

    def use(n: int) -> str:
        replies.put(f"k{n % 20}", said(f"t{n % 20}"), backend="f", model="m")
        found = replies.get(f"k{n % 20}")
        return found.text if found else ""

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(200))) == [f"t{n % 20}" for n in range(200)]
    assert [(one.model, one.replies) for one in replies.kept()] == [("m", 20)]


def test_two_processes_worth_of_caches_share_a_file(tmp_path: Path) -> None:
    one, other = Replies(tmp_path / "r.sqlite"), Replies(tmp_path / "r.sqlite")
    one.put("k", said("from the other"), backend="f", model="m")
    found = other.get("k")
    assert found and found.text == "from the other"


def test_a_file_that_is_no_cache_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.sqlite").write_bytes(b"this is a shopping list, " * 100)
    with pytest.raises(sqlite3.DatabaseError):
        Replies(tmp_path / "r.sqlite")


def test_a_file_that_breaks_is_warned_of_once_and_the_calls_go_on(tmp_path: Path) -> None:
    student, _, _ = bound(tmp_path / "r.sqlite", said("one"), said("two"))
    with sqlite3.connect(tmp_path / "r.sqlite") as other:
        other.execute("drop table replies")
    with pytest.warns(RuntimeWarning, match="cannot be used any more.*goes on without it") as warned:
        assert [student.chat(HELLO).text, student.chat(HELLO).text] == ["one", "two"]
    assert len(warned) == 1


def test_a_row_that_is_no_reply_is_no_reply(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite")
    replies.put("k", said(), backend="f", model="m")
    with sqlite3.connect(tmp_path / "r.sqlite") as other:
        other.execute("update replies set reply = '{\"text\": 1'")
    assert replies.get("k") is None


def test_clearing_can_be_by_model_and_by_age(tmp_path: Path) -> None:
    now = [0.0]
    replies = Replies(tmp_path / "r.sqlite", clock=lambda: now[0])
    replies.put("old", said(), backend="f", model="m")
    now[0] = 10 * 86_400
    replies.put("new", said(), backend="f", model="m")
    replies.put("other", said(), backend="f", model="n")
    assert replies.clear(older_than_days=5) == 1
    assert replies.clear(model="n") == 1
    assert [(one.model, one.replies) for one in replies.kept()] == [("m", 1)]
    assert replies.clear() == 1
    assert replies.kept() == []


def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    Replies(tmp_path / "r.sqlite")
    assert (tmp_path / "r.sqlite").stat().st_mode & 0o077 == 0
