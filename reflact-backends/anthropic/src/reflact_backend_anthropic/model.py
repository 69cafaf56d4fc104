"""`ClaudeChat`: a blocking model that all threads may ask, over one client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reflact import ChatReply, ChatRequest
from reflact.llm.complaints import redactor
from reflact.llm.http import Learnt, Reporter, complaint_in, retry_after_s
from reflact.llm.http.post import Answer

from reflact_backend_anthropic.client import connect
from reflact_backend_anthropic.config import ClaudeConfig
from reflact_backend_anthropic.dialect import Dialect
from reflact_backend_anthropic.faults import error_within
from reflact_backend_anthropic.payload import payload, resumed
from reflact_backend_anthropic.reply import continued, is_paused, reply
from reflact_backend_anthropic.sender import Sender

MOST_PAUSES = 8
"""How often a server that paused in the middle of its own searches is let go on with one reply."""


class ClaudeChat:
    """A model behind the Messages API. What the server refuses to take is learnt once and left out from then on."""

    def __init__(self, config: ClaudeConfig) -> None:
        self._config = config
        self._endpoint = connect(config)
        self._learnt = Learnt(Dialect().without(config.leave_out))
        self._report = Reporter(
            name="claude_chat",
            url=self._endpoint.base,
            model=config.model,
            key="api_key" if config.api_key else f"${config.api_key_env}",
            timeout_s=config.timeout_s,
            redact=redactor(self._endpoint.secrets),
            wanted="a message",
        )
        self._sender = Sender(self._report, client=self._endpoint.client)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the model's reply to *request*; thread-safe. Raises `BackendError` when there is none.

        When all its tokens went before the first word, it is asked once more with more of them.
        """
        return self._learnt.reply(
            lambda dialect: self._ask(request, dialect), lambda dialect: payload(request, self._config, dialect)
        )

    def close(self) -> None:
        """Close the connections; the model cannot be used any more."""
        self._sender.close()

    def _ask(self, request: ChatRequest, dialect: Dialect) -> tuple[Dialect, ChatReply]:
        """Return the reply to *request*, and the dialect it was got in."""
        while True:
            body = payload(request, self._config, dialect)
            answer = self._sender.post(body)
            if answer.ok:
                return dialect, self._whole(body, answer)
            complaint = complaint_in(answer.json())
            better = dialect.after(complaint.message, body) if answer.status in (400, 422) else dialect
            if better == dialect:
                raise self._report.status(answer.status, complaint, retry_after_s(answer.headers))
            self._learnt.add(better)
            dialect = better

    def _whole(self, body: Mapping[str, Any], answer: Answer) -> ChatReply:
        """Return the reply to *body* that begins with *answer*; a server that paused is let go on."""
        said = self._read(answer)
        for _ in range(MOST_PAUSES):
            if not is_paused(answer.json()):
                break
            body = resumed(body, answer.json())
            answer = self._sender.post(body)
            if not answer.ok:
                complaint = complaint_in(answer.json())
                raise self._report.status(answer.status, complaint, retry_after_s(answer.headers))
            said = continued(said, self._read(answer))
        return said

    def _read(self, answer: Answer) -> ChatReply:
        body = answer.json()
        if (found := error_within(body)) is not None:
            raise self._report.status(*found, retry_after_s(answer.headers))
        try:
            return reply(body, model=self._config.model)
        except (LookupError, TypeError, AttributeError):
            raise self._report.garbled(body) from None
