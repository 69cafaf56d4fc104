"""Why a run may have accepted nothing, with the numbers that say so."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflact_cli.report.numbers import many, score
from reflact_cli.report.step import notes

NOTE_CHARS = 200


def reasons(values: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the likely reasons, the most telling first; there always is one."""
    found = [*_room(values), *_teacher(history), *_student(history), *_edits(history), *_gate(history)]
    return found or ["the edits did not help on the selection split; try more epochs or a stronger teacher"]


def _room(values: Mapping[str, Any]) -> Iterator[str]:
    first, n = values["baseline_selection_hard"], values["selection_n"]
    if first == 1.0:
        yield f"the first skill already solves all {n} selection items: there is nothing to gain; use harder items"
    elif n < 10:
        yield f"the selection split has only {many(n, 'item')}: one item is {score(1 / n)} of the score; give it more"


def _teacher(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    said = [note for entry in history for note in notes(entry)]
    lost = sum(len(entry.get("notes", ())) for entry in history)
    if lost:
        first = said[0] if len(said[0]) <= NOTE_CHARS else f"{said[0][: NOTE_CHARS - 1]}…"
        yield f"the teacher's replies gave trouble {many(lost, 'time')}; first: {first}"
    none = sum(entry["action"] == "skip_no_patches" for entry in history)
    if none:
        yield f"in {many(none, 'step')} of {len(history)} the teacher proposed no edit that could be used"


def _student(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    perfect = sum(entry["rollout_n"] > 0 and entry["rollout_hard"] == 1.0 for entry in history)
    if perfect:
        yield f"in {many(perfect, 'step')} of {len(history)} every rollout was right: no failure to learn from"
    hopeless = sum(entry["rollout_n"] > 0 and entry["rollout_soft"] == 0.0 for entry in history)
    if hopeless == len(history) and history:
        yield "no rollout of any step was right, not even in part: the tasks may be too hard, or the answers misread"


def _edits(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    applied: Counter[str] = Counter()
    for entry in history:
        applied.update(entry.get("edit_apply_summary", {}))
    if applied["skipped"]:
        missed = f"{applied['skipped']} of {many(applied['total'], 'edit')}"
        yield f"{missed} could not be applied; edit_apply_report.json of each step says why"
    same = sum(entry["action"] == "skip_no_change" for entry in history)
    if same:
        yield f"in {many(same, 'step')} of {len(history)} the edits left the skill as it was"
    screened = sum(entry["action"] == "skip_screened_out" for entry in history)
    if screened:
        yield f"in {many(screened, 'step')} of {len(history)} no candidate solved a task it was screened on"


def _gate(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rejected = [entry for entry in history if entry["action"] == "reject"]
    if not rejected:
        return
    whole = [entry["candidate_gate_score"] for entry in rejected if not entry["selection_curtailed"]]
    given_up = len(rejected) - len(whole)
    closest = f"; the closest reached {score(max(whole))}" if whole else ""
    were = "was" if given_up == 1 else "were"
    early = f"; {given_up} {were} given up early, when no win was possible any more" if given_up else ""
    bar = score(rejected[0]["current_score"])
    yield f"{many(len(rejected), 'candidate')} did not beat {bar} on the selection split{closest}{early}"
