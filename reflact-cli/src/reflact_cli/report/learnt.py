"""What a run has learnt: the accepted edits, word for word."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflact_cli.epochs import StageResult
from reflact_cli.report.epoch import NAMES
from reflact_cli.report.numbers import score

MAX_LINES = 12
"""Lines of one edit that are shown."""


def learnt_lines(values: Mapping[str, Any], ends: Sequence[StageResult], skill: str) -> Iterator[str]:
    """Yield the accepted edits of all steps, then of all *ends* of epochs; one not in *skill* any more is marked."""
    rejected, skipped = values["total_rejects"], values["total_skips"]
    yield ""
    accepted = f"{values['total_accepts']} of {values['total_steps']} steps accepted"
    yield f"learnt          {accepted}, {rejected} rejected, {skipped} skipped"
    for step in values["learnt"]:
        yield f"  step {step['step']} (selection {score(step['selection_hard'])})"
        for edit in step["edits"]:
            yield from _edit(edit, skill)
    for end in ends:
        yield f"  {NAMES[end.stage]} after epoch {end.epoch} (selection {score(end.values['candidate_gate_score'])})"
        for text in end.texts:
            yield from _edit(text, skill)


def _edit(text: str, skill: str) -> Iterator[str]:
    lines = text.strip().splitlines() or ["(a deletion)"]
    for index, line in enumerate(lines[:MAX_LINES]):
        yield f"    {'+ ' if not index else '  '}{line.rstrip()}"
    if len(lines) > MAX_LINES:
        yield f"      … {len(lines) - MAX_LINES} more lines in best_skill.md"
    if text.strip() and " ".join(text.split()) not in " ".join(skill.split()):
        yield "      (changed again since, or not in the best skill)"
