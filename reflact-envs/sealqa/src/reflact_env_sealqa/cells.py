"""Lists in the cells of a table: JSON, or as Python or NumPy print them."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

_ARRAY = re.compile(r"^array\((.*?)(?:,\s*dtype=\w+)?\s*\)$", re.DOTALL)
_PART = re.compile(r"""(?:\\.|[^\\'"])+|['"]""", re.DOTALL)


def listed(value: Any) -> list[Any]:
    """Return the list in *value*: itself, or what a text says; a text that says none is the only entry.

    NumPy prints no commas; they are put in between entries. Nothing is evaluated.
    """
    if value is None or value == "":
        return []
    if isinstance(value, list | tuple):
        return list(value)
    if not isinstance(value, str):
        return [value]
    text = value.strip()
    array = _ARRAY.match(text)
    text = array[1].strip() if array else text
    if text.startswith(("[", "(")):
        for parse, written in ((json.loads, text), (ast.literal_eval, "".join(_with_commas(text)))):
            try:
                found = parse(written)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(found, list | tuple):
                return list(found)
    return [text] if text else []


def _with_commas(text: str) -> Iterator[str]:
    """Yield the parts of *text*, with a comma wherever an entry begins right after another one has ended."""
    quote, after = "", False
    for part in _PART.findall(text):
        if quote:
            quote, after = ("", True) if part == quote else (quote, False)
            yield part
        elif part in ("'", '"'):
            yield f",{part}" if after else part
            quote, after = part, False
        else:
            yield re.sub(r"([}\])])(\s*)(?=[{\[(])", r"\1,\2", part)
            after = not part.strip() if after else part.rstrip()[-1:] in ("}", "]", ")")
