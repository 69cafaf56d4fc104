"""What a run tells Codex: the config.toml of an attempt's own CODEX_HOME."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reflact.agents import MARKER, Program

from reflact_backend_codex.client import KEY_VARIABLE, Access
from reflact_backend_codex.config import CodexConfig, Sandbox
from reflact_backend_codex.toml import Value, dump

PROVIDER = "reflact"
QUIET = (
    "plugins",
    "apps",
    "remote_plugin",
    "goals",
    "image_generation",
    "memories",
    "unbounded_connection_retries",
)
"""Features that talk to servers of their own, keep things from task to task, or wait for ever."""
TOOLS = ("shell_tool", "unified_exec", "view_image", "multi_agent")
"""Features that are tools of the model."""
_MAY_WRITE: Mapping[Sandbox, str] = {
    "read-only": "Your commands can read files; they cannot write any.",
    "workspace-write": "Your commands can read files; they can write only in the current folder and in $TMPDIR.",
    "danger-full-access": "Your commands run without a sandbox; keep to the current folder.",
}
STREAM_IDLE_MS = 120_000


def settings(config: CodexConfig, access: Access, program: Program, *, marker: str) -> str:
    """Return the configuration of a student's attempt.

    What the student may do is told in our words: those of Codex name folders, so that a resumed session, which has
    others, would be told again in its middle.
    """
    told: dict[str, Value] = {"include_permissions_instructions": False, "developer_instructions": permissions(config)}
    return dump({**told, **_common(config, access, program, marker, QUIET)})


def permissions(config: CodexConfig) -> str:
    """Return what a student is told about what it may do."""
    network = config.mode == "danger-full-access" or (config.mode == "workspace-write" and config.network_access)
    return (
        f"{_MAY_WRITE[config.mode]} {'They have a' if network else 'They have no'} network. Nobody is there to approve "
        "anything: do not ask for more rights, and never set `sandbox_permissions`."
    )


def chat_settings(config: CodexConfig, access: Access, program: Program, *, marker: str, instructions: str) -> str:
    """Return the configuration of a call that only answers: no tools, and the file *instructions* as system text."""
    told = _common(config, access, program, marker, (*QUIET, *TOOLS))
    only = {"include_environment_context": False, "include_permissions_instructions": False}
    return dump({"model_instructions_file": instructions, **only, **told})


def _common(
    config: CodexConfig, access: Access, program: Program, marker: str, off: Sequence[str]
) -> Mapping[str, Value]:
    """Return what every attempt is told; features this version does not know are not mentioned."""
    told: dict[str, Value] = {
        "approval_policy": "never" if config.full_auto else config.approval_policy,
        "sandbox_mode": config.mode,
        "web_search": "live" if config.web_search else "disabled",
        "check_for_update_on_startup": False,
        "cli_auth_credentials_store": "file",
        "project_root_markers": [],
    }
    if config.effort not in ("", "none"):
        told["model_reasoning_effort"] = config.effort
    if access.url:
        told["model_provider"] = PROVIDER
    told |= {
        "analytics": {"enabled": False},
        "sandbox_workspace_write": {"network_access": config.network_access, "exclude_slash_tmp": True},
        "shell_environment_policy": {"inherit": "core", "ignore_default_excludes": False, "set": {MARKER: marker}},
        "skills": {"bundled": {"enabled": False}},
        "agents": {"enabled": False},
        "features": {name: False for name in off if program.takes(name)},
    }
    if access.url:
        told["model_providers"] = {PROVIDER: _provider(config, access)}
    return told


def _provider(config: CodexConfig, access: Access) -> Mapping[str, Value]:
    provider: dict[str, Value] = {
        "name": PROVIDER,
        "base_url": access.url,
        "wire_api": "responses",
        "request_max_retries": config.request_retries,
        "stream_max_retries": config.request_retries,
        "stream_idle_timeout_ms": STREAM_IDLE_MS,
    }
    if config.api_version:
        provider["query_params"] = {"api-version": config.api_version}
    if access.key and not config.api_version:
        provider["env_key"] = KEY_VARIABLE
    if access.headers:
        provider["env_http_headers"] = dict(access.headers)
    if config.auth_command:
        command, *arguments = config.auth_command
        provider["auth"] = {"command": command, "args": arguments}
    return provider
