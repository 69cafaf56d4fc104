"""How a run ended: what the model answered, or whose fault it is that it did not. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from reflact.agents import SKILL_NAME, Ended, fault_of
from reflact.errors import BackendFault
from reflact.llm.complaints import squeezed
from reflact.types import Outcome

from reflact_backend_claude_code.events import Stream

TAIL = 600
"""Characters of each output that are shown when nothing else tells what happened."""

_BY_STATUS: Mapping[int, BackendFault] = {
    401: "auth",
    402: "quota",
    403: "auth",
    408: "timeout",
    413: "context",
    504: "timeout",
}
_WORDED: frozenset[BackendFault] = frozenset({"quota", "context"})
_CUT = re.compile(r"exceeded the \d+ output token maximum")
_MALFORMED = re.compile(r"malformed response|not valid JSON|parse JSON|valid structured output", re.IGNORECASE)
_ERROR_TEXT = re.compile(r"\A(?:API Error|Failed to authenticate|Not logged in|Invalid API key|Credit balance)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An outcome with its answer, or an error with its fault."""

    outcome: Outcome
    answer: str = ""
    error: str | None = None
    fault: BackendFault | None = None


def judge(ended: Ended, stream: Stream) -> Verdict:
    """Return how the run ended. Only an exit code of 0 with a result that is no error counts as an answer."""
    if ended.timed_out:
        return Verdict(outcome="timeout", error=f"no end within {ended.seconds:.0f} s", fault="timeout")
    if not stream.result:
        return _broken_off(ended)
    told = _told(stream)
    if stream.result.get("stop_reason") == "refusal":
        return Verdict(outcome="refused")
    if _is_cut(stream, told):
        return Verdict(outcome="truncated", answer=stream.last_text)
    if stream.result.get("is_error") or _is_error_text(stream):
        return _failed(stream, told, ended)
    if ended.exit_code:
        return _broken_off(ended)
    answer = _answer(stream)
    return Verdict(outcome="ok" if answer.strip() else "empty", answer=answer)


def skill_loaded(stream: Stream) -> bool | None:
    """Return whether the skill under test was there for the student; `None` when the version does not tell."""
    lists = [stream.start[key] for key in ("skills", "slash_commands") if isinstance(stream.start.get(key), list)]
    return any(SKILL_NAME in one for one in lists) if lists else None


def _answer(stream: Stream) -> str:
    said = stream.result.get("result")
    return said if isinstance(said, str) and said.strip() else stream.last_text


def _told(stream: Stream) -> str:
    """Return what Claude Code says went wrong."""
    errors = stream.result.get("errors")
    listed = "; ".join(map(str, errors)) if isinstance(errors, list) else ""
    return str(stream.result.get("result") or "") or listed or stream.own_words


def _is_cut(stream: Stream, told: str) -> bool:
    if "max_turns" in (stream.result.get("terminal_reason"), str(stream.result.get("subtype")).removeprefix("error_")):
        return True
    return stream.result.get("stop_reason") == "max_tokens" or (
        bool(stream.result.get("is_error")) and _CUT.search(told) is not None
    )


def _is_error_text(stream: Stream) -> bool:
    """Return whether what poses as the answer is an error that Claude Code itself worded."""
    said = str(stream.result.get("result") or "")
    if stream.own_words:
        return not said or said == stream.own_words
    return not stream.last_text and _ERROR_TEXT.match(said) is not None


def _failed(stream: Stream, told: str, ended: Ended) -> Verdict:
    status = stream.result.get("api_error_status")
    fault = _fault(status if isinstance(status, int) else None, told)
    return Verdict(outcome="infra_error", error=squeezed(told) or _tails(ended), fault=fault)


def _fault(status: int | None, told: str) -> BackendFault:
    if status is None:
        return "protocol" if _MALFORMED.search(told) else fault_of(told)
    if status in (400, 422, 429) and (worded := fault_of(told)) in _WORDED:
        return worded
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status == 429:
        return "rate_limit"
    return "unavailable" if status >= 500 else "bad_request"


def _broken_off(ended: Ended) -> Verdict:
    """Return the verdict on a run that did not tell its result: all there is to show is the end of what it printed."""
    shown = _tails(ended)
    fault: BackendFault = fault_of(shown, default="protocol") if ended.exit_code else "protocol"
    how = f"exit code {ended.exit_code}" if ended.exit_code >= 0 else f"ended by signal {-ended.exit_code}"
    return Verdict(outcome="infra_error", error=f"no result, {how}; {shown}", fault=fault)


def _tails(ended: Ended) -> str:
    """Return the last of what was printed, on one line."""
    found = []
    for name, output in (("stderr", ended.stderr), ("stdout", ended.stdout)):
        text = " ".join(output[-4 * TAIL :].decode("utf-8", "replace").split())
        if text:
            found.append(f"{name}: {'…' if len(text) > TAIL else ''}{text[-TAIL:]}")
    return "; ".join(found) or "it printed nothing"
