"""`OpenAIChat`: a blocking model that all threads may ask, over one client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from reflact import BackendError, ChatReply, ChatRequest
from reflact.llm.complaints import redactor
from reflact.llm.http import Complaint, Learnt, Reporter, complaint_in, retry_after_s
from reflact.llm.http.post import Answer, Poster

from reflact_backend_openai import completions, responses
from reflact_backend_openai.client import connect
from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.dialect import LIMITS, Dialect, wants_responses
from reflact_backend_openai.endpoint import Api, Endpoint
from reflact_backend_openai.faults import error_within, is_refusal, printed_call
from reflact_backend_openai.own import NOTHING, Own

ONLY_RESPONSES = (
    *("codex-mini", "computer-use-preview", "gpt-5-codex", "gpt-5.1-codex", "gpt-5.2-codex", "gpt-5.3-codex"),
    *("gpt-5-pro", "gpt-5.2-pro", "gpt-5.4-pro", "o1-pro", "o3-deep-research", "o3-pro", "o4-mini-deep-research"),
)
"""How the names begin of models that OpenAI and Azure serve by Responses alone; others are learnt."""


class Wire(Protocol):
    """An API: how a request is written, and a reply is read."""

    def payload(self, request: ChatRequest, config: OpenAIConfig, dialect: Dialect) -> dict[str, Any]: ...
    def reply(self, body: Any, *, model: str) -> ChatReply: ...


WIRES: Mapping[Api, Wire] = {"chat": completions, "responses": responses}


class OpenAIChat:
    """A model behind Chat Completions or Responses. What the server refuses to take is learnt once, and left out.

    *own* is what the environment says of the role it is built for. *endpoint* takes the place of the one that the
    settings and the environment describe.
    """

    def __init__(self, config: OpenAIConfig, own: Own = NOTHING, *, endpoint: Endpoint | None = None) -> None:
        self._config = config
        self._endpoint = endpoint or connect(config, own)
        self._learnt = Learnt(_first_dialect(config, self._endpoint))
        self._report = Reporter(
            name="openai_chat",
            url=self._endpoint.base,
            model=config.model,
            key=self._endpoint.key,
            entry=f"Sign in again (it was {self._endpoint.key}), then resume." if self._endpoint.token else "",
            timeout_s=config.timeout_s,
            redact=redactor(self._endpoint.secrets),
            wanted="a chat completion or a response",
            address=self._endpoint.address,
            hint="Most servers want it to end in /v1." if self._endpoint.address == "base_url" else "",
        )
        self._poster = Poster(self._report, connections=config.connections, proxy=self._endpoint.proxy)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the model's reply to *request*; thread-safe. Raises `BackendError` when there is none.

        When all its tokens went before the first word, it is asked once more with more of them.
        """
        if request.hosted_tools and (reason := unhosted(self._config)):
            raise BackendError(f"openai_chat: {reason}", fault="bad_request")
        return self._learnt.reply(
            lambda dialect: self._ask(request, _spoken(dialect, request)),
            lambda dialect: self._body(request, _spoken(dialect, request)),
        )

    def close(self) -> None:
        """Close the connections and end the thread; the model cannot be used any more."""
        self._poster.close()

    def _ask(self, request: ChatRequest, dialect: Dialect) -> tuple[Dialect, ChatReply]:
        """Return the reply to *request*, and the dialect it was got in."""
        while True:
            body = self._body(request, dialect)
            url = self._endpoint.url(dialect.api, self._config.model)
            answer = self._poster.post(url, body, self._endpoint.credentials())
            if answer.ok:
                return dialect, self._read(dialect.api, answer, request)
            complaint = complaint_in(answer.json())
            if is_refusal(complaint):
                return dialect, ChatReply(text="", finish="refused", model=self._config.model)
            better = self._better(dialect, answer.status, complaint, body)
            if better == dialect:
                raise self._report.status(answer.status, complaint, retry_after_s(answer.headers))
            self._learnt.add(better)
            dialect = better

    def _body(self, request: ChatRequest, dialect: Dialect) -> dict[str, Any]:
        return WIRES[dialect.api].payload(request, self._config, dialect)

    def _better(self, dialect: Dialect, status: int, complaint: Complaint, body: dict[str, Any]) -> Dialect:
        may_switch = self._config.api == "auto" and dialect.api == "chat"
        if may_switch and status in (400, 404, 405) and wants_responses(complaint):
            return replace(dialect, api="responses")
        return dialect.after(complaint, body) if status in (400, 422) else dialect

    def _read(self, api: Api, answer: Answer, request: ChatRequest) -> ChatReply:
        body = answer.json()
        if (found := error_within(body)) is not None:
            if is_refusal(found[1]):
                return ChatReply(text="", finish="refused", model=self._config.model)
            raise self._report.status(*found, retry_after_s(answer.headers))
        try:
            reply = WIRES[api].reply(body, model=self._config.model)
        except (LookupError, TypeError, AttributeError):
            raise self._report.garbled(body) from None
        if printed_call(request, reply):
            raise self._report.error(
                f"{self._endpoint.base} gave the call of a tool as text, not as a tool call: {reply.text[:80]!r}.",
                "Switch the server's tool parser on, for vLLM with --enable-auto-tool-choice and --tool-call-parser.",
                "protocol",
            )
        return reply


def unhosted(config: OpenAIConfig) -> str:
    """Return why the server runs no tools of its own; empty when it does."""
    told = "a search by OpenAI itself needs Responses, and `api` is `chat`; set it to `responses`, or leave it out"
    return told if config.api == "chat" else ""


def _spoken(dialect: Dialect, request: ChatRequest) -> Dialect:
    """Return *dialect* in the API that has what *request* needs: Chat Completions has no tools of the server's own."""
    return replace(dialect, api="responses") if request.hosted_tools else dialect


def _first_dialect(config: OpenAIConfig, endpoint: Endpoint) -> Dialect:
    known = endpoint.official and config.model.startswith(ONLY_RESPONSES)
    api: Api = "responses" if config.api == "responses" or (config.api == "auto" and known) else "chat"
    return Dialect(api=api, limits=LIMITS if endpoint.official else LIMITS[::-1]).without(config.leave_out)
