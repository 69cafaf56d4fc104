"""The text of an HTML page, in one pass: hostile markup costs no more than its length."""

import html
import re
from typing import NamedTuple

_SILENT = ("script", "style", "noscript", "template", "svg", "head", "title", "iframe", "select")
_BLOCKS = re.compile(
    "address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre"
    "|section|table|tbody|thead|tr|ul"
)
_CELLS = frozenset(("td", "th"))
_MARKUP = re.compile(r"<(?:(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})|(!--)|[!?/])")
_ENDS = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in _SILENT}


class Readable(NamedTuple):
    """A page's title, which may be empty, and what it says, one line for each block."""

    title: str
    text: str


def readable(page: str) -> Readable:
    """Return what a reader sees of the HTML *page*; scripts, styles, comments and the like are left out."""
    return Readable(_title(page), _tidy(_pieces(page)))


def _pieces(page: str) -> str:
    found: list[str] = []
    at = 0
    while markup := _MARKUP.search(page, at):
        found.append(html.unescape(page[at : markup.start()]))
        closing = "-->" if markup[3] else ">"
        closes = page.find(closing, markup.end())
        at = closes + len(closing) if closes >= 0 else len(page)
        name = (markup[2] or "").lower()
        if name in _SILENT and not markup[1]:
            end = _ENDS[name].search(page, at)
            at = end.start() if end else len(page)
        elif _BLOCKS.fullmatch(name):
            found.append("\n")
        elif name in _CELLS and not markup[1]:
            found.append(" | ")
    return "".join([*found, html.unescape(page[at:])])


def _title(page: str) -> str:
    begin = re.search(r"<title[^<>]{0,200}>", page[:100_000], re.IGNORECASE)
    end = _ENDS["title"].search(page, begin.end(), begin.end() + 1000) if begin else None
    return " ".join(html.unescape(page[begin.end() : end.start()]).split()) if begin and end else ""


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()).strip("| ") for line in text.splitlines())
    return "\n".join(line for line in lines if line)
