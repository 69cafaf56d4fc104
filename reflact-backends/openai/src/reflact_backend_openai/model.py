"""`OpenAIChat`: a blocking model over one asynchronous client, shared by all threads that ask."""

from __future__ import annotations

import json
import threading
import weakref
from typing import Any

import openai
from reflact import ChatReply, ChatRequest
from reflact.llm.complaints import redactor
from reflact.llm.loop import LoopThread

from reflact_backend_openai import wire
from reflact_backend_openai.client import connect
from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.dialect import LIMITS, Dialect
from reflact_backend_openai.faults import Reporter, complaint_in, is_refusal

OPENAI_HOST = "api.openai.com"


class OpenAIChat:
    """A model behind Chat Completions. What the server refuses to take is learnt once and left out from then on."""

    def __init__(self, config: OpenAIConfig) -> None:
        self._config = config
        self._client = connect(config)
        url = self._client.base_url
        self._dialect = Dialect(limits=LIMITS if url.host == OPENAI_HOST else LIMITS[::-1])
        self._lock = threading.Lock()
        self._report = Reporter(
            url=str(url.copy_with(userinfo=b"", query=None)).rstrip("/"),
            model=config.model,
            key="api_key" if config.api_key else f"${config.api_key_env}",
            timeout_s=config.timeout_s,
            redact=redactor([self._client.api_key, *(one.get_secret_value() for one in config.headers.values())]),
        )
        self._loop = LoopThread("openai-chat")
        self._finalizer = weakref.finalize(self, _close, self._loop, self._client)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the model's reply to *request*; thread-safe. Raises `BackendError` when there is none."""
        dialect = self._dialect
        while True:
            body = wire.payload(request, self._config, dialect)
            try:
                return self._read(self._loop.run(self._post(body)))
            except openai.APIStatusError as error:
                complaint = complaint_in(error.body)
                if is_refusal(complaint):
                    return ChatReply(text="", finish="refused", model=self._config.model)
                learnt = dialect.after(complaint, body) if error.status_code in (400, 422) else dialect
                if learnt == dialect:
                    raise self._report.status(error.status_code, complaint) from None
                dialect = self._learn(learnt)
            except openai.APIConnectionError as error:
                raise self._report.unreached(error) from None
            except json.JSONDecodeError as error:
                raise self._report.garbled(error.doc) from None

    def close(self) -> None:
        """Close the connections and end the thread; the model cannot be used any more."""
        self._finalizer()

    async def _post(self, body: dict[str, Any]) -> object:
        return await self._client.post("/chat/completions", body=body, cast_to=object)

    def _learn(self, dialect: Dialect) -> Dialect:
        with self._lock:
            self._dialect = self._dialect | dialect
            return self._dialect

    def _read(self, body: object) -> ChatReply:
        if isinstance(body, dict) and "choices" not in body and "error" in body:
            complaint = complaint_in(body)
            raise self._report.status(int(complaint.code) if complaint.code.isdecimal() else 500, complaint)
        try:
            return wire.reply(body, model=self._config.model)  # type: ignore[arg-type]
        except (LookupError, TypeError, AttributeError):
            raise self._report.garbled(body) from None


def _close(loop: LoopThread, client: openai.AsyncOpenAI) -> None:
    loop.close(client.close())
