"""The one way to a model: every call counted, every error named by its role."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from reflact import BackendError, ChatReply, ChatRequest, ExecJob, ExecResult, Message, Skill, Usage
from reflact.contracts import ChatModel, ExecAgent, Kind
from reflact.llm.router import Bound, Call, Ledger, Router
from reflact.testing import ScriptedModel

HELLO = ChatRequest(messages=(Message(role="user", content="hello"),), stage="analyst")


class Agent:
    """An agent that answers with its prompt."""

    def run(self, job: ExecJob) -> ExecResult:
        if job.prompt == "fail":
            raise BackendError("not logged in", fault="auth")
        return ExecResult(answer=job.prompt, usage=Usage(calls=1, prompt=4))


def bound(model: ChatModel | ExecAgent, ledger: Ledger | None = None) -> Bound:
    kind: Kind = "chat" if isinstance(model, ChatModel) else "exec"
    return Bound(role="teacher", backend="fake", model_name="m", kind=kind, model=model, ledger=ledger or Ledger())


def job(tmp_path: Path, prompt: str) -> ExecJob:
    return ExecJob(workdir=tmp_path, prompt=prompt, skill=Skill(""), timeout_s=1)


def test_calls_are_added_up_by_role_and_stage(tmp_path: Path) -> None:
    ledger = Ledger()
    chat = bound(ScriptedModel(lambda _: ChatReply(text="hi", usage=Usage(calls=1, prompt=2, completion=3))), ledger)
    chat.chat(HELLO)
    chat.chat(HELLO)
    bound(Agent(), ledger).run(job(tmp_path, "x"))
    assert ledger.table() == {
        "teacher": {"analyst": Usage(calls=2, prompt=4, completion=6), "rollout": Usage(calls=1, prompt=4)}
    }


def test_a_call_without_a_stage_is_counted_as_other() -> None:
    ledger = Ledger()
    bound(ScriptedModel(lambda _: "hi"), ledger).chat(ChatRequest(messages=HELLO.messages))
    assert list(ledger.table()["teacher"]) == ["other"]


def test_an_error_keeps_its_fault_and_names_role_and_backend_once() -> None:
    def fail(_: ChatRequest) -> str:
        raise BackendError("no credit left", fault="quota")

    calls: list[Call] = []
    inner = bound(ScriptedModel(fail), Ledger(calls.append))
    outer = bound(inner)
    with pytest.raises(BackendError) as caught:
        outer.chat(HELLO)
    assert str(caught.value) == "teacher (fake): no credit left"
    assert (caught.value.fault, caught.value.fatal) == ("quota", True)
    assert [(one.error, one.usage) for one in calls] == [("quota", Usage(calls=1))]


def test_an_agents_error_is_named_and_counted_too(tmp_path: Path) -> None:
    calls: list[Call] = []
    with pytest.raises(BackendError, match=r"teacher \(fake\): not logged in"):
        bound(Agent(), Ledger(calls.append)).run(job(tmp_path, "fail"), "probe")
    assert [(one.stage, one.error) for one in calls] == [("probe", "auth")]


def test_the_wrong_kind_of_call_is_a_bad_request(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="is an agent, it cannot chat") as caught:
        bound(Agent()).chat(HELLO)
    assert caught.value.fault == "bad_request"
    with pytest.raises(BackendError, match="is a chat model, it cannot run jobs"):
        bound(ScriptedModel(lambda _: "")).run(job(tmp_path, "x"))


def test_half_a_surrogate_pair_comes_back_as_a_question_mark() -> None:
    assert bound(ScriptedModel(lambda _: "a\ud83d\u00e9")).chat(HELLO).text == "a?é"


def test_the_sink_hears_of_one_call_at_a_time_and_of_all() -> None:
    inside = threading.Lock()
    heard: list[Call] = []

    def sink(call: Call) -> None:
        assert inside.acquire(blocking=False)
        heard.append(call)
        inside.release()

    model = bound(ScriptedModel(lambda _: "hi"), Ledger(sink))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: model.chat(HELLO), range(200)))
    assert len(heard) == 200
    assert model.ledger.table()["teacher"]["analyst"].calls == 200


def test_a_router_gives_the_model_of_a_role() -> None:
    teacher = bound(ScriptedModel(lambda _: ""))
    assert Router(roles={"teacher": teacher}, ledger=teacher.ledger).role("teacher") is teacher
