"""Apply edits to a skill, one after the other, and say what became of each.

An edit stands only if every protected region is the same after it as before; nothing depends on how it was worded.
"""

from collections.abc import Iterable
from textwrap import dedent

from reflact.skill import regions
from reflact.skill.fences import fences
from reflact.skill.lines import closed, lf, opened
from reflact.skill.match import find, folded, nearest
from reflact.types import Edit, ItemReport, Skill, Update

PREVIEW = 200


def apply_edits(skill: Skill, edits: Iterable[Edit]) -> Update:
    """Return the skill after *edits*, and a report of each. Line ends keep the style of the document."""
    text = opened(skill.text)
    report = []
    for index, edit in enumerate(edits, start=1):
        changed, status, hint = _apply(text, edit)
        if status.startswith(("applied", "relocated")):
            if regions.protected(changed) != regions.protected(text):
                changed, status, hint = text, "skipped_protected_region", ""
            elif changed == text:
                status = "noop_unchanged"
        text = changed
        report.append(
            ItemReport(
                index=index,
                op=edit.op,
                target=edit.target[:PREVIEW],
                content_preview=edit.content[:PREVIEW],
                status=status,
                hint=hint,
            )
        )
    return Update(skill=Skill(closed(text, skill.text)), report=tuple(report))


def _apply(text: str, edit: Edit) -> tuple[str, str, str]:
    content = regions.strip_markers(lf(edit.content))
    target = lf(edit.target)
    if not content.strip() and edit.content.strip():
        return text, "skipped_protected_region", ""
    if edit.op in ("append", "insert_after"):
        if not content.strip():
            return text, f"skipped_{edit.op}_empty_content", ""
        if _known(text, content):
            return text, "noop_duplicate", ""
    if edit.op == "append":
        return _append(text, content)
    if not target.strip():
        if edit.op == "insert_after":
            return _relocated(text, content, "")
        return text, f"skipped_{edit.op}_missing_target", ""
    place = find(text, target)
    if place.fault == "not_found":
        hint = nearest(text, target)
        if edit.op == "insert_after":
            return _relocated(text, content, hint)
        return text, f"skipped_{edit.op}_target_not_found", hint
    if place.fault:
        return text, f"skipped_{edit.op}_target_{place.fault}", ""
    how = "_tolerant" if place.tolerant else ""
    if any(place.start < span.end and span.start < place.end for span in regions.spans(text)):
        return text, "skipped_protected_region", ""
    if edit.op == "insert_after":
        return _insert(text, place.end, content), f"applied_insert_after{how}", ""
    if edit.op == "delete" or not content.strip():
        return _cut(text, place.start, place.end), f"applied_{edit.op}{how}", ""
    if folded(text[place.start : place.end]) == folded(content):
        return text, "noop_same_text", ""
    return text[: place.start] + content.strip() + text[place.end :], f"applied_replace{how}", ""


def _append(text: str, content: str) -> tuple[str, str, str]:
    at = regions.body_end(text)
    head, tail = text[:at].rstrip(), text[at:]
    body = dedent(content).strip()
    new = f"{head}\n\n{body}" if head else body
    if tail.strip():
        return f"{new}\n\n{tail}", "applied_append_before_protected_region", ""
    return f"{new}\n", "applied_append", ""


def _relocated(text: str, content: str, hint: str) -> tuple[str, str, str]:
    return _append(text, content)[0], "relocated_insert_after_to_end", hint


def _known(text: str, content: str) -> bool:
    """True when every line of *content* is there already, case aside."""
    have = {folded(line).casefold() for line in text.splitlines()}
    return all(folded(line).casefold() in have for line in content.splitlines() if line.strip())


def _insert(text: str, end: int, content: str) -> str:
    """Put *content*, its indentation kept, below the line that holds *end*, or below the code block of that line."""
    newline = text.find("\n", end)
    at = len(text) if newline < 0 else newline + 1
    at = next((stop for start, stop in fences(text) if start < at < stop), at)
    lines = content.rstrip().split("\n")
    first = next(number for number, line in enumerate(lines) if line.strip())
    return text[:at].rstrip("\n") + "\n" + "\n".join(lines[first:]) + "\n" + text[at:]


def _cut(text: str, start: int, end: int) -> str:
    """Take *text* from *start* to *end* out; a line that then holds nothing goes with it."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    if (text[line_start:start] + text[end:line_end]).strip():
        return text[:start] + text[end:]
    head, tail = text[:line_start], text[line_end + 1 :]
    return head + (tail.lstrip("\n") if not head or head.endswith("\n\n") else tail)
