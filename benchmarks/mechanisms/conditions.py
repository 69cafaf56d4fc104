"""Which runs are compared: two worlds, variants of one configuration, pairs of them, and sweeps of one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from reflact.config.schema import Optimizer

from benchmarks.mechanisms.assumptions import RESTLESS, STEADY, Assumptions

Sections = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Setting:
    """A world and the sizes of a run in it. All that `sections` does not name is the product's default."""

    title: str
    given: Assumptions
    sections: Sections


STEADILY: Sections = MappingProxyType(
    {
        "train": {"batch_size": 16},
        "gradient": {"minibatch_size": 8, "analyst_workers": 1},
        "optimizer": {"learning_rate": 4, "min_learning_rate": 1},
        "env": {"name": "hidden_rules", "workers": 1, "train": 80, "val": 80},
    }
)

SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        "restless": Setting(
            "A restless student, a teacher without habits",
            RESTLESS,
            {
                "train": {"num_epochs": 3, "batch_size": 8},
                "gradient": {"minibatch_size": 4, "analyst_workers": 1},
                "optimizer": {"learning_rate": 3, "min_learning_rate": 1},
                "env": {"name": "hidden_rules", "workers": 1, "train": 40, "val": 40},
            },
        ),
        "steady": Setting("A steady student, a teacher with habits", STEADY, STEADILY),
        "insistent": Setting(
            "The steady world, one epoch of 20 steps, at most two edits",
            replace(STEADY, conviction=0.9),
            {
                **STEADILY,
                "train": {"batch_size": 16, "num_epochs": 1},
                "optimizer": {"learning_rate": 2, "min_learning_rate": 1},
                "env": {**STEADILY["env"], "train": 320},
            },
        ),
        "novice": Setting(
            "The steady world, a teacher that finds few rules", replace(STEADY, hit=0.2, lesson_gain=0.4), STEADILY
        ),
    }
)
WHOLE = ("restless", "steady")
"""The settings in which everything is compared; the others are for one mechanism each."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A configuration: what it lays over that of its setting, and what its teacher does not see."""

    sections: Sections = field(default_factory=dict)
    blind: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Pair:
    """A mechanism: the variant that has it and the one that does not. `default` says which one a user gets."""

    title: str
    having: str
    lacking: str
    default: str
    settings: tuple[str, ...] = WHOLE


@dataclass(frozen=True, slots=True)
class Sweep:
    """A pair in a setting under several values of one assumption, or of one key of the configuration."""

    title: str
    setting: str
    pair: str
    varied: str
    values: tuple[float, ...]


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
        "forgetful": Variant(blind=frozenset({"buffer"})),
        "unweighed": Variant(blind=frozenset({"support"})),
        "no_slow_update": _one("optimizer", use_slow_update=False),
        "no_meta_skill": _one("optimizer", use_meta_skill=False),
        "meta_reflect": _one("optimizer", use_meta_reflect=True),
        "candidates": _one("optimizer", candidates_per_step=3),
        "concat": _one("gradient", merge="concat"),
        "failure_only": _one("gradient", failure_only=True),
        "one_attempt": _one("gradient", max_analyst_rounds=1),
        "deep_reflect": _one("gradient", use_deep_reflect=True),
        "skill_aware": _one("optimizer", use_skill_aware_reflection=True),
        "rewrite": _one("optimizer", skill_update_mode="rewrite_from_suggestions"),
        "full_rewrite": _one("optimizer", skill_update_mode="full_rewrite_minibatch"),
        "rate_none": _one("optimizer", lr_control_mode="none"),
        "rate_constant": _one("optimizer", lr_scheduler="constant"),
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
        "support": Pair("support in ranking, against a teacher that ignores it", "defaults", "unweighed", "with"),
        "successes": Pair("analysing successes, against `failure_only`", "defaults", "failure_only", "with"),
        "rounds": Pair("`max_analyst_rounds: 3`, against 1", "defaults", "one_attempt", "with", ("steady",)),
        "deep_reflect": Pair("`use_deep_reflect`", "deep_reflect", "defaults", "without"),
        "skill_aware": Pair("`use_skill_aware_reflection`", "skill_aware", "defaults", "without"),
        "rewrite": Pair("`rewrite_from_suggestions`, against `patch`", "rewrite", "defaults", "without"),
        "full_rewrite": Pair("`full_rewrite_minibatch`, against `patch`", "full_rewrite", "defaults", "without"),
        "rate": Pair("`lr_control_mode: fixed`, against `none`", "defaults", "rate_none", "with"),
        "schedule": Pair("`lr_scheduler: cosine`, against `constant`", "defaults", "rate_constant", "with"),
        "autonomous": Pair("`lr_control_mode: autonomous`, against `fixed`", "rate_autonomous", "defaults", "without"),
        "long_slow_update": Pair("`use_slow_update`, 6 epochs", "long", "long_no_slow_update", "with", ("restless",)),
        "long_meta_skill": Pair("`use_meta_skill`, 6 epochs", "long", "long_no_meta_skill", "with", ("restless",)),
    }
)

SWEEPS: Mapping[str, Sweep] = MappingProxyType(
    {
        "habit": Sweep(
            "how often the teacher has the same idea again", "insistent", "step_buffer", "conviction", (0.3, 0.6, 0.9)
        ),
        "blame": Sweep("how often a harmful rule is found out", "steady", "slow_update", "blamed", (0, 0.25, 0.5)),
        "samples": Sweep(
            "how many tasks are compared, of 80", "steady", "slow_update", "optimizer.slow_update_samples", (20, 40, 80)
        ),
        "notes": Sweep("what useful notes add to its chance", "novice", "meta_skill", "lesson_gain", (0, 0.2, 0.4)),
        "probes": Sweep("what open judgement adds to its chance", "novice", "deep_reflect", "probed", (0, 0.25, 0.5)),
        "slips": Sweep("how often a reply misquotes the document", "steady", "rounds", "slip", (0.2, 0.5, 0.8)),
    }
)


def setting(name: str) -> Setting:
    """Return the setting *name*: one of `SETTINGS`, or one in which a value differs, as in `steady:blamed=0.5`."""
    if name in SETTINGS:
        return SETTINGS[name]
    base, _, change = name.partition(":")
    varied, _, value = change.partition("=")
    section, _, key = varied.rpartition(".")
    old = SETTINGS[base]
    if section:
        return replace(old, sections={**old.sections, section: {**old.sections[section], key: int(value)}})
    changed: dict[str, Any] = {key: float(value)}
    return replace(old, given=replace(old.given, **changed))


def at(sweep: Sweep, value: float) -> str:
    """Return the setting's name for one *value* of a sweep; the value it has anyway is no other setting."""
    own = varied(SETTINGS[sweep.setting], sweep.varied)
    return sweep.setting if value == own else f"{sweep.setting}:{sweep.varied}={value:g}"


def varied(where: Setting, name: str) -> float:
    """Return the assumption *name* of a setting, or its key of section `optimizer`, which may be the default."""
    section, _, key = name.rpartition(".")
    if not section:
        return float(getattr(where.given, key))
    return float(where.sections[section].get(key, Optimizer.model_fields[key].default))
