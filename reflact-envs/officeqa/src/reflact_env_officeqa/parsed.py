"""Parsed documents: the text of a page, or of all, with tables as rows of cells."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

MOST_ROWS, MOST_CELLS = 400, 60


def whole_text(file: Path) -> str:
    """Return the text of the parsed document *file*, each page under its number. Raises `ValueError` if it is none."""
    parts: list[str] = []
    page = None
    for text, pages in _elements(file):
        if pages and pages[0] != page:
            page = pages[0]
            parts.append(f"[page {page}]")
        parts.append(text)
    return "\n".join(parts)


def page_text(file: Path, number: int) -> str:
    """Return the text of page *number* of the parsed document *file*; empty where there is none."""
    return "\n".join(text for text, pages in _elements(file) if number in pages)


def table_text(markup: str) -> str:
    """Return the HTML *markup* with one line for each row of a table, cells between bars; bounded in rows and cells."""
    reader = _Table()
    reader.feed(markup)
    reader.close()
    return reader.text()


def _elements(file: Path) -> Iterator[tuple[str, list[int]]]:
    """Yield the text of each element and the pages it lies on."""
    content: Any = json.loads(file.read_bytes().decode("utf-8", "replace"))
    document = content.get("document") if isinstance(content, dict) else None
    elements = document.get("elements") if isinstance(document, dict) else None
    if not isinstance(elements, list):
        raise ValueError(f"{file.name} is no parsed document: it has no document.elements")
    for one in elements:
        if isinstance(one, dict) and isinstance(one.get("content"), str):
            text = table_text(one["content"]) if "<" in one["content"] else one["content"]
            boxes = one.get("bbox") if isinstance(one.get("bbox"), list) else []
            pages = [box.get("page_id") for box in boxes or [] if isinstance(box, dict)]
            yield text.strip(), [number for number in pages if isinstance(number, int)]


class _Table(HTMLParser):
    """Gathers the rows of tables, and the text around them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = []
        self._cells: list[str] | None = None
        self._left_out = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._end_row()
            self._cells = []
        elif tag in ("td", "th"):
            self._cells = self._cells or []
            self._cells.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("tr", "table"):
            self._end_row()

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and self._cells:
            self._cells[-1] = f"{self._cells[-1]} {text}".strip()
        elif text and self._cells is None:
            self._lines.append(text)

    def text(self) -> str:
        """Return what was gathered."""
        self._end_row()
        more = [f"[{self._left_out} more rows]"] if self._left_out else []
        return "\n".join([*self._lines, *more])

    def _end_row(self) -> None:
        if self._cells:
            if len(self._lines) < MOST_ROWS:
                cells = (cell.replace("|", "\\|") for cell in self._cells[:MOST_CELLS])
                self._lines.append(f"| {' | '.join(cells)} |")
            else:
                self._left_out += 1
        self._cells = None
