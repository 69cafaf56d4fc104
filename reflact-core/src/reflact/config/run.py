"""The whole of a run's configuration, as far as the core reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from reflact.config.model import Model
from reflact.config.schema import Config, EnvCommon, Evaluation, Gradient, Optimizer, Train
from reflact.config.spend import Budget, Cache, PriceTable


def _alone(value: Any) -> Any:
    return [] if value in (None, "") else [value] if isinstance(value, str) else value


class TopLevel(Config):
    """The keys that stand in no section."""

    prompts: Annotated[tuple[str, ...], BeforeValidator(_alone)] = ()
    """Prompt packs by name; the first that has a file wins."""
    prices: PriceTable = Field(default_factory=dict)
    """US dollars per million tokens by model: `{gpt-5.4: {prompt: 2.5, completion: 15, cached: 0.25}}`. A model that is
    not named here, and whose provider does not say what a call costs, is not priced."""


class RunConfig(TopLevel):
    """A run's configuration; the keys of an env and of a backend are theirs to validate."""

    model: Model = Model()
    """Which models play the roles."""
    train: Train = Train()
    """How many steps there are, and which tasks each sees."""
    gradient: Gradient = Gradient()
    """How the teacher turns rollouts into proposals."""
    optimizer: Optimizer = Optimizer()
    """How proposals become a candidate skill."""
    evaluation: Evaluation = Evaluation()
    """How a candidate is judged."""
    budget: Budget = Budget()
    """What the run may spend."""
    cache: Cache = Cache()
    """Whether replies are kept from run to run."""
    env: EnvCommon
    """The benchmark."""


SECTIONS: Mapping[str, type[Config]] = {
    "model": Model,
    "train": Train,
    "gradient": Gradient,
    "optimizer": Optimizer,
    "evaluation": Evaluation,
    "budget": Budget,
    "cache": Cache,
    "env": EnvCommon,
}
"""The sections by name, in the order they are documented."""

NEW = frozenset({"budget", "cache"})
"""Sections that older, flat files do not know: their keys have no short name."""
