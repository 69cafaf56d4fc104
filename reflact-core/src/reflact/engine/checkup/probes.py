"""What a model is asked before a run: one short request each, and what the reply tells about it. Pure data."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reflact.contracts import Ability, Level
from reflact.types import ChatReply, ChatRequest, ExecResult, Image, Message, Skill, Text, Tool

STAGE = "preflight"
"""The stage under which these calls are counted."""
CAP = 128
"""Most tokens of a reply: enough for a word after a little thinking."""
SEARCH_CAP = 1024
"""The same where the provider searches: a reply that is cut would be asked for again, and searched for again."""

Verdict = tuple[Level, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A request, and how its reply is read. `lack` is what a model that refuses the request cannot do.

    One that is `dear`, since the provider takes money besides, is only asked where its answer is needed.
    """

    what: str
    request: ChatRequest
    read: Callable[[ChatReply], Verdict]
    lack: str = ""
    dear: bool = False


def png(side: int, rgb: tuple[int, int, int]) -> bytes:
    """Return a square image of one colour, *side* pixels wide, as a PNG file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(rgb) * side) * side
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _user(*parts: Text | Image) -> tuple[Message, ...]:
    return (Message(role="user", content=parts if len(parts) > 1 else parts[0].text),)  # type: ignore[union-attr]


def _answers(reply: ChatReply) -> Verdict:
    if reply.outcome == "refused":
        return "warning", "refuses even to say OK; a content filter may be in the way"
    if reply.text.strip():
        thoughts = reply.usage.reasoning
        return "good", f"answers, after {thoughts} tokens of thoughts" if thoughts else "answers"
    if reply.outcome == "truncated":
        return "info", f"answers, though {CAP} tokens were not enough for its thoughts and a word"
    return "warning", "answers with nothing; if that goes on, look at the server's chat template"


def _calls_tools(reply: ChatReply) -> Verdict:
    if reply.tool_calls:
        return "good", "calls them"
    if "tool_call" in reply.text or '"name": "note"' in reply.text:
        return "warning", "writes a tool call as text; the server's parser for tool calls is off, or another model's"
    return "info", "takes them, but did not call the one it was told to call"


def _sees_images(reply: ChatReply) -> Verdict:
    seen = "red" in reply.text.lower()
    return ("good", "sees them") if seen else ("info", "takes them, but did not name the colour of a red square")


def _searches(reply: ChatReply) -> Verdict:
    return ("good", "searches it") if reply.searches else ("info", "takes its search, but did not search when told to")


def _keeps_to_schemas(reply: ChatReply) -> Verdict:
    try:
        said = json.loads(reply.text)
    except ValueError:
        return "warning", "does not keep to one; its replies will be searched for JSON, and repaired"
    kept = isinstance(said, dict) and set(said) == {"word"}
    return ("good", "keeps to one") if kept else ("warning", "writes JSON, but not of the form it was given")


_WORD = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
_NOTE = Tool(name="note", description="Writes a word down.", parameters=_WORD)
_RED = Image(data=png(64, (220, 20, 20)), media_type="image/png")

ANSWER = Probe(
    what="answer",
    request=ChatRequest(messages=_user(Text("Reply with OK.")), max_tokens=CAP, stage=STAGE),
    read=_answers,
)
SCHEMA = Probe(
    what="JSON schema",
    request=ChatRequest(
        messages=_user(Text('Give the word OK, as JSON: {"word": "OK"}')),
        schema=_WORD,
        schema_name=STAGE,
        max_tokens=CAP,
        stage=STAGE,
    ),
    read=_keeps_to_schemas,
    lack="takes none; its replies will be searched for JSON, and repaired",
)
ABILITIES: Mapping[Ability, Probe] = {
    "tools": Probe(
        what="tools",
        request=ChatRequest(
            messages=_user(Text("Call the tool `note` with the word OK.")), tools=(_NOTE,), max_tokens=CAP, stage=STAGE
        ),
        read=_calls_tools,
        lack="cannot call tools",
    ),
    "images": Probe(
        what="images",
        request=ChatRequest(
            messages=_user(Text("Which colour is this square? One word."), _RED), max_tokens=CAP, stage=STAGE
        ),
        read=_sees_images,
        lack="cannot see images",
    ),
    "web_search": Probe(
        what="web search",
        request=ChatRequest(
            messages=_user(Text("Search the web once for the height of Mont Blanc. Then reply with OK.")),
            hosted_tools=("web_search",),
            max_tokens=SEARCH_CAP,
            stage=STAGE,
        ),
        read=_searches,
        lack="cannot have its provider search the web",
        dear=True,
    ),
}
"""What an env may need of its student."""

SECRET_WORD = "kestrel"
JOB_FILE = "word.txt"
JOB_SKILL = Skill(f"# Word of the day\n\nThe word of the day is {SECRET_WORD}.\n")
JOB_PROMPT = (
    f"Your skill names the word of the day. Write that word, and nothing else, into the file {JOB_FILE} in your "
    "working folder. Then answer with that word."
)


def did_the_job(result: ExecResult) -> Verdict:
    """Return what *result* tells about an agent: does it answer, does it have the skill, may it write files."""
    file = result.workspace / JOB_FILE if result.workspace else None
    if not result.answer.strip():
        return "warning", f"gave no answer{f': {result.error}' if result.error else ''}"
    if SECRET_WORD not in result.answer.lower():
        return "warning", "answers, but not with the word its skill names; is the skill read?"
    if file is not None and not file.is_file():
        return "warning", f"answers, but {JOB_FILE} is not there; its sandbox may not let it write"
    return "good", "answers, reads its skill and writes files" if file else "answers and reads its skill"
