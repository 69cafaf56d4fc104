"""`ClaudeChat`: a blocking model over one asynchronous client, shared by all threads that ask."""

from __future__ import annotations

import json
import threading
import weakref
from typing import Any

import anthropic
from reflact import ChatReply, ChatRequest
from reflact.llm.complaints import redactor
from reflact.llm.loop import LoopThread

from reflact_backend_anthropic.client import connect
from reflact_backend_anthropic.config import ClaudeConfig
from reflact_backend_anthropic.dialect import Dialect
from reflact_backend_anthropic.faults import STATUS_OF, Reporter, complaint_in
from reflact_backend_anthropic.payload import payload
from reflact_backend_anthropic.reply import reply


class ClaudeChat:
    """A model behind the Messages API. What the server refuses to take is learnt once and left out from then on."""

    def __init__(self, config: ClaudeConfig) -> None:
        self._config = config
        self._client = connect(config)
        self._dialect = Dialect()
        self._lock = threading.Lock()
        self._report = Reporter(
            url=str(self._client.base_url.copy_with(userinfo=b"", query=None)).rstrip("/"),
            model=config.model,
            key="api_key" if config.api_key else f"${config.api_key_env}",
            timeout_s=config.timeout_s,
            redact=redactor([self._client.api_key or "", *(one.get_secret_value() for one in config.headers.values())]),
        )
        self._loop = LoopThread("claude-chat")
        self._finalizer = weakref.finalize(self, _close, self._loop, self._client)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the model's reply to *request*; thread-safe. Raises `BackendError` when there is none."""
        dialect = self._dialect
        while True:
            body = payload(request, self._config, dialect)
            try:
                return self._read(self._loop.run(self._post(body)))
            except anthropic.APIStatusError as error:
                complaint = complaint_in(error.body)
                learnt = dialect.after(complaint.message, body) if error.status_code in (400, 422) else dialect
                if learnt == dialect:
                    raise self._report.status(error.status_code, complaint) from None
                dialect = self._learn(learnt)
            except anthropic.APIConnectionError as error:
                raise self._report.unreached(error) from None
            except json.JSONDecodeError as error:
                raise self._report.garbled(error.doc) from None

    def close(self) -> None:
        """Close the connections and end the thread; the model cannot be used any more."""
        self._finalizer()

    async def _post(self, body: dict[str, Any]) -> object:
        return await self._client.post("/v1/messages", body=body, cast_to=object)

    def _learn(self, dialect: Dialect) -> Dialect:
        with self._lock:
            self._dialect = self._dialect | dialect
            return self._dialect

    def _read(self, body: object) -> ChatReply:
        if isinstance(body, dict) and "content" not in body and "error" in body:
            complaint = complaint_in(body)
            raise self._report.status(STATUS_OF.get(complaint.kind, 500), complaint)
        try:
            return reply(body, model=self._config.model)  # type: ignore[arg-type]
        except (LookupError, TypeError, AttributeError):
            raise self._report.garbled(body) from None


def _close(loop: LoopThread, client: anthropic.AsyncAnthropic) -> None:
    loop.close(client.close())
