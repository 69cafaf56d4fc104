"""The skill as a SKILL.md: front matter a strict YAML reader takes, then the text that is trained, as it is."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

SKILL_NAME = "reflact-student"
MAX_DESCRIPTION = 1024
DESCRIPTION = "How to do the tasks of this workspace. Read it before you begin, and follow it."
NOTHING_YET = "There is no guidance yet."

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(.*?\n)??---[ \t]*(?:\n|\Z)", re.DOTALL)


def render_skill(text: str, *, name: str = SKILL_NAME, description: str = DESCRIPTION) -> str:
    """Return *text* as a SKILL.md called *name*.

    Front matter the text opens with is taken out; its description, if it has one, takes the place of *description*.
    What is written between the rules is one quoted line a key, so no skill text can close the block.
    """
    front, body = split_front(text.replace("\r\n", "\n"))
    own = front.get("description")
    told = _line(own) if isinstance(own, str) else ""
    head = f"---\nname: {json.dumps(name)}\ndescription: {_quoted(told or description)}\n---\n"
    return f"{head}\n{body.strip() or NOTHING_YET}\n"


def split_front(text: str) -> tuple[dict[str, Any], str]:
    """Return the front matter *text* opens with, and the rest; a section between two rules is no front matter."""
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    try:
        front = yaml.safe_load(match.group(1) or "")
    except yaml.YAMLError:
        return {}, text
    if front is None:
        return {}, text[match.end() :]
    return (front, text[match.end() :]) if isinstance(front, dict) else ({}, text)


def _line(text: str) -> str:
    """Return *text* on one line of printable characters."""
    return "".join(one for one in " ".join(text.split()) if one.isprintable())


def _quoted(text: str) -> str:
    return json.dumps(_line(text)[:MAX_DESCRIPTION], ensure_ascii=False)
