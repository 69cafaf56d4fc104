"""The settings of `openai_chat`."""

from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator
from reflact.config.schema import Config

OURS = frozenset(
    {"input", "instructions", "messages", "model", "n", "response_format", "store", "stream", "tool_choice", "tools"}
)
"""Body fields that `extra_body` may not set: the request sets them, or the reply could not be read."""

Optional = Literal["temperature", "effort", "max_tokens", "schema", "store"]
AuthMode = Literal[
    "",
    "api_key",
    "azure_cli",
    "managed_identity",
    "default",
    "key",
    "aad",
    "azure_ad",
    "openai_compatible",
    "compat",
    "openai",
]


class OpenAIConfig(Config):
    """One model at one endpoint: OpenAI, a compatible server, or Azure OpenAI.

    Azure's variables have forms for one role, which come first: TEACHER_AZURE_OPENAI_…, AZURE_OPENAI_TEACHER_….
    """

    model: str = Field(default="gpt-5.4", min_length=1)
    """The model's name at the server; at Azure, the deployment's."""
    base_url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """Where the API is, up to and including `/v1`. Empty: Azure if it is set, OPENAI_BASE_URL, or OpenAI."""
    api_key_env: str = Field(default="OPENAI_API_KEY", min_length=1)
    """The environment variable that holds the key. A server on this machine needs none."""
    api_key: SecretStr | None = None
    """The key itself; better kept in the environment."""
    api: Literal["auto", "chat", "responses"] = "auto"
    """Chat Completions or Responses; `auto` takes Responses for models that have nothing else."""
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"] = ""
    """How hard the model is to think; empty leaves it out."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """Sampling temperature; empty leaves it to the server."""
    max_tokens: int | None = Field(default=None, gt=0)
    """The most tokens of one reply, reasoning included; a request may ask for fewer. Empty leaves it to the request."""
    thinking: Literal["on", "off", "server_default"] = "server_default"
    """`chat_template_kwargs.enable_thinking` of vLLM, SGLang and llama.cpp; `server_default` leaves it out."""
    leave_out: list[Optional] = Field(default_factory=list)
    """Parameters never to send, even where a request sets them."""
    timeout_s: float = Field(default=120, gt=0)
    """Seconds one attempt may take."""
    connections: int = Field(default=256, gt=0)
    """The most connections open at once; no fewer than the run's workers."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Additional HTTP headers; hidden like keys, since they often hold one."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Additional body fields, sent as they are."""
    azure_openai_endpoint: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """Azure's address, such as https://NAME.openai.azure.com. Empty: AZURE_OPENAI_ENDPOINT."""
    azure_openai_api_version: str = ""
    """Azure's API version, such as 2025-04-01-preview; `v1` has none. Empty: AZURE_OPENAI_API_VERSION, or `v1`."""
    azure_openai_api_key: SecretStr | None = None
    """Azure's key. Empty: AZURE_OPENAI_API_KEY."""
    azure_openai_auth_mode: AuthMode = ""
    """How to sign in to Azure. Empty: AZURE_OPENAI_AUTH_MODE, or `api_key` where there is a key."""
    azure_openai_ad_scope: str = ""
    """What a token is asked for. Empty: AZURE_OPENAI_AD_SCOPE, or Azure's Cognitive Services."""
    azure_openai_managed_identity_client_id: str = ""
    """The client id of a user-assigned identity. Empty: AZURE_OPENAI_MANAGED_IDENTITY_CLIENT_ID."""

    @field_validator("extra_body")
    @classmethod
    def _leave_ours_alone(cls, given: dict[str, Any]) -> dict[str, Any]:
        if taken := OURS & given.keys():
            raise ValueError(f"cannot set {', '.join(sorted(taken))}: these fields are made from the request")
        return given
