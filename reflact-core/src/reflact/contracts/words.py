"""Words that contracts share."""

from typing import Literal

Kind = Literal["chat", "exec"]
RoleName = Literal["teacher", "student", "judge"]
Ability = Literal["tools", "images"]
Level = Literal["good", "info", "warning", "error"]
CHAT_ONLY: frozenset[Kind] = frozenset({"chat"})
BOTH: frozenset[Kind] = frozenset({"chat", "exec"})
