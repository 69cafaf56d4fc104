"""The settings of `openai_chat`."""

from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator
from reflact.config.schema import Config

OURS = frozenset({"messages", "model", "n", "response_format", "stream", "tools"})
"""Body fields that `extra_body` may not set: the request sets them, or the reply could not be read."""


class OpenAIConfig(Config):
    """One model at one endpoint."""

    model: str = Field(default="gpt-5.4", min_length=1)
    """The model's name at the server."""
    base_url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """Where the API is, up to and including `/v1`. Empty: OPENAI_BASE_URL, or OpenAI itself."""
    api_key_env: str = Field(default="OPENAI_API_KEY", min_length=1)
    """The environment variable that holds the key. A server on this machine needs none."""
    api_key: SecretStr | None = None
    """The key itself; better kept in the environment."""
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"] = ""
    """`reasoning_effort`; empty leaves it out."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """Sampling temperature; empty leaves it to the server."""
    max_tokens: int | None = Field(default=None, gt=0)
    """The most tokens of one reply, reasoning included; a request may ask for fewer. Empty leaves it to the request."""
    thinking: Literal["on", "off", "server_default"] = "server_default"
    """`chat_template_kwargs.enable_thinking` of vLLM, SGLang and llama.cpp; `server_default` leaves it out."""
    timeout_s: float = Field(default=120, gt=0)
    """Seconds one attempt may wait for the server."""
    max_retries: int = Field(default=4, ge=0)
    """Further attempts after a connection error, a timeout, 408, 409, 429 or 5xx; `Retry-After` is honoured."""
    connections: int = Field(default=256, gt=0)
    """The most connections open at once; no fewer than the run's workers."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Additional HTTP headers; hidden like keys, since they often hold one."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Additional body fields, sent as they are."""

    @field_validator("extra_body")
    @classmethod
    def _leave_ours_alone(cls, given: dict[str, Any]) -> dict[str, Any]:
        if taken := OURS & given.keys():
            raise ValueError(f"cannot set {', '.join(sorted(taken))}: these fields are made from the request")
        return given
