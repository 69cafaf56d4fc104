"""What a test sees of a call to the fake server, and what it may answer; the same for every wire protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from reflact.types import Finish, ToolCall, Usage

Api = Literal["chat_completions", "messages", "responses"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeRequest:
    """A call as it arrived, with the key it came with: `headers` have lower-case names, nothing is hidden."""

    model: str
    messages: tuple[Mapping[str, Any], ...]
    """The conversation as sent; for Responses, the items of `input`."""
    text: str
    """The text of the last user message."""
    system: str
    """The text of all system messages, joined by newlines."""
    results: tuple[str, ...] = ()
    """What tools gave since that user message, oldest first: their number is the step an agent is at."""
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    api: Api = "chat_completions"
    path: str = ""
    """Path and query, as sent."""
    index: int = 0
    """How many calls came before this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeReply:
    """An answer, or a way to fail. All times are seconds.

    A *status* other than 200 sends an error with *message*, *code* and *param*; with *late* it comes after a 200, in
    the stream or in place of the answer. *hang_s* keeps the connection silent that long and then closes it; *drop*
    closes it in the middle of the answer; *bad_json* sends an answer that is none. A content filter is
    `status=400, code="content_filter"`, or `finish="refused"`, or a *refusal*, whichever the test is about. *usage* is
    estimated from the texts unless it is given; `"absent"` leaves it out.
    """

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    """A call of a tool that the request declared as `custom` is sent as one: `arguments` is its input, as it is."""
    finish: Finish | None = None
    """Why the answer ended; `None` means `tool_calls` or `stop`, whichever fits."""
    refusal: str = ""
    searches: tuple[str, ...] = ()
    """What the server searches the web for before it answers, for a request that offers its own `web_search`."""
    sources: tuple[str, ...] = ()
    """The addresses that the text cites from there."""
    usage: Usage | Literal["estimated", "absent"] = "estimated"
    cost: Any = None
    """`usage.cost`, as gateways report what a call cost; sent as it is, sense or nonsense."""
    status: int = 200
    message: str = ""
    code: str = ""
    param: str = ""
    late: bool = False
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
