"""Apply edits to a skill, one after the other, and say what became of each.

An edit stands only if every protected region is the same after it as before; nothing depends on how it was worded.
"""

from collections.abc import Iterable

from reflact.skill import regions
from reflact.skill.match import find, nearest, same
from reflact.types import Edit, ItemReport, Skill, Update

PREVIEW = 200


def apply_edits(skill: Skill, edits: Iterable[Edit]) -> Update:
    """Return the skill after *edits*, and a report of each. Line ends keep the style of the document."""
    crlf = "\r\n" in skill.text and "\n" not in skill.text.replace("\r\n", "")
    text = skill.text.replace("\r\n", "\n") if crlf else skill.text
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
    return Update(skill=Skill(text.replace("\n", "\r\n") if crlf else text), report=tuple(report))


def _apply(text: str, edit: Edit) -> tuple[str, str, str]:
    content = regions.strip_markers(edit.content.replace("\r\n", "\n")).strip()
    target = edit.target.replace("\r\n", "\n")
    if edit.op in ("append", "insert_after") and not content:
        return text, f"skipped_{edit.op}_empty_content", ""
    if edit.op in ("append", "insert_after") and _known(text, content):
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
        at = _after(text, place.end)
        head = text[:at].rstrip("\n")
        return f"{head}\n{content}\n{text[at:]}", f"applied_insert_after{how}", ""
    if edit.op == "delete":
        return _cut(text, place.start, place.end), f"applied_delete{how}", ""
    if same(text[place.start : place.end], content):
        return text, "noop_same_text", ""
    if not content:
        return _cut(text, place.start, place.end), f"applied_replace{how}", ""
    return text[: place.start] + content + text[place.end :], f"applied_replace{how}", ""


def _append(text: str, content: str) -> tuple[str, str, str]:
    at = regions.body_end(text)
    head, tail = text[:at].rstrip(), text[at:]
    new = f"{head}\n\n{content}" if head else content
    if tail.strip():
        return f"{new}\n\n{tail}", "applied_append_before_protected_region", ""
    return f"{new}\n", "applied_append", ""


def _relocated(text: str, content: str, hint: str) -> tuple[str, str, str]:
    return _append(text, content)[0], "relocated_insert_after_to_end", hint


def _known(text: str, content: str) -> bool:
    lines = [line for line in content.splitlines() if line.strip()]
    have = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(any(same(line, old) for old in have) for line in lines)


def _after(text: str, end: int) -> int:
    """Return the start of the line after the one that holds *end*, moved out of a code block or front matter."""
    newline = text.find("\n", end)
    at = len(text) if newline < 0 else newline + 1
    for start, stop in regions.fences(text):
        if start < at < stop:
            at = stop
    return at


def _cut(text: str, start: int, end: int) -> str:
    head, tail = text[:start], text[end:]
    if (not head or head.endswith("\n")) and tail.startswith("\n"):
        tail = tail[1:]
        if head.endswith("\n\n") or not head:
            tail = tail.lstrip("\n")
    return head + tail
