"""From a reply to the commands in it: calls of the tool `bash`, or one block of shell code."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from reflact.types import ChatReply, ToolCall

BLOCK = re.compile(r"^```(?:bash|sh|shell)[^\S\n]*\n(.*?)^```[^\S\n]*$", re.DOTALL | re.MULTILINE)
EMPTY = (
    "Your reply holds no command. Call the tool bash with one; hand in your patch as the task says when you are done."
)
CUT = "Your reply was cut off before it was complete, so nothing was run. Say less at a time."


class NotUnderstood(ValueError):
    """A reply that says nothing that can be run; the message is for the student."""


@dataclass(frozen=True, slots=True)
class Action:
    """A command, and the call it came in; one from a block of code has none."""

    command: str
    call_id: str = ""


def actions_of(reply: ChatReply) -> tuple[Action, ...]:
    """Return the commands of *reply*. Raises `NotUnderstood` when there is none, or one of its calls is faulty."""
    if reply.tool_calls:
        return tuple(_action(call) for call in reply.tool_calls)
    blocks = BLOCK.findall(reply.text)
    if len(blocks) == 1:
        return (Action(blocks[0]),)
    if blocks:
        raise NotUnderstood(f"Your reply holds {len(blocks)} blocks of shell code; give one command at a time.")
    raise NotUnderstood(CUT if reply.finish == "length" else EMPTY)


def _action(call: ToolCall) -> Action:
    if call.name != "bash":
        raise NotUnderstood(f"There is no tool {call.name!r}, and nothing was run; the only tool is bash.")
    try:
        arguments = json.loads(call.arguments)
    except ValueError as error:
        raise NotUnderstood(f"The arguments of your call are not JSON ({error}); nothing was run.") from error
    command = arguments.get("command") if isinstance(arguments, dict) else None
    if not isinstance(command, str) or not command.strip():
        raise NotUnderstood('bash takes {"command": "…"} with the text of a command; nothing was run.')
    return Action(command, call.id)
