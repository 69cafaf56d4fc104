import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from reflact import BackendSpec, ChatReply, ChatRequest, ExecJob, ExecResult, Message, Plugins, Usage
from reflact.testing import ScriptedModel, ScriptedTeacher, scripted_backend


def asking(text: str, stage: str = "") -> ChatRequest:
    return ChatRequest(messages=(Message(role="user", content=text),), stage=stage)


def test_a_scripted_text_is_a_finished_reply_with_rough_usage() -> None:
    reply = ScriptedModel(lambda request: request.messages[-1].text[::-1]).chat(asking("12345678"))
    assert (reply.text, reply.finish, reply.usage) == ("87654321", "stop", Usage(calls=1, prompt=2, completion=2))


def test_a_scripted_reply_is_passed_on_as_it_is() -> None:
    cut = ChatReply(text="half", finish="length")
    assert ScriptedModel(lambda _: cut).chat(asking("?")) is cut


def test_requests_from_many_threads_are_all_on_record() -> None:
    model = ScriptedModel(lambda request: request.messages[0].text)
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda n: model.chat(asking(str(n))).text, range(500)))
    assert replies == [str(n) for n in range(500)]
    assert sorted(int(request.messages[0].text) for request in model.requests) == list(range(500))


def test_a_scripted_teacher_replies_by_stage() -> None:
    teacher = ScriptedTeacher(
        {"reflect": {"edits": []}, "merge": "as it is", "rank": lambda request: {"asked": request.messages[0].text}}
    )
    assert json.loads(teacher.chat(asking("?", "reflect")).text) == {"edits": []}
    assert teacher.chat(asking("?", "merge")).text == "as it is"
    assert json.loads(teacher.chat(asking("which?", "rank")).text) == {"asked": "which?"}


def test_a_stage_without_a_reply_is_named() -> None:
    with pytest.raises(LookupError, match=r"unknown stage 'merge_final'\. Did you mean 'merge'"):
        ScriptedTeacher({"merge": ""}).chat(asking("?", "merge_final"))


def test_a_scripted_backend_is_found_by_name_and_builds_its_model() -> None:
    teacher, student = ScriptedTeacher({}), ScriptedModel(lambda _: "")
    plugins = Plugins()
    plugins.register(scripted_backend("fake_teacher", teacher))
    plugins.register(scripted_backend("fake_student", student))
    spec: BackendSpec = plugins.get("backends", "fake_teacher")
    assert spec.kind == "chat"
    assert spec.build(spec.config()) is teacher
    assert plugins.get("backends", "fake_student").build(spec.config()) is student


def test_a_scripted_agent_is_registered_as_an_exec_backend() -> None:
    class Agent:
        def run(self, job: ExecJob) -> ExecResult:
            return ExecResult(answer=job.prompt)

    assert scripted_backend("agent", Agent()).spec.kind == "exec"
