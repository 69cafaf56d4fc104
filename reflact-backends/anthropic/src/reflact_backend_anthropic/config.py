"""The settings of `claude_chat`."""

from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator
from reflact.config.schema import Config

OURS = frozenset({"messages", "model", "output_config", "stream", "system", "thinking", "tool_choice", "tools"})
"""Body fields that `extra_body` may not set: the request and the other keys set them."""


class ClaudeConfig(Config):
    """One model at one endpoint."""

    model: str = Field(default="claude-sonnet-4-6", min_length=1)
    """The model's name at the server."""
    base_url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """Where the API is, with or without `/v1`. Empty: ANTHROPIC_BASE_URL, or Anthropic itself."""
    api_key_env: str = Field(default="ANTHROPIC_API_KEY", min_length=1)
    """The environment variable that holds the key. A server on this machine needs none."""
    api_key: SecretStr | None = None
    """The key itself; better kept in the environment."""
    key_header: Literal["authorization", "x-api-key"] = "authorization"
    """The header the key travels in; older gateways read `x-api-key`."""
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"] = ""
    """`output_config.effort`; empty, `none` and `minimal`, which Claude does not know, leave it out."""
    max_tokens: int = Field(default=16384, gt=0)
    """The most tokens of one reply, thinking included. A request may ask for fewer, not for more."""
    thinking: Literal["on", "off", "server_default"] = "server_default"
    """`on` lets the model decide how much it thinks (adaptive), `server_default` leaves the field out."""
    leave_out: list[Literal["effort", "schema"]] = Field(default_factory=list)
    """Parameters never to send, even where a request sets them."""
    prompt_caching: bool = True
    """Mark the end of the system text, the part that stays the same from task to task, for the server's cache."""
    timeout_s: float = Field(default=300, gt=0)
    """Seconds one attempt may take."""
    connections: int = Field(default=256, gt=0)
    """The most connections open at once; no fewer than the run's workers."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Additional HTTP headers; hidden like keys, since they often hold one."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Additional body fields, sent as they are; a sampling `temperature` is only sent from here."""

    @field_validator("extra_body")
    @classmethod
    def _leave_ours_alone(cls, given: dict[str, Any]) -> dict[str, Any]:
        if taken := OURS & given.keys():
            raise ValueError(f"cannot set {', '.join(sorted(taken))}: these fields are made from the other settings")
        return given
