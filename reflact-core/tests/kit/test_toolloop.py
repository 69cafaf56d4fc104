"""A student with tools: what it may do, what it is told when it errs, and how it all ends."""

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

import pytest
from reflact import BackendError, ChatReply, ChatRequest, Message, ToolCall
from reflact.kit.actions import Action, Arguments
from reflact.kit.toolloop import LAST, NUDGE, ToolLoop
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound, Ledger
from reflact.stages.student import TaskStudent
from reflact.testing import ScriptedModel

PAGES = {"a.txt": "alpha " * 2000, "b.txt": "beta"}


class Read(Arguments):
    """Which page."""

    path: str
    start: int = 1
    title: str = ""


def read(arguments: Read) -> str:
    return PAGES[arguments.path][arguments.start - 1 :]


READ = Action(name="read", description="Reads a page.", arguments=Read, run=read)
ASK = (Message(role="system", content="You look things up."), Message(role="user", content="What is on the pages?"))


def call(arguments: str, name: str = "read", number: int = 1) -> ToolCall:
    return ToolCall(id=f"c{number}", name=name, arguments=arguments)


def calling(*calls: ToolCall, text: str = "") -> ChatReply:
    return ChatReply(text=text, tool_calls=calls, finish="tool_calls")


def talked(replies: Sequence[ChatReply | str], **options: Any) -> tuple[Any, ScriptedModel, TaskStudent]:
    left = iter(replies)
    model = ScriptedModel(lambda _: next(left))
    bound = Bound(role="student", backend="fake", model_name="m", kind="chat", model=model, ledger=Ledger())
    student = TaskStudent(model=bound, prompts=Prompts((files("reflact.prompts") / "default",)))
    loop = ToolLoop(**{"actions": [READ], "max_turns": 5, "is_answer": lambda text: "<answer>" in text, **options})
    return loop(ASK, student=student), model, student


def results(request: ChatRequest) -> list[str]:
    return [one.text for one in request.messages if one.role == "tool"]


def test_a_result_is_read_and_then_answered_from() -> None:
    talk, model, student = talked([calling(call('{"path": "b.txt"}'), text="Let me see."), "<answer>beta</answer>"])
    assert (talk.text, talk.turns, talk.ended) == ("<answer>beta</answer>", 2, "answered")
    assert [(one.turn, one.name, one.result, one.ok) for one in talk.calls] == [(1, "read", "beta", True)]
    assert results(model.requests[1]) == ["beta"]
    assert [one["role"] for one in student.trace()] == ["user", "assistant", "tool", "assistant"]
    assert student.usage.calls == 2


def test_a_tool_is_described_by_a_schema_without_made_up_titles() -> None:
    parameters = READ.tool.parameters
    assert set(parameters["properties"]) == {"path", "start", "title"}
    assert parameters["required"] == ["path"]
    assert "title" not in parameters and "title" not in parameters["properties"]["path"]
    assert parameters["additionalProperties"] is False


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ('{"path": "b.txt"', "[read: arguments: Invalid JSON"),
        ("[1]", "[read: arguments: "),
        ("", "[read: path: Field required. It takes path, start (default 1)"),
        ('{"path": 7}', "[read: path: Input should be a valid string"),
        ('{"path": "b.txt", "start": "one"}', "[read: start: Input should be a valid integer"),
        ('{"path": "b.txt", "end": 3}', "[read: end: Extra inputs are not permitted"),
        ('{"path": "c.txt"}', "[read failed: KeyError: 'c.txt']"),
    ],
)
def test_a_call_that_cannot_work_is_told_and_the_student_goes_on(arguments: str, told: str) -> None:
    talk, model, _ = talked([calling(call(arguments)), "<answer>x</answer>"])
    assert (talk.ended, talk.calls[0].ok) == ("answered", False)
    assert results(model.requests[1])[0].startswith(told)


def test_a_number_written_as_text_is_understood() -> None:
    talk, _, _ = talked([calling(call('{"path": "b.txt", "start": "3"}')), "<answer>x</answer>"])
    assert talk.calls[0].result == "ta"


def test_an_unknown_tool_is_told_with_the_nearest_name() -> None:
    talk, _, _ = talked([calling(call("{}", name="raed")), "<answer>x</answer>"])
    assert talk.calls[0].result == "[unknown tool 'raed'. Did you mean 'read'?]"


def test_calls_of_one_reply_are_answered_in_order_each_under_its_own_id() -> None:
    asked = (call('{"path": "b.txt"}', number=1), call("{}", number=2), call('{"path": "b.txt", "start": 2}', number=3))
    _, model, _ = talked([calling(*asked), "<answer>x</answer>"])
    answers = [one for one in model.requests[1].messages if one.role == "tool"]
    assert [one.tool_call_id for one in answers] == ["c1", "c2", "c3"]
    assert (answers[0].text, answers[2].text) == ("beta", "eta")


def test_more_than_eight_calls_in_a_reply_are_refused_but_answered() -> None:
    asked = [call(f'{{"path": "b.txt", "start": {n}}}', number=n) for n in range(1, 11)]
    talk, model, _ = talked([calling(*asked), "<answer>x</answer>"])
    assert [one.ok for one in talk.calls] == [True] * 8 + [False] * 2
    assert len(results(model.requests[1])) == 10


def test_the_last_reply_is_made_without_tools_and_the_student_is_told() -> None:
    looking = [calling(call(f'{{"path": "b.txt", "start": {n}}}')) for n in range(1, 3)]
    talk, model, _ = talked([*looking, "<answer>x</answer>"], max_turns=3)
    assert (talk.ended, talk.turns) == ("answered", 3)
    assert [one.tool_choice for one in model.requests] == ["auto", "auto", "none"]
    assert [one.messages[-1].text == LAST for one in model.requests] == [False, False, True]
    assert all(one.tools for one in model.requests)


def test_a_student_that_still_calls_a_tool_in_its_last_reply_has_used_its_turns_up() -> None:
    talk, _, _ = talked([calling(call('{"path": "b.txt"}'))] * 2, max_turns=2)
    assert (talk.ended, talk.text, len(talk.calls)) == ("turns", "", 1)


def test_a_reply_that_is_neither_call_nor_answer_is_nudged_once() -> None:
    talk, model, _ = talked(["I wonder.", "<answer>x</answer>"])
    assert (talk.ended, model.requests[1].messages[-1].text) == ("answered", NUDGE)
    talk, _, _ = talked(["I wonder.", "I still do."])
    assert (talk.ended, talk.text, talk.turns) == ("no_answer", "I still do.", 2)


def test_when_time_is_up_the_student_answers_now() -> None:
    ticks = iter([0.0, 0.0, 61.0])
    replies: list[ChatReply | str] = [calling(call('{"path": "b.txt"}')), "so be it"]
    talk, model, _ = talked(replies, seconds=60, clock=lambda: next(ticks))
    assert (talk.ended, talk.turns) == ("time", 2)
    assert (model.requests[1].tool_choice, model.requests[1].messages[-1].text) == ("none", LAST)


def test_a_long_conversation_has_its_oldest_results_shortened_and_says_so() -> None:
    asked = [calling(call(f'{{"path": "a.txt", "start": {n}}}')) for n in range(1, 4)]
    _, model, _ = talked([*asked, "<answer>x</answer>"], context_tokens=3000)
    sizes = [len(one) for one in results(model.requests[3])]
    assert sizes[0] < 400 < 4000 < sizes[1] == sizes[2]
    assert "[shortened to save room: " in results(model.requests[3])[0]
    assert results(model.requests[3])[0].startswith("alpha")


def test_the_newest_results_stay_whole_however_long() -> None:
    _, model, _ = talked([calling(call('{"path": "a.txt"}')), "<answer>x</answer>"], context_tokens=10)
    assert results(model.requests[1])[0] == "alpha " * 666 + "alph… (8000 more characters)"


def test_the_same_call_three_times_in_a_row_is_pointed_out() -> None:
    again: list[ChatReply | str] = [calling(call('{"path": "b.txt"}'))] * 3
    talk, _, _ = talked([*again, calling(call("{}")), "<answer>x</answer>"])
    assert ["three times" in one.result for one in talk.calls] == [False, False, True, False]


def test_a_model_that_a_tool_asks_and_that_fails_is_not_the_students_fault() -> None:
    def down(arguments: Arguments) -> str:
        raise BackendError("no search", fault="unavailable")

    broken = Action(name="search", description="", arguments=Arguments, run=down)
    with pytest.raises(BackendError, match="no search"):
        talked([calling(call("{}", name="search"))], actions=[broken])


def test_without_a_turn_there_is_nothing_to_do() -> None:
    with pytest.raises(ValueError, match="max_turns must be at least 1"):
        talked([], max_turns=0)


def test_an_agent_is_offered_no_tools() -> None:
    class Agent:
        run: Callable[..., Any] = staticmethod(lambda job: job)

    bound = Bound(role="student", backend="codex_exec", model_name="m", kind="exec", model=Agent(), ledger=Ledger())
    student = TaskStudent(model=bound, prompts=Prompts((files("reflact.prompts") / "default",)))
    with pytest.raises(BackendError, match="codex_exec is an agent, it cannot chat"):
        ToolLoop(actions=[READ], max_turns=2)(ASK, student=student)
