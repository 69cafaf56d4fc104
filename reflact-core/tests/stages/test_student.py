"""The student of one task: how it is asked, and what it writes down."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from reflact import BackendError, ChatReply, ChatRequest, ExecJob, ExecResult, Image, Message, Skill, ToolCall, Usage
from reflact.contracts import ChatModel, ExecAgent, Kind
from reflact.errors import BackendFault
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound, Ledger
from reflact.stages.student import TaskStudent
from reflact.testing import ScriptedModel
from reflact.types import Finish, Outcome

PROMPTS = Prompts((files("reflact.prompts") / "default",))


class Agent:
    """An agent whose result is a function of the job."""

    def __init__(self, result: Callable[[ExecJob], ExecResult]) -> None:
        self.result = result

    def run(self, job: ExecJob) -> ExecResult:
        return self.result(job)


def student(model: ChatModel | ExecAgent, stage: str = "rollout") -> TaskStudent:
    kind: Kind = "chat" if isinstance(model, ChatModel) else "exec"
    bound = Bound(role="student", backend="fake", model_name="m", kind=kind, model=model, ledger=Ledger())
    return TaskStudent(model=bound, prompts=PROMPTS, stage=stage)


def test_a_chat_student_has_the_skill_in_its_system_prompt(tmp_path: Path) -> None:
    model = ScriptedModel(lambda _: "Lima")
    asked = student(model, stage="evaluate")
    assert asked.answer("Capital of Peru?", skill=Skill("Be {{ brief }}."), workdir=tmp_path, max_tokens=9) == "Lima"
    request = model.requests[0]
    assert [(one.role, "{{ brief }}" in one.text) for one in request.messages] == [("system", True), ("user", False)]
    assert (request.messages[1].text, request.max_tokens, request.stage) == ("Capital of Peru?", 9, "evaluate")


def test_without_a_skill_there_is_no_system_prompt(tmp_path: Path) -> None:
    model = ScriptedModel(lambda _: "Lima")
    student(model).answer("Capital?", skill=Skill("\n"), workdir=tmp_path)
    assert [one.role for one in model.requests[0].messages] == ["user"]


def test_images_are_sent_and_their_labels_recorded_without_bytes(tmp_path: Path) -> None:
    model = ScriptedModel(lambda _: "a cat")
    asked = student(model)
    images = [Image(data=b"\x89PNG", media_type="image/png", label="Image #1"), Image(data=b"", media_type="image/gif")]
    asked.answer("What?", skill=Skill("s"), workdir=tmp_path, images=images)
    assert model.requests[0].messages[1].content[1:] == tuple(images)
    assert asked.trace() == (
        {"role": "user", "content": "What?", "images": ["Image #1", "image/gif"]},
        {"role": "assistant", "content": "a cat"},
    )


def test_what_the_provider_searched_for_is_recorded_as_a_call() -> None:
    asked = student(ScriptedModel(lambda _: ChatReply(text="7", searches=("moons of Tärn",))))
    asked.chat(ChatRequest(messages=(Message(role="user", content="go"),), hosted_tools=("web_search",)))
    call = {"name": "web_search", "arguments": '{"query": "moons of Tärn"}'}
    assert asked.trace()[-1] == {"role": "assistant", "content": "7", "tool_calls": [call]}


def test_a_conversation_is_recorded_once_with_its_tool_calls_and_all_usage() -> None:
    calls = (ToolCall(id="1", name="look", arguments="{}"),)
    replies = [
        ChatReply(text="", tool_calls=calls, finish="tool_calls", usage=Usage(calls=1, prompt=5)),
        ChatReply(text="done", usage=Usage(calls=1, prompt=9)),
    ]
    asked = student(ScriptedModel(lambda request: replies[len(request.messages) // 2]))
    first = (Message(role="user", content="go"),)
    said = asked.chat(ChatRequest(messages=first))
    more = (
        Message(role="assistant", tool_calls=said.tool_calls),
        Message(role="tool", content="seen", tool_call_id="1"),
    )
    asked.chat(ChatRequest(messages=(*first, *more), stage="agent"))
    assert asked.trace() == (
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [{"name": "look", "arguments": "{}"}]},
        {"role": "tool", "content": "seen"},
        {"role": "assistant", "content": "done"},
    )
    assert asked.usage == Usage(calls=2, prompt=14)
    assert list(asked.model.ledger.table()["student"]) == ["rollout", "agent"]


@pytest.mark.parametrize(
    ("text", "finish", "outcome"),
    [
        ("x", "stop", "ok"),
        (" ", "stop", "empty"),
        ("x", "length", "truncated"),
        ("", "length", "truncated"),
        ("x", "refused", "refused"),
    ],
)
def test_the_outcome_is_that_of_the_last_reply(tmp_path: Path, text: str, finish: Finish, outcome: Outcome) -> None:
    asked = student(ScriptedModel(lambda _: ChatReply(text=text, finish=finish)))
    asked.answer("?", skill=Skill(""), workdir=tmp_path)
    assert asked.outcome == outcome


@pytest.mark.parametrize(
    ("fault", "outcome"), [("timeout", "timeout"), ("unavailable", "infra_error"), ("auth", "infra_error")]
)
def test_a_call_that_failed_is_remembered_until_one_succeeds(
    tmp_path: Path, fault: BackendFault, outcome: Outcome
) -> None:
    def reply(request: ChatRequest) -> str:
        if request.messages[0].text == "fail":
            raise BackendError("gone", fault=fault)
        return "fine"

    asked = student(ScriptedModel(reply))
    with pytest.raises(BackendError):
        asked.answer("fail", skill=Skill(""), workdir=tmp_path)
    assert (asked.outcome, asked.trace()) == (outcome, ({"role": "user", "content": "fail"},))
    asked.answer("again", skill=Skill(""), workdir=tmp_path)
    assert asked.outcome == "ok"


def test_an_agent_gets_a_folder_and_the_skill(tmp_path: Path) -> None:
    jobs: list[ExecJob] = []

    def result(job: ExecJob) -> ExecResult:
        jobs.append(job)
        return ExecResult(answer="42", trace=({"cmd": "ls"},), usage=Usage(calls=1, prompt=3))

    asked = student(Agent(result))
    workdir = tmp_path / "predictions" / "t1"
    assert asked.answer("Count.", skill=Skill("s"), workdir=workdir) == "42"
    assert (jobs[0].workdir, jobs[0].prompt, jobs[0].skill) == (workdir, "Count.", Skill("s"))
    assert workdir.is_dir()
    assert asked.trace() == (
        {"role": "user", "content": "Count."},
        {"cmd": "ls"},
        {"role": "assistant", "content": "42"},
    )
    assert asked.usage == Usage(calls=1, prompt=3)


@pytest.mark.parametrize(("outcome", "fault"), [("timeout", "timeout"), ("infra_error", "unavailable")])
def test_an_agent_that_had_no_chance_is_a_backend_error(tmp_path: Path, outcome: Outcome, fault: str) -> None:
    asked = student(Agent(lambda _: ExecResult(answer="", outcome=outcome, error="killed after 5 s")))
    with pytest.raises(BackendError, match="killed after 5 s") as caught:
        asked.answer("?", skill=Skill(""), workdir=tmp_path)
    assert (caught.value.fault, asked.outcome) == (fault, outcome)


def test_the_wrong_kind_of_student_says_so(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="student: fake is an agent"):
        student(Agent(lambda _: ExecResult(answer=""))).chat(ChatRequest(messages=()))
    job = ExecJob(workdir=tmp_path, prompt="", skill=Skill(""), timeout_s=1)
    with pytest.raises(BackendError, match="student: fake is a chat model"):
        student(ScriptedModel(lambda _: "")).run(job)
