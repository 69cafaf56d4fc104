"""The student of one task: renders the skill into its prompt, and writes down what was said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reflact.contracts import Kind
from reflact.errors import BackendError, BackendFault, BudgetError, ReflactError
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound
from reflact.types import (
    UNSCORED,
    ChatReply,
    ChatRequest,
    ExecJob,
    ExecResult,
    Image,
    Message,
    Outcome,
    Resume,
    Skill,
    Text,
    ToolCall,
    Usage,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What a probe wants: something to do besides the task, and for an agent the step it goes on after instead."""

    instruction: str = ""
    resume: Resume | None = None


PLAIN = Aim()


@dataclass(slots=True, kw_only=True)
class TaskStudent:
    """Implements `reflact.contracts.Student` over the bound student role; lives for one task in one thread."""

    model: Bound
    prompts: Prompts
    timeout_s: float = 600.0
    stage: str = "rollout"
    repeat: int = 0
    referee: Bound | None = None
    """The model that plays the judge, where the env needs one."""
    aim: Aim = PLAIN
    """What a probe wants of the student: added to the task, or told to an agent in the middle of what it did."""
    shows_steps: bool = True
    """Whether an agent's steps are part of the trace."""
    usage: Usage = field(default_factory=Usage)
    outcome: Outcome = "ok"
    worked_in: Path | None = None
    """The folder of the last job of an agent."""
    ended: ReflactError | None = None
    """Why no task can be done any more: the budget is spent, or no later call can succeed either."""
    _messages: list[Message] = field(default_factory=list)
    _steps: list[dict[str, Any]] = field(default_factory=list)

    @property
    def kind(self) -> Kind:
        """Which kind of model the student is."""
        return self.model.kind

    def answer(
        self,
        prompt: str,
        *,
        skill: Skill,
        workdir: Path,
        images: Sequence[Image] = (),
        images_first: bool = False,
        max_tokens: int | None = None,
    ) -> str:
        """Return the reply to *prompt*. A chat student has the skill in its system prompt, an agent in its folder."""
        if self.kind == "exec":
            workdir.mkdir(parents=True, exist_ok=True)
            job = ExecJob(workdir=workdir, prompt=prompt, skill=skill, timeout_s=self.timeout_s, images=tuple(images))
            return self.run(job).answer
        system = self.prompts.text("student", skill=skill.text)
        parts: tuple[Text | Image, ...] = (*images, Text(prompt)) if images_first else (Text(prompt), *images)
        content: str | tuple[Text | Image, ...] = parts if images else prompt
        messages = (Message(role="system", content=system), Message(role="user", content=content))
        reply = self.chat(ChatRequest(messages=messages if system else messages[1:], max_tokens=max_tokens))
        return reply.text

    def chat(self, request: ChatRequest) -> ChatReply:
        """Send *request* and record the conversation."""
        named = replace(request, stage=request.stage or self.stage, repeat=request.repeat or self.repeat)
        if self.aim.instruction:
            named = replace(named, messages=_told(request.messages, self.aim.instruction))
        self._messages = list(named.messages)
        with self._counting_on_a_reply():
            reply = self.model.chat(named)
        calls = (*map(_searched, reply.searches), *reply.tool_calls)
        self._messages.append(Message(role="assistant", content=reply.text, tool_calls=calls))
        self.usage += reply.usage
        self.outcome = reply.outcome
        return reply

    def run(self, job: ExecJob) -> ExecResult:
        """Run *job* and record its steps."""
        job = self._aimed(job)
        self.worked_in = job.workdir
        with self._counting_on_a_reply():
            result = self.model.run(job, self.stage)
        self.usage += result.usage
        self.outcome = result.outcome
        self._steps.append({"role": "user", "content": job.prompt})
        self._steps.extend(result.trace if self.shows_steps else ())
        self._steps.append({"role": "assistant", "content": result.answer})
        if result.outcome in UNSCORED:
            fault: BackendFault = "timeout" if result.outcome == "timeout" else "unavailable"
            raise BackendError(result.error or f"the agent ended with {result.outcome}", fault=fault)
        return result

    def _aimed(self, job: ExecJob) -> ExecJob:
        """Return *job* as the probe wants it. Only the task's first job goes on from a step."""
        if self.aim.resume and self.worked_in is None:
            return replace(job, prompt=self.aim.instruction, resume=self.aim.resume)
        return replace(job, prompt=f"{job.prompt}\n\n{self.aim.instruction}") if self.aim.instruction else job

    def judge(self, request: ChatRequest) -> ChatReply:
        """Ask the judge. What it says is not the student's: it is counted apart, and not in the trace."""
        if self.referee is None:
            raise BackendError("the env asks a judge, but its spec does not say `judge=True`", fault="bad_request")
        with self._counting_on_a_reply():
            return self.referee.chat(replace(request, stage=request.stage or "judge"))

    @contextmanager
    def _counting_on_a_reply(self) -> Iterator[None]:
        """Keep in mind that the last call failed: an env that swallows the error must not have it graded as wrong."""
        try:
            yield
        except BudgetError as error:
            self.ended = error
            raise
        except BackendError as error:
            self.outcome = unscored(error.fault)
            self.ended = error if error.fatal else self.ended
            raise

    def trace(self) -> tuple[dict[str, Any], ...]:
        """Return the conversation so far, without its system prompt (the skill is known) and without image bytes."""
        return (*map(_entry, (one for one in self._messages if one.role != "system")), *self._steps)


def _searched(query: str) -> ToolCall:
    """Return a search that the provider made for the student, as the trace tells of it."""
    return ToolCall(id="", name="web_search", arguments=json.dumps({"query": query}, ensure_ascii=False))


def unscored(fault: BackendFault) -> Outcome:
    """Return the outcome of a task whose model call ended in *fault*."""
    return "timeout" if fault == "timeout" else "infra_error"


def _told(messages: Sequence[Message], instruction: str) -> tuple[Message, ...]:
    """Return *messages* with *instruction* at the end of the first user message."""
    first = next((index for index, one in enumerate(messages) if one.role == "user"), len(messages) - 1)
    one = messages[first]
    content = one.content + f"\n\n{instruction}" if isinstance(one.content, str) else (*one.content, Text(instruction))
    return (*messages[:first], replace(one, content=content), *messages[first + 1 :])


def _entry(message: Message) -> dict[str, Any]:
    entry: dict[str, Any] = {"role": message.role, "content": message.text}
    if not isinstance(message.content, str):
        entry["images"] = [part.label or part.media_type for part in message.content if isinstance(part, Image)]
    if message.tool_calls:
        entry["tool_calls"] = [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls]
    return entry
