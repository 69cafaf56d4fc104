"""The program in a reply."""

from __future__ import annotations

import re

from reflact.kit.answers import without_reasoning

_OPENING = re.compile(r"^[ \t]*(?P<ticks>`{3,}|~{3,})[ \t]*(?P<language>[\w+.#-]*)[^\n`]*$", re.MULTILINE)
_PYTHON = frozenset({"python", "py", "python3"})


def extract_code(reply: str) -> str:
    """Return the last Python block of *reply*, else its last block without a language; blocks of others are no code.

    A last Python block that is never closed counts. A reply without any block is code itself if it compiles and writes
    to OUTPUT_PATH. Empty when there is no program.
    """
    text = without_reasoning(reply.replace("\r\n", "\n"))
    blocks = _blocks(text)
    for languages, unclosed in ((_PYTHON, True), (frozenset({""}), False)):
        found = [code for language, code, closed in blocks if language in languages and (closed or unclosed)]
        if found := [code for code in found if code.strip()]:
            return found[-1]
    return text if not blocks and "OUTPUT_PATH" in text and _compiles(text) else ""


def _blocks(text: str) -> list[tuple[str, str, bool]]:
    """Return language, content and whether it is closed of every fenced block, in order."""
    blocks: list[tuple[str, str, bool]] = []
    at = 0
    while opening := _OPENING.search(text, at):
        start = min(opening.end() + 1, len(text))
        closing = re.compile(rf"^[ \t]*{opening['ticks']}[ \t]*$", re.MULTILINE).search(text, start)
        end = closing.start() if closing else len(text)
        blocks.append((opening["language"].lower(), text[start:end], closing is not None))
        at = closing.end() if closing else len(text)
    return blocks


def _compiles(text: str) -> bool:
    try:
        compile(text, "solution.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
