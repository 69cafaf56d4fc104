"""A step in one line, and below it what a person should know of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflact_cli.report.numbers import many, score

VERDICTS = {
    "accept_new_best": "ACCEPTED (new best)",
    "accept": "ACCEPTED",
    "reject": "rejected: not better than the current skill",
    "skip_no_rewrite": "skipped: the teacher did not write the new document",
    "skip_no_patches": "skipped: the teacher proposed no edit",
    "skip_no_change": "skipped: the edits leave the skill as it is",
    "skip_screened_out": "skipped: no candidate solved any of the tasks it was screened on",
}
MISSES = {
    "target_not_found": "the text it refers to is not in the skill",
    "target_ambiguous": "the text it refers to stands in the skill more than once",
    "missing_target": "it does not say which text it refers to",
    "empty_content": "it has no text",
    "protected_region": "it would change a protected region",
    "duplicate": "the skill says so already",
    "target_too_short": "the text it refers to is too short to be found for certain",
    "same_text": "it replaces a text by itself",
    "unchanged": "it changes nothing",
}
NOTE_CHARS = 300


def step_line(entry: Mapping[str, Any], *, total: int, before: float | None) -> str:
    """Return the line of the step recorded in *entry*; *before* is the selection score the candidate had to beat."""
    head = f"step {entry['step']}/{total}" if total else f"step {entry['step']}"
    parts = [_rollout(entry), many(entry["n_patches"], "patch"), f"{many(entry['n_edits_ranked'], 'edit')} kept"]
    if entry.get("n_execution_lapse_notes"):
        parts.append(many(entry["n_execution_lapse_notes"], "reminder"))
    return f"{head}  {' · '.join(parts)} · {verdict(entry, before)}"


def verdict(entry: Mapping[str, Any], before: float | None) -> str:
    """Return what became of the candidate in *entry* (of a step, or of an epoch's end), measured against *before*."""
    words = VERDICTS.get(entry["action"], str(entry["action"]).replace("_", " "))
    if entry.get("gate_reason"):
        words = f"{words} ({entry['gate_reason']})"
    if "selection_n" not in entry:
        return words
    if entry["selection_curtailed"]:
        n = entry["selection_n"]
        right = round(entry["selection_hard"] * n)
        return f"selection {right}/{n} right, which cannot beat {score(before or 0.0)} any more · {words}"
    start = f"{score(before)} -> " if before is not None else ""
    return f"selection {start}{score(entry['candidate_gate_score'])} {words}{_flips(entry)}"


def misses(report: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each edit in an `edit_apply_report.json` that did not do what it says."""
    for one in report:
        status = str(one.get("status", ""))
        if status.startswith("applied"):
            continue
        what = _quoted(one.get("target") or one.get("content_preview") or "")
        if status.startswith("relocated"):
            yield f"edit {one['index']} ({one['op']} {what}): its place was not found, so it went to the end"
            continue
        why = next((text for end, text in MISSES.items() if status.endswith(end)), status.replace("_", " "))
        hint = f"; nearest: {_quoted(one['hint'])}" if one.get("hint") else ""
        yield f"edit {one['index']} ({one['op']} {what}) not applied: {why}{hint}"


def notes(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield each different note of a step once: replies that could not be used, merges that failed."""
    for note in dict.fromkeys(entry.get("notes", ())):
        count = entry["notes"].count(note)
        text = " ".join(str(note).split())
        shown = text if len(text) <= NOTE_CHARS else f"{text[: NOTE_CHARS - 1]}…"
        yield f"{shown} ({count} times)" if count > 1 else shown


def style(action: str) -> str:
    """Return the colour of a step that ended in *action*."""
    return "green" if action.startswith("accept") else "yellow" if action.startswith("skip") else ""


def _rollout(entry: Mapping[str, Any]) -> str:
    n = entry["rollout_n"]
    errors = f" ({entry['rollout_errors']} could not be run)" if entry.get("rollout_errors") else ""
    return f"rollout {entry['rollout_right']}/{n} right{errors}"


def _flips(entry: Mapping[str, Any]) -> str:
    flips = entry.get("selection_flips")
    return f" · {flips['improved']} better, {flips['regressed']} worse" if flips else ""


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= 60 else f"'{line[:59]}…'"
