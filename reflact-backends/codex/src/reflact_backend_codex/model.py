"""`CodexChat`: Codex as a teacher or a judge, who only answers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from reflact import BackendError, ChatReply, ChatRequest, Finding, Image, Message, Text
from reflact.agents import Program, Secrets, private_folder
from reflact.agents.attachments import extension
from reflact.types import Finish, Outcome, Usage

from reflact_backend_codex.attempt import begin
from reflact_backend_codex.client import Client
from reflact_backend_codex.command import arguments
from reflact_backend_codex.config import CodexConfig
from reflact_backend_codex.events import read_events
from reflact_backend_codex.examine import examine
from reflact_backend_codex.installed import Installed
from reflact_backend_codex.outcome import judge
from reflact_backend_codex.rollout import read_session
from reflact_backend_codex.settings import chat_settings

NO_INSTRUCTIONS = "Answer what you are asked."
_FINISH: dict[Outcome, Finish] = {"truncated": "length", "refused": "refused"}


class CodexChat:
    """A model behind `codex exec`, without tools and in an empty folder. Nothing of a call is kept."""

    def __init__(self, config: CodexConfig, client: Client | None = None) -> None:
        self._config = config
        self._client = client or Client()
        self._installed = Installed(config, self._client)

    @property
    def program(self) -> Program:
        """The Codex of this machine. Raises `BackendError` when there is none."""
        return self._installed.program

    def examine(self) -> Iterator[Finding]:
        """Tell whether Codex is there and can sign in; no model is asked."""
        return examine(self._config, self._client, self._installed, with_sandbox=False)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the reply to *request*. Raises `BackendError` when there is none, and for a request with tools.

        Codex has no setting for `max_tokens` and `temperature`; they are not sent.
        """
        if (
            request.tools
            or request.hosted_tools
            or any(one.role == "tool" or one.tool_calls for one in request.messages)
        ):
            raise BackendError(
                "codex_exec: Codex cannot be given tools as a chat model; use openai_chat for this role.",
                fault="bad_request",
            )
        access, program = self._client.access(self._config), self.program
        secrets = Secrets(access.secrets())
        effort = self._config.effort if request.effort is None else request.effort
        config = self._config.model_copy(update={"effort": effort, "sandbox": "read-only", "full_auto": False})
        with (
            tempfile.TemporaryDirectory(prefix="reflact-", ignore_cleanup_errors=True) as folder,
            private_folder(Path(folder)) as private,
        ):
            workspace, files = private.sub("workspace"), private.sub("files")
            (files / "system.md").write_text(system_of(request) or NO_INSTRUCTIONS, "utf-8", errors="replace")
            schema = files / "schema.json" if request.schema is not None else None
            if schema is not None:
                schema.write_text(json.dumps(request.schema, ensure_ascii=False), encoding="utf-8")
            attempt = begin(
                private,
                config,
                access,
                environ=self._client.environ,
                folder=self._client.folder(),
                settings=lambda marker: chat_settings(
                    config, access, program, marker=marker, instructions=str(files / "system.md")
                ),
            )
            images = _images(request, workspace)
            words = arguments(config, program, workspace=workspace, images=images, schema=schema, ephemeral=not images)
            ended = attempt.run(
                program, words, cwd=workspace, stdin=prompt_of(request), timeout_s=self._config.timeout_s
            )
            attempt.give_back()
            session = read_session(attempt.home) if images else None
        told = read_events(ended.stdout)
        lost = session.lost_image if session else ""
        end = judge(ended, told, told.steps, key=access.found, url=access.url, lost_image=lost)
        if end.outcome == "timeout":
            raise BackendError(f"codex_exec: no answer within {self._config.timeout_s:g} s.", fault="timeout")
        if end.error is not None:
            raise BackendError(secrets.in_error(str(end.error)), fault=end.error.fault)
        return ChatReply(
            text=secrets.masked(end.answer),
            usage=told.usage or Usage(calls=1),
            finish=_FINISH.get(end.outcome, "stop"),
            model=self._config.model,
        )


def system_of(request: ChatRequest) -> str:
    """Return the text of the system messages of *request*."""
    return "\n\n".join(one.text for one in request.messages if one.role == "system")


def prompt_of(request: ChatRequest) -> str:
    """Return the rest of *request* as one text; a conversation of several messages says who speaks."""
    rest = [one for one in request.messages if one.role != "system"]
    if len(rest) == 1:
        return _text(rest[0])
    return "\n\n".join(f"[{one.role}]\n{_text(one)}" for one in rest)


def _text(message: Message) -> str:
    """Return the text of *message*; an image leaves its label where it stood."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text if isinstance(part, Text) else f"[{part.label or 'image'}]" for part in message.content)


def _images(request: ChatRequest, workspace: Path) -> list[str]:
    found = [
        part
        for message in request.messages
        if not isinstance(message.content, str)
        for part in message.content
        if isinstance(part, Image)
    ]
    names = [f"{place:02d}.{extension(image)}" for place, image in enumerate(found, start=1)]
    for name, image in zip(names, found, strict=True):
        (workspace / name).write_bytes(image.data)
    return names
