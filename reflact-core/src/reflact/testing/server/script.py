"""What a test sees of a call to the fake server, and what it may answer; the same for every wire protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from reflact.types import Finish, ToolCall, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeRequest:
    """A call as it arrived. `messages` and `body` are as sent; `headers` have lower-case names and no secrets."""

    model: str
    messages: tuple[Mapping[str, Any], ...]
    text: str
    """The text of the last user message."""
    system: str
    """The text of all system messages, joined by newlines."""
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    index: int = 0
    """How many calls came before this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeReply:
    """An answer, or a way to fail. All times are seconds.

    A *status* other than 200 sends an error with *message*, *code* and *param*. *hang_s* keeps the connection silent
    that long and then closes it; *drop* closes it in the middle of the answer; *bad_json* sends an answer that is
    none. *usage* is estimated from the texts unless it is given; `"absent"` leaves it out.
    """

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: Finish | None = None
    """Why the answer ended; `None` means `tool_calls` or `stop`, whichever fits."""
    refusal: str = ""
    usage: Usage | Literal["estimated", "absent"] = "estimated"
    status: int = 200
    message: str = ""
    code: str = ""
    param: str = ""
    retry_after: float | None = None
    latency_s: float = 0.0
    hang_s: float = 0.0
    drop: bool = False
    bad_json: bool = False
    body: Mapping[str, Any] | None = None
    """The whole answer, for what no other field can say; sent as it is."""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def ending(self) -> Finish:
        """`finish`, or what the content implies."""
        return self.finish or ("tool_calls" if self.tool_calls else "stop")


Script = Callable[[FakeRequest], "FakeReply | str"]
