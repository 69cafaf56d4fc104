"""Words that contracts share."""

from typing import Literal

Kind = Literal["chat", "exec"]
RoleName = Literal["teacher", "student", "judge"]
Ability = Literal["tools", "images", "web_search"]
"""What a chat student can do: call tools, see images, have its provider search the web while it replies."""
Level = Literal["good", "info", "warning", "error"]
CHAT_ONLY: frozenset[Kind] = frozenset({"chat"})
BOTH: frozenset[Kind] = frozenset({"chat", "exec"})
