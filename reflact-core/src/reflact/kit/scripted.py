"""A student that says what it is told to say, for checks and tests of an env without a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reflact.contracts import Kind
from reflact.types import ChatReply, ChatRequest, ExecJob, ExecResult, Image, Skill


@dataclass(frozen=True, slots=True)
class EchoStudent:
    """A `Student` that gives *reply* to everything: a text, or a function of the prompt.

    `prompts` and `skills` hold what it was given, in order.
    """

    reply: str | Callable[[str], str]
    kind: Kind = "chat"
    verdict: str | Callable[[str], str] = ""
    """What the judge says: a text, or a function of what it is asked."""
    timeout_s: float = 600.0
    prompts: list[str] = field(default_factory=list)
    skills: list[str] = field(default_factory=list)

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
        """Return the reply; nothing is written to *workdir*."""
        self.skills.append(skill.text)
        return self._said(prompt)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the reply to all the texts of *request*."""
        return ChatReply(text=self._said("\n\n".join(message.text for message in request.messages)))

    def run(self, job: ExecJob) -> ExecResult:
        """Return the reply as the agent's last message; nothing is run."""
        self.skills.append(job.skill.text)
        return ExecResult(answer=self._said(job.prompt))

    def judge(self, request: ChatRequest) -> ChatReply:
        """Return the verdict."""
        asked = "\n\n".join(message.text for message in request.messages)
        return ChatReply(text=self.verdict if isinstance(self.verdict, str) else self.verdict(asked))

    def _said(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.reply if isinstance(self.reply, str) else self.reply(prompt)
