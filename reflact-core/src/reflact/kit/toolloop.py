"""A student that looks things up: it calls tools over several turns until it answers. For chat students only."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reflact.contracts import Student
from reflact.errors import unknown
from reflact.kit.actions import Action
from reflact.types import ChatReply, ChatRequest, Message, ToolCall

Ended = Literal["answered", "no_answer", "turns", "time"]

MOST_CALLS = 8
"""Calls of one reply that are carried out."""
SHORTENED = 200
"""Characters that are left of an old tool result when the conversation gets too long."""
CHARS_PER_TOKEN = 3
LAST = "This is your last reply: no tool will be run any more. Give your final answer now, from what you know."
NUDGE = "Your reply holds neither a tool call nor a final answer. Call a tool, or give your final answer."
SAME = "[You have made this very call three times in a row; its result will not change.]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A tool call that was carried out, or refused (`ok` is False): in which turn, with what, and what came back."""

    turn: int
    name: str
    arguments: str
    result: str
    ok: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """How it went: the last text of the student, its replies (`turns`), its calls, and why it ended.

    `answered`: by an answer. `no_answer`: by a reply that was neither an answer nor a call. `turns`, `time`: there were
    no more, and the last reply, in which the student was told to answer, still was no answer.
    """

    text: str
    turns: int
    ended: Ended
    calls: tuple[Called, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLoop:
    """Lets a student use tools. `is_answer` tells from a reply's text whether it is a final answer.

    The student has `max_turns` replies, in the last of which it cannot call tools; `seconds`, where given, brings the
    last reply forward. Once the conversation is longer than `context_tokens` (estimated at 3 characters each), the
    oldest tool results are shortened, and say so.
    """

    actions: Sequence[Action[Any]]
    max_turns: int
    is_answer: Callable[[str], bool] = bool
    max_tokens: int | None = None
    context_tokens: int = 100_000
    seconds: float | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def __call__(self, messages: Sequence[Message], *, student: Student) -> Talk:
        """Return how *student* got on from *messages*. Raises `BackendError` where it gives no reply."""
        began = self.clock()
        said, calls, nudged = list(messages), list[Called](), False
        for turn in range(1, self.max_turns + 1):
            late = self.seconds is not None and self.clock() - began >= self.seconds
            last = late or turn == self.max_turns
            if last and turn > 1:
                said.append(Message(role="user", content=LAST))
            said = self._within_budget(said)
            reply = student.chat(self._request(said, last=last))
            if self._is_over(reply, last=last, nudged=nudged):
                return Talk(
                    text=reply.text, turns=turn, ended=self._ended(reply, late=late, last=last), calls=tuple(calls)
                )
            said.append(Message(role="assistant", content=reply.text, tool_calls=reply.tool_calls))
            if reply.tool_calls:
                done = self._carried_out(reply.tool_calls, turn, calls)
                said.extend(_results(reply.tool_calls, done))
                calls.extend(done)
            else:
                said.append(Message(role="user", content=NUDGE))
                nudged = True
        raise ValueError(f"max_turns must be at least 1, not {self.max_turns}")

    def _request(self, messages: Sequence[Message], *, last: bool) -> ChatRequest:
        return ChatRequest(
            messages=tuple(messages),
            tools=tuple(one.tool for one in self.actions),
            tool_choice="none" if last else "auto",
            max_tokens=self.max_tokens,
        )

    def _is_over(self, reply: ChatReply, *, last: bool, nudged: bool) -> bool:
        return last or (not reply.tool_calls and (nudged or self.is_answer(reply.text)))

    def _ended(self, reply: ChatReply, *, late: bool, last: bool) -> Ended:
        if self.is_answer(reply.text):
            return "answered"
        return "time" if late else "turns" if last else "no_answer"

    def _carried_out(self, asked: Sequence[ToolCall], turn: int, before: Sequence[Called]) -> list[Called]:
        """Return the calls of one reply, in order, each with its result."""
        known = {one.name: one for one in self.actions}
        done: list[Called] = []
        for number, call in enumerate(asked):
            if number >= MOST_CALLS:
                result, ok = f"[not run: at most {MOST_CALLS} calls in one reply]", False
            elif call.name not in known:
                result, ok = f"[{unknown('tool', call.name, known)}]", False
            else:
                result, ok = known[call.name](call.arguments)
            one = Called(turn=turn, name=call.name, arguments=call.arguments, result=result, ok=ok)
            done.append(replace(one, result=f"{result}\n{SAME}") if _thrice((*before, *done, one)) else one)
        return done

    def _within_budget(self, messages: Sequence[Message]) -> list[Message]:
        """Return *messages* with the oldest tool results shortened until they fit; the newest turn's stay whole."""
        fitting = list(messages)
        newest = max((place for place, one in enumerate(fitting) if one.role == "assistant"), default=0)
        excess = sum(map(_size, fitting)) - self.context_tokens * CHARS_PER_TOKEN
        for place, one in enumerate(fitting[:newest]):
            if excess <= 0:
                break
            if one.role == "tool" and len(one.text) > 2 * SHORTENED:
                told = f"[shortened to save room: {len(one.text)} characters; call again to see them]"
                fitting[place] = replace(one, content=f"{one.text[:SHORTENED]}…\n{told}")
                excess -= len(one.text) - len(fitting[place].text)
        return fitting


def _results(asked: Sequence[ToolCall], done: Sequence[Called]) -> list[Message]:
    return [
        Message(role="tool", content=one.result, tool_call_id=call.id) for call, one in zip(asked, done, strict=True)
    ]


def _thrice(calls: Sequence[Called]) -> bool:
    return len(calls) > 2 and len({(one.name, one.arguments) for one in calls[-3:]}) == 1


def _size(message: Message) -> int:
    return len(message.text) + sum(len(call.arguments) for call in message.tool_calls)
