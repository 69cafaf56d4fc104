"""What an agent did, step by step, in one form for every agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

StepKind = Literal["message", "reasoning", "command", "file_change", "tool", "error"]
MAX_OUTPUT = 20_000
"""Characters of one step's output that a trace holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. `content` is what was said, the command line, the changed paths or the tool call.

    `handle` is what the agent's own session calls the step, for going on after it.
    """

    kind: StepKind
    content: str
    output: str | None = None
    exit_code: int | None = None
    handle: str = ""

    @property
    def failed(self) -> bool:
        """Whether a command ended with an exit code other than 0, or the step is an error."""
        return self.kind == "error" or bool(self.exit_code)


def entries(steps: Iterable[Step]) -> tuple[dict[str, Any], ...]:
    """Return *steps* as the entries of `ExecResult.trace`, counted from 1; long outputs lose their middle."""
    return tuple(_entry(number, step) for number, step in enumerate(steps, start=1))


def cleaned(steps: Iterable[Step], clean: Callable[[str], str]) -> tuple[Step, ...]:
    """Return *steps* with every text passed through *clean*, such as `Secrets.masked`."""
    return tuple(
        replace(one, content=clean(one.content), output=None if one.output is None else clean(one.output))
        for one in steps
    )


def shortened(text: str, limit: int = MAX_OUTPUT) -> str:
    """Return *text*, or its beginning and its end where it is longer than *limit* characters."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"


def _entry(number: int, step: Step) -> dict[str, Any]:
    entry: dict[str, Any] = {"role": "agent", "step": number, "kind": step.kind, "content": shortened(step.content)}
    if step.output is not None:
        entry["output"] = shortened(step.output)
    if step.exit_code is not None:
        entry["exit_code"] = step.exit_code
    return entry
