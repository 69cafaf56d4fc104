"""Which keys hold secrets, and what is shown in their place."""

HIDDEN = "**********"


def is_secret(key: str) -> bool:
    """Return whether a key so named holds a secret: `api_key`, `auth_token`, `client_secret`, not `max_tokens`."""
    name = key.lower().rpartition(".")[2].replace("-", "_")
    return name.endswith(("_key", "token", "password", "authorization")) or name == "key" or "secret" in name
