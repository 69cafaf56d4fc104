"""What a run is made from: the env and its tasks, the templates, the first skill, and the identity of it all."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from reflact.config import Resolved, SplitConfig, flat
from reflact.contracts import Env
from reflact.data.splits import generated_under
from reflact.engine.roll import identity
from reflact.errors import ConfigError, DataError
from reflact.llm.prompts import Prompts
from reflact.plugins import Plugins
from reflact.stages.gate import Rule
from reflact.store.codec import to_text
from reflact.store.files import read
from reflact.types import Skill, Split, Task


def build_env(resolved: Resolved, out_root: Path) -> Env:
    """Return the env of *resolved*; a split it deals itself is kept in *out_root*."""
    config = resolved.env
    if isinstance(config, SplitConfig):
        config = generated_under(config, out_root=out_root, env=resolved.env_spec.name)
    return resolved.env_spec.build(config)


def load_tasks(env: Env) -> Mapping[Split, tuple[Task, ...]]:
    """Return the tasks of all splits. Raises `DataError` for an empty split or an id that stands twice."""
    tasks: dict[Split, tuple[Task, ...]] = {split: tuple(env.tasks(split)) for split in ("train", "val", "test")}
    where: dict[str, str] = {}
    for split, found in tasks.items():
        if not found:
            raise DataError(f"the {split} split is empty; training needs items in train, val and test")
        for task in found:
            if task.id in where:
                raise DataError(
                    f"task id {task.id!r} stands in {where[task.id]} and again in {split}; ids must be unique"
                )
            where[task.id] = split
    return tasks


def refuse_unscorable(tasks: Mapping[str, Sequence[Task]], mend: str) -> None:
    """Raise `DataError`, which ends in *mend*, when tasks of a split in *tasks* have no answer to score against."""
    for split, found in tasks.items():
        without = [task.id for task in found if not task.scorable]
        if without:
            such = f"{len(without)} of {len(found)} tasks" if len(found) > 1 else "the task"
            some = f"{', '.join(without[:3])}{', …' if len(without) > 3 else ''}"
            raise DataError(f"{split}: {such} ({some}) cannot be scored, since the answer is withheld; {mend}")


def templates(resolved: Resolved, plugins: Plugins, *, suffix: str) -> Prompts:
    """Return the templates of a run: the env's, the named packs', the core's."""
    packs = [plugins.get("prompts", name).root for name in resolved.run.prompts if name != "default"]
    default = plugins.get("prompts", "default").root
    own = [resolved.env_spec.prompts] if resolved.env_spec.prompts else []
    return Prompts((*own, *packs, default), suffix)


def initial_skill(resolved: Resolved) -> Skill:
    """Return the skill to start from: `env.skill_init`, else the env's own, else an empty one."""
    given = resolved.run.env.skill_init
    if given:
        path = Path(given)
        if not path.is_file():
            raise ConfigError(
                f"env.skill_init: no file at {given} (set in {resolved.origins.get('env.skill_init', '?')})"
            )
        return Skill(read(path))
    own = resolved.env_spec.initial_skill
    return Skill(own.read_text(encoding="utf-8")) if own else Skill("")


def rule_of(resolved: Resolved) -> Rule:
    """Return the gate's rule as `evaluation.gate_*` tell it."""
    config = resolved.run.evaluation
    return Rule(
        metric=config.gate_metric,
        weight=config.gate_mixed_weight,
        epsilon=config.gate_epsilon,
        no_regression=config.gate_no_regression,
    )


def manifest(resolved: Resolved, tasks: Mapping[Split, tuple[Task, ...]], prompts: Prompts) -> dict[str, Any]:
    """Return what makes a run this run: resuming under another one is refused."""
    return {
        "config": flat(resolved),
        "data": {split: {"n": len(found), "digest": identity(found)} for split, found in tasks.items()},
        "prompts": prompts.digest,
        "env_version": resolved.env_spec.version,
        "reflact": _version("reflact-core"),
    }


def digest(value: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 of *value* as JSON."""
    return sha256(to_text(value).encode()).hexdigest()[:16]


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "unknown"
