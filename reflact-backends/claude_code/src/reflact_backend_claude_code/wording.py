"""What Claude Code reads: the skill, the prompt, images. Says everything so that it arrives as it was written."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any

from reflact.agents import SKILL_NAME, render_skill
from reflact.types import Image, Message, Text

SETTINGS = {
    "attribution": {"commit": "", "pr": ""},
    "autoMemoryEnabled": False,
    "disableBundledSkills": True,
    "enabledPlugins": {"cc-plugin-plugin-authoring@builtin": False},
    "includeCoAuthoredBy": False,
}
"""Settings that leave the student alone with its skill: nothing of Claude Code's own skills, memory and advice."""

_ARGUMENT = re.compile(r"\\*\$(?=\d|ARGUMENTS)")
_VARIABLE = re.compile(r"\$\{(?=CLAUDE_)")
_COMMAND = re.compile(r"(^|(?<=\s))!(?=`)", re.MULTILINE)
_BLOCK = re.compile(r"```!")


def skill_file(skill: str) -> str:
    """Return *skill* as the SKILL.md that Claude Code loads."""
    head, rule, body = render_skill(skill).partition("\n---\n")
    return f"{head}{rule}{inert(body)}"


def inert(skill: str) -> str:
    """Return *skill* with nothing in it that Claude Code would fill in or run.

    In a skill `$1` is an argument of the call and !`date` a command; here `$1` is a dollar, and the skill is a text.
    """
    skill = _ARGUMENT.sub(r"\\$", skill)
    skill = _VARIABLE.sub("$ {", skill)
    return _BLOCK.sub("``` !", _COMMAND.sub(r"\\!", skill))


def prompt(text: str, images: Sequence[tuple[str, Image]] = (), *, skill: bool) -> bytes:
    """Return what goes into standard input: *text*, behind the call of the skill, and *images* with their files."""
    said = f"/{SKILL_NAME} {text}" if skill else text
    if not images:
        return said.encode("utf-8", "replace")
    blocks = [block for name, image in images for block in _labelled(image, f"{image.label or 'Image'}: {name}")]
    return line([*blocks, _text(said)])


def line(content: list[dict[str, Any]]) -> bytes:
    """Return *content* as one line of `--input-format stream-json`."""
    message = {"type": "user", "message": {"role": "user", "content": content}}
    return json.dumps(message).encode() + b"\n"


def system(messages: Iterable[Message]) -> str:
    """Return the system text of *messages*."""
    return "\n\n".join(one.text for one in messages if one.role == "system")


def conversation(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return all but the system text as the content of one message; of several, each says whose it is."""
    said = [one for one in messages if one.role != "system"]
    if len(said) == 1:
        return _content(said[0])
    marked: list[dict[str, Any]] = []
    for one in said:
        marked += [_text(f"<{one.role}>"), *_content(one), _text(f"</{one.role}>")]
    return [*marked, _text("Reply as the assistant, to what was said last.")]


def _content(message: Message) -> list[dict[str, Any]]:
    parts = (Text(message.content),) if isinstance(message.content, str) else message.content
    blocks: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, Image):
            blocks += _labelled(part, part.label)
        elif part.text.strip():
            blocks.append(_text(part.text))
    return blocks


def _labelled(image: Image, label: str) -> list[dict[str, Any]]:
    source = {"type": "base64", "media_type": image.media_type, "data": b64encode(image.data).decode("ascii")}
    block = {"type": "image", "source": source}
    return [_text(f"[{label}]"), block] if label else [block]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
