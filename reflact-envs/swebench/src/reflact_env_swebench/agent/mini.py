"""mini-swe-agent, imported when it is needed: its agent, its container, and the exceptions that steer it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from reflact import ConfigError

from reflact_env_swebench.environment import silence

MISSING = 'mini-swe-agent 2.4 is not installed, or not whole: pip install "reflact-env-swebench[agent]"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Mini:
    """The parts of the package that are used."""

    agent: Any
    """`DefaultAgent(model, environment, **settings)`."""
    container: Any
    """`DockerEnvironment(**settings)`."""
    submitted: Any
    """Raised by an environment when the agent hands in its patch."""
    malformed: Any
    """Raised by a model that says nothing the agent can act upon."""


def absent() -> Iterator[str]:
    """Yield what to install, unless the package is there."""
    if find_spec("minisweagent") is None:
        yield MISSING


def mini() -> Mini:
    """Return the installed package. Raises `ConfigError` that says how to install it."""
    silence()
    try:
        exceptions = import_module("minisweagent.exceptions")
        agent = import_module("minisweagent.agents.default").DefaultAgent
        container = import_module("minisweagent.environments.docker").DockerEnvironment
    except ImportError as error:
        raise ConfigError(f"{MISSING} ({error})") from error
    logging.getLogger("minisweagent").setLevel(logging.WARNING)
    return Mini(agent=agent, container=container, submitted=exceptions.Submitted, malformed=exceptions.FormatError)
