"""The settings of `codex_exec`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, model_validator
from reflact.config.schema import Config, Count

Sandbox = Literal["read-only", "workspace-write", "danger-full-access"]


class CodexConfig(Config):
    """One model behind the Codex command, and what that command may do."""

    model: str = Field(default="", pattern=r"^([^-\s]\S*)?$")
    """The model's name; empty takes Codex's own default."""
    path: str = Field(default="codex", min_length=1)
    """The command, or the path of the program."""
    sandbox: Sandbox = "workspace-write"
    """What commands may write to: nothing, the workspace, or everything. They may read everything in any case."""
    full_auto: bool = False
    """The old switch of that name: the sandbox `workspace-write`, and nobody is asked."""
    approval_policy: Literal["never", "on-request"] = "never"
    """When Codex asks before it acts. Nobody answers during a run, so what it asks for is refused."""
    profile: str = Field(default="", pattern=r"^[A-Za-z0-9_-]*$")
    """A profile of yours: `NAME.config.toml` in your Codex folder is laid over what a run sets."""
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"] = ""
    """Reasoning effort; empty or `none` leaves it to Codex."""
    use_sdk: Literal["auto", "sdk", "cli"] = "auto"
    """Kept for old configurations: the command is always used, since only it runs one process per task."""
    network_access: bool = False
    """Whether commands in the sandbox `workspace-write` have a network."""
    web_search: bool = False
    """Whether the model may search the web."""
    base_url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """An endpoint that speaks the Responses API, up to and including `/v1`; empty is OpenAI, or your login."""
    api_version: str = ""
    """The API version of an Azure OpenAI resource, where `base_url` is its endpoint. Not needed with `/openai/v1`."""
    api_key_env: str = ""
    """The environment variable with the key. Empty: your Codex login, else CODEX_API_KEY or OPENAI_API_KEY."""
    api_key: SecretStr | None = None
    """The key itself; better kept in the environment."""
    auth_command: tuple[str, ...] = ()
    """A command that prints a bearer token, such as one for Azure AD; used in place of a key."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Additional HTTP headers; hidden like keys, since they often hold one."""
    pass_env: tuple[str, ...] = ()
    """Further variables of your environment that Codex gets; it starts with almost none."""
    request_retries: Count = 2
    """Further attempts of Codex itself after a failed request or a broken stream."""
    timeout_s: float = Field(default=600, gt=0)
    """Seconds one call may take as teacher or judge; a task of the student has the env's own limit."""

    @model_validator(mode="after")
    def _fits_together(self) -> CodexConfig:
        if self.api_version and not self.base_url:
            raise ValueError("api_version needs base_url: the endpoint of the Azure OpenAI resource")
        if self.auth_command and (self.api_key or self.api_key_env):
            raise ValueError("auth_command and a key exclude each other; give one of them")
        return self

    @property
    def mode(self) -> Sandbox:
        """The sandbox in force."""
        return "workspace-write" if self.full_auto else self.sandbox
