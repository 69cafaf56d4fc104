"""Which keys hold secrets, and what is shown in their place."""

import re

HIDDEN = "**********"
_PASSWORD = re.compile(r"(?<=://)([^/?#@\s]*):[^/?#@\s]*@")
_ARGUMENT = re.compile(r"(?<=[?&])([^=&#\s]+)=[^&#\s]+")


def is_secret(key: str) -> bool:
    """Return whether a key so named holds a secret: `api_key`, `auth_token`, `client_secret`, not `max_tokens`."""
    name = key.lower().rpartition(".")[2].replace("-", "_")
    return name.endswith(("_key", "token", "password", "authorization")) or name == "key" or "secret" in name


def public(value: str) -> str:
    """Return *value*; an address without its password, and without the arguments that are named like secrets."""
    if "://" not in value:
        return value
    return _ARGUMENT.sub(_hide, _PASSWORD.sub(rf"\1:{HIDDEN}@", value))


def _hide(argument: re.Match[str]) -> str:
    return f"{argument[1]}={HIDDEN}" if is_secret(argument[1]) else argument[0]
