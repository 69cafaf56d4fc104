"""Section `model`: which models play the roles, and the settings backends may share."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, SecretStr, create_model

from reflact.config.schema import Config, Count, Positive

Sdk = Literal["auto", "sdk", "cli"]
Sandbox = Literal["read-only", "workspace-write", "danger-full-access"]
DEFAULT_MODEL = "gpt-5.4"
DEFAULT_BACKEND = "openai_chat"
Temperature = Annotated[float, Field(ge=0)] | None
Seconds = Annotated[float, Field(gt=0)] | None


class Shared(Config):
    """The roles. `teacher: {backend: …, model: …, …}` is an equal spelling of `teacher_backend`, `teacher`, ….

    A key that several backends or roles share (`reasoning_effort`, `codex_exec_path`, …) reaches a role only where its
    backend has such a setting; what is given in the role's own mapping wins.
    """

    backend: str = "azure_openai"
    """Legacy: one name for both roles. Has an effect only where it is given; a role's own backend wins."""
    teacher: str = DEFAULT_MODEL
    """The model that reflects."""
    teacher_backend: str = DEFAULT_BACKEND
    """The backend of the teacher, by name."""
    student: str = DEFAULT_MODEL
    """The model that does the tasks."""
    student_backend: str = DEFAULT_BACKEND
    """The backend of the student, by name."""
    judge: str = ""
    """The model that grades, where an env needs one; empty takes the teacher's."""
    judge_backend: str = ""
    """The backend of the judge, by name; empty takes the teacher's."""
    reasoning_effort: str = "medium"
    """Effort of chat models that can be told; empty leaves it to the model."""
    rewrite_reasoning_effort: str = ""
    """Effort of the call that rewrites the whole skill; empty takes `reasoning_effort`."""
    rewrite_max_completion_tokens: Positive = 64000
    """Most tokens of that call's reply."""
    codex_trace_to_teacher: bool = True
    """Whether the teacher sees a summary of an exec student's trace."""
    codex_exec_path: str = "codex"
    """The Codex command."""
    codex_exec_sandbox: Sandbox = "workspace-write"
    """What Codex may write to."""
    codex_exec_profile: str = ""
    """A profile of Codex's own configuration."""
    codex_exec_full_auto: bool = False
    """The old full-auto switch: sandbox `workspace-write`, and nobody is asked."""
    codex_exec_reasoning_effort: str = "none"
    """Effort of Codex; `none` leaves it to Codex."""
    codex_exec_use_sdk: Sdk = "auto"
    """Kept for old configurations: the Codex command is always used."""
    codex_exec_network_access: bool = False
    """Whether Codex's sandbox has a network."""
    codex_exec_web_search: bool = False
    """Whether Codex may search the web."""
    codex_exec_approval_policy: str = "never"
    """When Codex asks before it acts; nobody answers during a run."""
    claude_code_exec_path: str = "claude"
    """The Claude Code command."""
    claude_code_exec_profile: str = ""
    """A settings file for Claude Code."""
    claude_code_exec_use_sdk: Sdk = "auto"
    """Whether Claude Code runs through its SDK, its command, or whichever is there."""
    claude_code_exec_effort: str = "medium"
    """Effort of Claude Code."""
    claude_code_exec_max_thinking_tokens: Count = 16384
    """Most thinking tokens of Claude Code."""
    azure_openai_endpoint: str = ""
    """The Azure OpenAI endpoint; unset leaves it to the environment."""
    azure_openai_api_version: str = ""
    """The Azure OpenAI API version, such as 2025-04-01-preview; unset leaves it to the environment."""
    azure_openai_api_key: SecretStr = SecretStr("")
    """The Azure OpenAI key; better kept in the environment."""
    azure_openai_auth_mode: str = ""
    """How to sign in to Azure: with a key, or by Azure AD or managed identity; unset leaves it to the environment."""
    azure_openai_ad_scope: str = ""
    """The Azure AD scope; unset leaves it to the environment."""
    azure_openai_managed_identity_client_id: str = ""
    """The client id of a managed identity; unset leaves it to the environment."""
    qwen_chat_base_url: str = ""
    """The address of the server behind `qwen_chat`; unset leaves it to the backend."""
    qwen_chat_api_key: SecretStr = SecretStr("")
    """Its key, where it wants one."""
    qwen_chat_temperature: Temperature = None
    """Its sampling temperature; unset leaves it to the backend."""
    qwen_chat_timeout_seconds: Seconds = None
    """Seconds to wait for its reply; unset leaves it to the backend."""
    qwen_chat_max_tokens: Positive | None = None
    """Most tokens of its reply; unset leaves it to the backend."""
    qwen_chat_enable_thinking: bool | None = None
    """Whether its model thinks before it answers; unset leaves it to the backend."""


def _own_keys() -> dict[str, Any]:
    """Return `teacher_…` and `student_…` fields for the settings of servers that the roles may have apart."""
    own: dict[str, Any] = {}
    for role in ("teacher", "student"):
        for key, field in Shared.model_fields.items():
            if key.startswith(("azure_openai_", "qwen_chat_")):
                named = copy(field)
                named.description = f"`{key}` for the {role} only."
                own[f"{role}_{key}"] = (field.annotation, named)
    return own


if TYPE_CHECKING:

    class Model(Shared):
        """Section `model`: what the roles share, and what each has of its own."""
else:
    Model = create_model("Model", __base__=Shared, __doc__=Shared.__doc__, __module__=__name__, **_own_keys())
