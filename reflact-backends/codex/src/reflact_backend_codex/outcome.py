"""How an attempt ended: its exit code, its last event and its session have to agree before it counts as an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflact import BackendError, Outcome
from reflact.agents import Ended, Step, fault_of
from reflact.errors import BackendFault
from reflact.llm.complaints import squeezed

from reflact_backend_codex.events import Told

_IMAGES = "Codex could not read it: give PNG, JPEG, GIF or WebP."
TAIL = 2000
"""Bytes of output that are looked at, and may be shown, when Codex ends without saying why."""
_SANDBOX = re.compile(
    r"\Abwrap: |codex-linux-sandbox|\Asandbox error:|failed to (?:start|apply|initialize) sandbox", re.I
)
_TRUNCATED = re.compile(r"incomplete response.*max_output_tokens", re.I)
_REFUSED = re.compile(r"incomplete response.*content_filter|content_policy|invalid_prompt|flagged", re.I)
_ADVICE: dict[BackendFault, str] = {
    "auth": "Check {key}.",
    "quota": "The account has nothing left to spend; wait or top it up, then resume.",
    "rate_limit": "Use fewer workers.",
    "context": "Shorten the task or the skill, or use a model with a larger context.",
    "bad_request": "Check `model`, `base_url` (it must speak the Responses API) and the version of Codex.",
    "unavailable": "Is the server running, and `base_url` right?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The outcome of an attempt and its answer, or the error that is no fault of the model."""

    outcome: Outcome
    answer: str = ""
    error: BackendError | None = None


def judge(
    ended: Ended,
    told: Told,
    steps: Sequence[Step],
    *,
    key: str,
    url: str,
    skill_shown: bool | None = None,
    lost_image: str = "",
) -> End:
    """Return how the attempt *ended*, given what was *told* and the *steps* of the session.

    *key* says where the key comes from, *url* which endpoint is meant; *skill_shown* is `None` where nobody knows.
    """
    answer = _answer(steps)
    if ended.timed_out:
        return End(outcome="timeout", answer=answer)
    if told.failure and _TRUNCATED.search(told.failure):
        return End(outcome="truncated", answer=answer)
    if told.failure and _REFUSED.search(told.failure):
        return End(outcome="refused", answer=answer)
    if told.failure or ended.exit_code or not told.completed:
        return End(outcome="infra_error", error=_failed(ended, told, key, f"{url}: " if url else ""))
    broken = next((step for step in steps if is_sandbox_failure(step)), None)
    if broken is not None:
        return End(outcome="infra_error", error=_sandbox(squeezed(broken.output or "")))
    if lost_image:
        error = BackendError(f"codex_exec: an image was left out: {lost_image}. {_IMAGES}", fault="bad_request")
        return End(outcome="infra_error", error=error)
    if skill_shown is False:
        return End(outcome="infra_error", error=BackendError("codex_exec: the skill was not shown.", fault="protocol"))
    if answer.strip():
        return End(outcome="ok", answer=answer)
    spoke = bool(steps) and steps[-1].kind == "message"
    return End(outcome="empty" if spoke else "refused")


def is_sandbox_failure(step: Step) -> bool:
    """Return whether the command of *step* never ran, because its sandbox could not be set up."""
    return step.kind == "command" and step.exit_code != 0 and _SANDBOX.search(step.output or "") is not None


def _answer(steps: Sequence[Step]) -> str:
    """Return the message the agent ended with; what it said before it went on working is no answer."""
    last = next((step for step in reversed(steps) if step.kind != "reasoning"), None)
    return last.content if last is not None and last.kind == "message" else ""


def _failed(ended: Ended, told: Told, key: str, where: str) -> BackendError:
    tail = squeezed(_tail(ended.stderr) or _tail(ended.stdout))
    if told.failure:
        fault, why = fault_of(told.failure), squeezed(told.failure)
    elif ended.exit_code:
        fault, why = fault_of(tail, default="bad_request"), f"exit code {ended.exit_code}: {tail or 'no reason given'}"
    else:
        fault, why = "protocol", f"it ended without an answer and without an error; its last words: {tail or 'none'}"
    if _SANDBOX.search(tail):
        return _sandbox(tail)
    advice = _ADVICE.get(fault, "").format(key=key)
    return BackendError(f"codex_exec: {where}{why.rstrip('.')}. {advice}".rstrip(), fault=fault)


def _sandbox(told: str) -> BackendError:
    return BackendError(
        f"codex_exec: the sandbox does not work here: {told}. Try `codex sandbox -- /bin/true`; inside a container it "
        "needs user namespaces. `sandbox: danger-full-access` does without one.",
        fault="unavailable",
    )


def _tail(output: bytes) -> str:
    return output[-TAIL:].decode("utf-8", "replace").strip()
