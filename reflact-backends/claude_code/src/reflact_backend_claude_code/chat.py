"""`ClaudeCodeChat`: Claude Code as a model that only answers, for teachers and judges who use its login."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact.agents import private_folder
from reflact.contracts import Finding
from reflact.errors import BackendError
from reflact.types import ChatReply, ChatRequest, Finish, Outcome

from reflact_backend_claude_code import arguments, events, verdict, wording
from reflact_backend_claude_code.config import ClaudeCodeConfig
from reflact_backend_claude_code.launch import NAME, Launcher
from reflact_backend_claude_code.report import worded

SPARE_S = 60.0
"""Seconds a call may take beyond all its attempts at the model."""
_FINISH: Mapping[Outcome, Finish] = {"refused": "refused", "truncated": "length"}


class ClaudeCodeChat:
    """Answers requests, each in a Claude Code of its own without tools, skills or settings; thread-safe."""

    def __init__(self, config: ClaudeCodeConfig) -> None:
        self._config = config
        self._launcher = Launcher(config)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the model's reply to *request*. Raises `BackendError` when there is none, or tools are asked for."""
        if request.tools or request.hosted_tools:
            raise BackendError(
                f"{NAME}: tools cannot be offered through Claude Code; use claude_chat.", fault="bad_request"
            )
        config, launcher = self._config, self._launcher
        wanted = config.max_tokens if request.max_tokens is None else min(config.max_tokens, request.max_tokens)
        with (
            tempfile.TemporaryDirectory(prefix="reflact-", ignore_cleanup_errors=True) as folder,
            launcher.let_in() as let_in,
            private_folder(Path(folder)) as private,
        ):
            system = private.root / "system.txt"
            system.write_text(wording.system(request.messages), encoding="utf-8", errors="replace", newline="")
            bare = let_in.access.means in ("key", "none", "provider")
            ended = launcher.run(
                lambda lacking: arguments.chat(
                    config,
                    system=system,
                    schema=request.schema,
                    effort=request.effort or config.effort,
                    bare=bare,
                    profile=launcher.profile,
                    lacking=lacking,
                ),
                let_in,
                private,
                cwd=private.home,
                stdin=wording.line(wording.conversation(request.messages)),
                timeout_s=config.timeout_s * (config.max_retries + 1) + SPARE_S,
                max_tokens=wanted,
            )
        stream = events.read(ended.stdout)
        found = verdict.judge(ended, stream)
        if found.fault:
            raise BackendError(worded(found, let_in, model=config.model) or NAME, fault=found.fault)
        return ChatReply(
            text=_structured(stream.result) or found.answer,
            usage=events.usage(stream),
            finish=_FINISH.get(found.outcome, "stop"),
            model=config.model,
            usd=events.usd(stream),
        )

    def examine(self) -> Iterator[Finding]:
        """Yield whether the command is there, takes its arguments and is signed in."""

        def words(lacking: frozenset[str]) -> tuple[str, ...]:
            nothing = Path("/dev/null")
            return arguments.chat(
                self._config,
                system=nothing,
                schema=None,
                effort=self._config.effort,
                bare=True,
                profile=self._launcher.profile,
                lacking=lacking,
            )

        return self._launcher.examine(words)


def _structured(result: Mapping[str, Any]) -> str:
    """Return the reply that was held to a schema, as JSON; empty when there is none."""
    said = result.get("structured_output")
    return "" if said is None else json.dumps(said, ensure_ascii=False)
