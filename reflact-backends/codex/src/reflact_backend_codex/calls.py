"""The tool calls of Codex as steps: its shell, its patches, its scripts, and whatever else it has."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reflact.agents import Step

SHELLS = frozenset({"exec_command", "shell", "shell_command", "local_shell"})
_EXIT = re.compile(r"^Process exited with code (-?\d+)$", re.MULTILINE)
_BODY = re.compile(r"\A(?:(?!Output:\n).*\n)*?Output:\n")
_CHANGED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)
_SCRIPTED = re.compile(r"exec_command\(\s*\{\s*[\"']?cmd[\"']?\s*:\s*(\"(?:[^\"\\]|\\.)*\")")


def called(item: Mapping[str, Any]) -> Step:
    """Return the call *item* as a step without an output."""
    name = str(item.get("name") or "")
    if item.get("type") == "local_shell_call":
        action = item.get("action") or {}
        return Step(kind="command", content=_words(action.get("command")))
    if item.get("type") == "custom_tool_call":
        return _custom(name, str(item.get("input") or ""))
    arguments = _object(item.get("arguments"))
    if name in SHELLS:
        return Step(kind="command", content=_words(arguments.get("cmd") or arguments.get("command")))
    if name == "apply_patch":
        return _custom(name, str(arguments.get("input") or ""))
    return Step(kind="tool", content=f"{name} {item.get('arguments') or ''}".strip())


def ended(step: Step, output: Any, codes: Sequence[int]) -> Step:
    """Return *step* with its *output*. The exit code is what the output says, else the only one among *codes*."""
    text = _texts(output)
    code = _EXIT.search(text.partition("Output:\n")[0])
    body = _BODY.sub("", text, count=1)
    exit_code = int(code[1]) if code else codes[0] if len(codes) == 1 and step.kind == "command" else None
    return replace(step, output=body, exit_code=exit_code)


def _custom(name: str, text: str) -> Step:
    if name == "apply_patch":
        changed = [f"{how.lower()} {path.strip()}" for how, path in _CHANGED.findall(text)]
        return Step(kind="file_change", content="\n".join(changed) or text)
    commands = [json.loads(one) for one in _SCRIPTED.findall(text)]
    if name == "exec" and commands:
        return Step(kind="command", content="\n".join(commands))
    return Step(kind="tool", content=f"{name} {text}".strip())


def _texts(output: Any) -> str:
    """Return the text of an *output*: a text, or a list of parts."""
    if isinstance(output, list):
        return "".join(str(part.get("text") or "") for part in output if isinstance(part, dict))
    return str(output or "")


def _words(command: Any) -> str:
    if isinstance(command, list):
        shell = len(command) == 3 and command[1] in ("-c", "-lc")
        return str(command[2]) if shell else " ".join(map(str, command))
    return str(command or "")


def _object(arguments: Any) -> dict[str, Any]:
    try:
        found = json.loads(arguments)
    except (ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}
