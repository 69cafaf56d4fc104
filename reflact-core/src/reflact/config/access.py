"""Where the calls of a role go and what lets them in, by its backend's own word or by the usual settings."""

from __future__ import annotations

from typing import Any

from reflact.config.roles import Role
from reflact.contracts import Access


def access(role: Role) -> Access:
    """Return how the model of *role* is reached; nothing is sent. Raises what its backend does when it is built."""
    spec = role.spec
    if spec.access is None:
        return _usual(role.settings)
    return spec.access(role.settings, role.said) if spec.variables else spec.access(role.settings)


def _usual(settings: Any) -> Access:
    url, variable = str(getattr(settings, "base_url", "") or ""), str(getattr(settings, "api_key_env", "") or "")
    key = "api_key" if getattr(settings, "api_key", None) else f"${variable}" if variable else ""
    return Access(endpoint=url, endpoint_from="base_url" if url else "", key=key)
