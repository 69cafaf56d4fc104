"""What an agent did, for people and for a teacher: the whole transcript, and a few lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reflact.agents.steps import Step
from reflact.agents.workspace import SKILL_FILE, TASK
from reflact.types import Outcome, Usage

SHOWN = 3
"""Failures and files that are named; the others are counted."""
_TAGGED = re.compile(r"<answer>.*?</answer>", re.DOTALL | re.IGNORECASE)


def transcript(steps: Sequence[Step], *, agent: str, prompt: str, answer: str) -> str:
    """Return the whole session as text; what was said or printed is indented, so that it cannot pass for a step."""
    parts = [f"===== {agent} =====", "prompt:", _indented(prompt)]
    for number, step in enumerate(steps, start=1):
        code = "" if step.exit_code is None else f" (exit {step.exit_code})"
        parts += [f"[{number}] {step.kind}{code}:", _indented(step.content)]
        if step.output:
            parts += ["  output:", _indented(step.output, "    | ")]
    return "\n".join([*parts, "final answer:", _indented(answer), ""])


def summarise(
    steps: Sequence[Step], *, agent: str, answer: str, outcome: Outcome, usage: Usage, skill_shown: bool | None = None
) -> str:
    """Return a few lines on what was run, what failed, what was read, how it ended and what it took.

    *skill_shown* tells whether the skill was put before the agent without its having to read it; `None` if unknown.
    """
    return "\n".join(f"- {line}" for line in _lines(steps, agent, answer, outcome, usage, skill_shown)) + "\n"


def _lines(
    steps: Sequence[Step], agent: str, answer: str, outcome: Outcome, usage: Usage, skill_shown: bool | None
) -> Iterator[str]:
    commands = [step for step in steps if step.kind == "command"]
    failed = [step for step in commands if step.failed]
    yield f"agent: {agent}, {len(steps)} steps, ended: {outcome}"
    yield f"commands: {len(commands)} run, {len(failed)} failed"
    yield from (f"failed: {_failure(step)}" for step in failed[:SHOWN])
    yield from (f"error: {_short(step.content)}" for step in steps if step.kind == "error")
    files = [line for step in steps if step.kind == "file_change" for line in step.content.splitlines()]
    if files:
        more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
        yield f"files changed: {', '.join(files[:SHOWN])}{more}"
    yield f"read {TASK}: {_read(steps, TASK)} (the prompt holds it too)"
    yield f"read {SKILL_FILE}: {'shown at the start' if skill_shown else _read(steps, SKILL_FILE)}"
    yield f"final answer: {_form(answer)}"
    yield (
        f"tokens: {usage.prompt} prompt ({usage.cached} cached), {usage.completion} completion "
        f"({usage.reasoning} reasoning), {usage.calls} calls"
    )


def _failure(step: Step) -> str:
    told = next((line for line in (step.output or "").splitlines() if line.strip()), "")
    return f"`{_short(step.content, 120)}` (exit {step.exit_code}){': ' if told else ''}{_short(told)}"


def _read(steps: Sequence[Step], name: str) -> str:
    found = [step for step in steps if step.kind in ("command", "tool") and name in step.content]
    if not found:
        return "no"
    return "failed" if all(step.failed for step in found) else "yes"


def _form(answer: str) -> str:
    if not answer.strip():
        return "missing"
    kind = "in <answer> tags" if _TAGGED.search(answer) else "plain text"
    return f"{kind}, {len(answer)} characters"


def _short(text: str, limit: int = 200) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}…"


def _indented(text: str, by: str = "  ") -> str:
    return "\n".join(f"{by}{line}" for line in text.splitlines())
