"""Ask the teacher: render, call, parse, validate, and ask again with the fault when the reply cannot be used."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from reflact.contracts import ChatModel
from reflact.errors import ReflactError
from reflact.llm.parse import MalformedReply, parse
from reflact.llm.prompts import Prompts
from reflact.llm.schema import strict_schema
from reflact.types import ChatReply, ChatRequest, Message, Usage

T = TypeVar("T")
CUT_CHARS = 500


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A usable reply and what it took to get it, failed attempts included."""

    value: T
    usage: Usage


class NoAnswer(ReflactError):
    """The teacher gave no usable reply in the attempts it had; `usage` is what they took."""

    def __init__(self, message: str, *, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Teacher:
    """A chat model that answers templates with validated data."""

    model: ChatModel
    prompts: Prompts
    attempts: int = 2

    def ask(
        self,
        template: str,
        reply: type[T],
        *,
        stage: str,
        attempts: int | None = None,
        check: Callable[[T], str] | None = None,
        repeat: int = 0,
        max_tokens: int | None = None,
        effort: str | None = None,
        **values: Any,
    ) -> Answer[T]:
        """Return the reply to *template* as a *reply*.

        *check* returns what is wrong with a well-formed reply, or an empty string. Raises `NoAnswer` when no attempt
        gave a usable reply, and `BackendError` when the model cannot be reached.
        """
        request = ChatRequest(
            messages=self.prompts.messages(template, **values),
            schema=self.prompts.schema(template) or strict_schema(reply),
            schema_name=stage,
            stage=stage,
            repeat=repeat,
            max_tokens=max_tokens,
            effort=effort,
        )
        first = request
        usage = Usage()
        fault = ""
        for _ in range(attempts or self.attempts):
            answer = self.model.chat(request)
            usage += answer.usage
            try:
                value: T = parse(_complete(answer), reply)
                fault = check(value) if check else ""
            except MalformedReply as error:
                fault = str(error)
            if not fault:
                return Answer(value, usage)
            request = replace(first, messages=(*first.messages, *self._again(answer, fault)))
        raise NoAnswer(f"{stage}: {fault}", usage=usage)

    def _again(self, answer: ChatReply, fault: str) -> tuple[Message, Message]:
        """Return what was said and what is wrong with it; of a reply that was cut off only its beginning."""
        said = answer.text if answer.finish != "length" else f"{answer.text[:CUT_CHARS]} …"
        told = self.prompts.text("ask_again", fault=fault)
        return Message(role="assistant", content=said or "(nothing)"), Message(role="user", content=told)


def _complete(reply: ChatReply) -> str:
    if reply.finish == "refused":
        raise MalformedReply("the model refused to answer")
    if reply.finish == "length":
        raise MalformedReply("the reply was cut off at the token limit; answer more briefly")
    return reply.text
