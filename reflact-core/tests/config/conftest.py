"""Two envs and four backends of our own, registered like any plugin's."""

from collections.abc import Callable, Iterable
from importlib.metadata import distribution
from pathlib import Path
from textwrap import dedent
from typing import Any, Literal

import pytest
from pydantic import Field, SecretStr
from reflact.config import Config, Resolved, SplitConfig, load, resolve
from reflact.contracts import CHAT_ONLY, BackendSpec, EnvSpec
from reflact.errors import ConfigError
from reflact.hookspecs import hookimpl
from reflact.plugins import Plugins


class Capitals(SplitConfig):
    """An env with a dataset."""

    polite: bool = False
    """Whether the student is asked kindly."""
    max_turns: int = 1
    """Turns per question."""
    hints: dict[str, str] = Field(default_factory=dict)
    """Hints by country."""
    labels: tuple[str, ...] = ()
    """Names of continents."""
    judge: Literal["llm", "string"] = "llm"
    """A key that section `model` has too."""


class Chat(Config):
    """A chat backend."""

    model: str = "gpt-5.4"
    effort: Literal["", "low", "medium", "high"] = ""
    base_url: str = ""
    api_key: SecretStr | None = None
    azure_endpoint: str = ""
    azure_api_version: str = ""
    temperature: float | None = None
    timeout_s: float = 60.0
    thinking: Literal["on", "off", ""] = ""


class Claude(Config):
    """Another one, with other settings."""

    model: str = "claude-sonnet-4-6"
    timeout_s: float = 60.0


class Codex(Config):
    """An exec backend."""

    model: str = "gpt-5.4-codex"
    path: str = "codex"
    sandbox: Literal["read-only", "workspace-write", "danger-full-access"] = "workspace-write"
    effort: str = "none"


def never(config: Config) -> Any:
    """Stand for a `build`: a configuration is resolved without building anything."""
    raise AssertionError(f"{config} was built")


def unkind(config: Capitals, kind: str) -> str:
    """Say why an agent cannot be asked kindly."""
    return "env.polite: an agent is not asked kindly" if config.polite and kind == "exec" else ""


def too_lazy(config: Chat, tool: str) -> str:
    """Say why a model without effort searches nothing."""
    return f"model.student.effort: no {tool} is made at low effort" if config.effort == "low" else ""


class Fakes:
    """The plugin."""

    @hookimpl
    def reflact_envs(self) -> Iterable[EnvSpec]:
        return [
            EnvSpec(name="capitals", config=Capitals, build=never),
            EnvSpec(name="judged", config=Config, build=never, judge=True),
            EnvSpec(name="strict", config=Capitals, build=never, judge=lambda config: not config.polite),
            EnvSpec(name="surfing", config=Capitals, build=never, needs=frozenset({"web_search"})),
            EnvSpec(name="talks", config=Config, build=never, students=CHAT_ONLY),
            EnvSpec(name="picky", config=Capitals, build=never, misfit=unkind),
        ]

    @hookimpl
    def reflact_backends(self) -> Iterable[BackendSpec]:
        return [
            BackendSpec(name="openai_chat", kind="chat", config=Chat, build=never, hosted=too_lazy),
            BackendSpec(name="claude_chat", kind="chat", config=Claude, build=never),
            BackendSpec(name="codex_exec", kind="exec", config=Codex, build=never, roles=frozenset({"student"})),
            BackendSpec(name="pair_exec", kind="exec", config=Codex, build=never, chat=never),
            BackendSpec(name="tiny_chat", kind="chat", config=Claude, build=never, roles=frozenset({"student"})),
        ]


@pytest.fixture
def fakes() -> object:
    """Return the plugin."""
    return Fakes()


@pytest.fixture
def plugins(fakes: object) -> Plugins:
    """Return the core's own components and the fakes, whatever else is installed."""
    found = Plugins([distribution("reflact-core")])
    found.register(fakes)
    return found


@pytest.fixture
def given(plugins: Plugins) -> Callable[..., Resolved]:
    """Return a function that resolves sections given by keyword; the env is capitals unless said otherwise."""

    def resolved(**sections: Any) -> Resolved:
        env = {"name": "capitals"} | sections.pop("env", {})
        return resolve({"env": env, **sections}, plugins=plugins)

    return resolved


@pytest.fixture
def faults(plugins: Plugins) -> Callable[..., list[str]]:
    """Return a function that gives the lines of the error that sections lead to."""

    def lines(**sections: Any) -> list[str]:
        env = {"name": "capitals"} | sections.pop("env", {})
        with pytest.raises(ConfigError) as caught:
            resolve({"env": env, **sections}, plugins=plugins)
        return str(caught.value).splitlines()

    return lines


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return a function that writes a config file and gives its path."""

    def file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return path

    return file


@pytest.fixture
def loaded(plugins: Plugins, write: Callable[[str, str], Path]) -> Callable[..., Resolved]:
    """Return a function that loads a config from its text, with overrides and old flags."""

    def resolved(text: str, *overrides: str, base: str = "", flags: dict[str, str] | None = None) -> Resolved:
        write("base.yaml", base)
        return load(write("run.yaml", text), overrides=overrides, flags=flags or {}, plugins=plugins)

    return resolved
