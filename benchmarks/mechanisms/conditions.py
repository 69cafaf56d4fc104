"""Which runs are compared: a few variants of one configuration, and pairs of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Sections = Mapping[str, Mapping[str, Any]]

BASE: Sections = MappingProxyType(
    {
        "train": {"num_epochs": 3, "batch_size": 8},
        "gradient": {"minibatch_size": 4, "analyst_workers": 1},
        "optimizer": {"learning_rate": 3, "min_learning_rate": 1},
        "env": {"name": "hidden_rules", "workers": 1},
    }
)
"""All that is not named here is the product's default; the sizes are those of a world with 40 training tasks."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A configuration: what it lays over the base, and whether its teacher reads what was rejected before."""

    sections: Sections = field(default_factory=dict)
    heeds: bool = True


@dataclass(frozen=True, slots=True)
class Pair:
    """A mechanism: the variant that has it and the one that does not. `default` says which one a user gets."""

    title: str
    having: str
    lacking: str
    default: str


LONG: Sections = MappingProxyType({"train": {"num_epochs": 6}})
"""Slow update begins to act after the second epoch, meta skill in the third: in three epochs they hardly have a say."""


def _one(section: str, **keys: Any) -> Variant:
    return Variant({section: keys})


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "defaults": Variant(),
        "everything_in": Variant({"evaluation": {"gate_metric": "soft"}, "env": {"lengthy": True}}),
        "epsilon": _one("evaluation", gate_epsilon=0.05),
        "no_regression": _one("evaluation", gate_no_regression=True),
        "repeats": _one("evaluation", gate_repeats=3),
        "forgetful": Variant(heeds=False),
        "no_slow_update": _one("optimizer", use_slow_update=False),
        "no_meta_skill": _one("optimizer", use_meta_skill=False),
        "meta_reflect": _one("optimizer", use_meta_reflect=True),
        "candidates": _one("optimizer", candidates_per_step=3),
        "concat": _one("gradient", merge="concat"),
        "failure_only": _one("gradient", failure_only=True),
        "deep_reflect": _one("gradient", use_deep_reflect=True),
        "skill_aware": _one("optimizer", use_skill_aware_reflection=True),
        "rate_none": _one("optimizer", lr_control_mode="none"),
        "rate_autonomous": _one("optimizer", lr_control_mode="autonomous"),
        "long": Variant(LONG),
        "long_no_slow_update": Variant({**LONG, "optimizer": {"use_slow_update": False}}),
        "long_no_meta_skill": Variant({**LONG, "optimizer": {"use_meta_skill": False}}),
    }
)

PAIRS: Mapping[str, Pair] = MappingProxyType(
    {
        "gate": Pair("the gate, against letting everything in", "defaults", "everything_in", "with"),
        "epsilon": Pair("`gate_epsilon: 0.05`, against 0", "epsilon", "defaults", "without"),
        "no_regression": Pair("`gate_no_regression`", "no_regression", "defaults", "without"),
        "repeats": Pair("`gate_repeats: 3`, against 1", "repeats", "defaults", "without"),
        "step_buffer": Pair("step buffer, against a teacher that ignores it", "defaults", "forgetful", "with"),
        "slow_update": Pair("`use_slow_update`", "defaults", "no_slow_update", "with"),
        "meta_skill": Pair("`use_meta_skill`", "defaults", "no_meta_skill", "with"),
        "meta_reflect": Pair("`use_meta_reflect`", "meta_reflect", "defaults", "without"),
        "candidates": Pair("`candidates_per_step: 3`, against 1", "candidates", "defaults", "without"),
        "merge": Pair("`merge: teacher`, against `concat`", "defaults", "concat", "with"),
        "successes": Pair("analysing successes, against `failure_only`", "defaults", "failure_only", "with"),
        "deep_reflect": Pair("`use_deep_reflect`", "deep_reflect", "defaults", "without"),
        "skill_aware": Pair("`use_skill_aware_reflection`", "skill_aware", "defaults", "without"),
        "rate": Pair("`lr_control_mode: fixed`, against `none`", "defaults", "rate_none", "with"),
        "autonomous": Pair("`lr_control_mode: autonomous`, against `fixed`", "rate_autonomous", "defaults", "without"),
        "long_slow_update": Pair("`use_slow_update`, 6 epochs", "long", "long_no_slow_update", "with"),
        "long_meta_skill": Pair("`use_meta_skill`, 6 epochs", "long", "long_no_meta_skill", "with"),
    }
)
