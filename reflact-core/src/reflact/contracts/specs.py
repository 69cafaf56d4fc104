"""The records that plugins register their components with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reflact.contracts.envs import Env
from reflact.contracts.models import Access, ChatModel, ExecAgent
from reflact.contracts.modes import UpdateMode
from reflact.contracts.words import BOTH, Ability, Kind, RoleName
from reflact.types import DataSpec, Hosted

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from reflact.config.schema import Config


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvSpec:
    """An env, as its package registers it."""

    name: str
    config: type[Config]
    build: Callable[[Any], Env]
    summary: str = ""
    initial_skill: Traversable | None = None
    """The skill a run starts from when `env.skill_init` is not set; `None` starts from an empty one."""
    prompts: Traversable | None = None
    """A folder of templates that override the core's, by file name."""
    students: frozenset[Kind] = BOTH
    sample: Callable[[Path, int, int], None] | None = None
    """`sample(out, n, seed)` writes *n* made-up items below *out*, in a form the env reads."""
    data: DataSpec | None = None
    """Where real data come from; `None` for an env that needs none, or whose users bring their own."""
    judge: bool | Callable[[Any], bool] = False
    """Whether a judge grades, maybe by configuration; where none does, none is built."""
    needs: frozenset[Ability] | Callable[[Any], frozenset[Ability]] = frozenset()
    """What a chat student must be able to do, maybe by configuration; another is refused before the run begins."""
    misfit: Callable[[Any, Kind], str] | None = None
    """`misfit(config, kind)` says why a student of that kind cannot do the tasks as configured; empty when it can."""
    version: str = "1"
    """Raised when the same task and answer would be graded differently: old results are then not reused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendSpec:
    """A model backend, as its package registers it."""

    name: str
    kind: Kind
    config: type[Config]
    build: Callable[..., ChatModel | ExecAgent]
    """`build(config)`, or `build(config, said)` where `variables` has something to say."""
    summary: str = ""
    roles: frozenset[RoleName] = frozenset({"teacher", "student", "judge"})
    chat: Callable[..., ChatModel] | None = None
    """Builds what answers messages as teacher or judge, for a backend of kind `exec` that can also do that."""
    variables: Callable[[RoleName, frozenset[str]], Any] | None = None
    """`variables(role, common)` is what the environment says of *role* alone, hashable; *common* are the settings that
    came from a key for all roles. Roles for which it differs are different models, though their settings be equal.
    `None` for a backend that does not ask."""
    access: Callable[..., Access] | None = None
    """`access(config)`, or `access(config, said)` like `build`, is where calls go and what lets them in, for a person.
    Nothing is sent, no key need be there. `None` goes by the settings `base_url`, `api_key` and `api_key_env`."""
    concurrency: int = 256
    """The most calls at once where the configuration does not say."""
    hosted: Callable[[Any, Hosted], str] | None = None
    """`hosted(config, tool)` says why the provider does not run *tool* itself as configured; empty when it does. `None`
    for a backend that has no such tools."""
    free: bool = False
    """Whether a call costs nothing, since the model runs on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateModeSpec:
    """An update mode, as its package registers it."""

    name: str
    build: Callable[[], UpdateMode]
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPack:
    """A folder of templates (`*.md.j2`) and reply schemas (`*.schema.json`) that override the core's, by file name."""

    name: str
    root: Traversable
    summary: str = ""
