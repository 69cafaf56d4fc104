"""What a check-up found, in lines for a person and as data for a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reflact.contracts import Finding

from reflact_cli.report.numbers import columns, many
from reflact_cli.screen.printable import printable

SOURCE = "_from"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Findings about one thing; *about* says more of it, by name. What ends in `_from` is where another comes from."""

    title: str
    findings: Sequence[Finding]
    about: Mapping[str, Any]


def doctor_lines(chapters: Sequence[Chapter]) -> Iterator[str]:
    """Yield a line for each finding, aligned over all *chapters*, and the sum of it all."""
    rows = [(one.level, one.what, _line(one.told)) for chapter in chapters for one in chapter.findings]
    lines = iter(columns(rows))
    for chapter in chapters:
        yield chapter.title
        yield from _about(chapter)
        for _ in chapter.findings:
            yield f"  {next(lines)}"
    levels = [level for level, _, _ in rows]
    counts = [many(levels.count(level), level) for level in ("error", "warning") if level in levels]
    yield ", ".join(counts) if counts else "all is well"


def doctor_json(chapters: Sequence[Chapter]) -> dict[str, Any]:
    """Return `{"good": …, "chapters": [{"title": …, …, "findings": [{"what", "level", "told"}]}]}`."""
    return {
        "good": not any(one.level == "error" for chapter in chapters for one in chapter.findings),
        "chapters": [
            {"title": chapter.title, **chapter.about, "findings": [asdict(one) for one in chapter.findings]}
            for chapter in chapters
        ],
    }


def _about(chapter: Chapter) -> Iterator[str]:
    for name, value in chapter.about.items():
        if not isinstance(value, str) or not value or value in chapter.title or name.endswith(SOURCE):
            continue
        source = chapter.about.get(f"{name}{SOURCE}")
        yield f"  {name}: {printable(value)}{f' from {printable(source)}' if source else ''}"


def _line(text: str) -> str:
    return printable(" ".join(text.split()))
