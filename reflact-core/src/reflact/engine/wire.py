"""From a resolved configuration to a `Run`: the only place that binds tools, and refuses what cannot work."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from reflact.config import Resolved, RunConfig, SplitConfig, flat
from reflact.contracts import Env
from reflact.data.batches import plan
from reflact.data.splits import generated_under
from reflact.engine.epoch import EpochStage
from reflact.engine.heard import Heard
from reflact.engine.ledger import writer
from reflact.engine.longitudinal import Comparison
from reflact.engine.meta_reflect import MetaReflect
from reflact.engine.meta_skill import MetaSkill
from reflact.engine.progress import Progress, Silent
from reflact.engine.roll import Roller, identity
from reflact.engine.run import Run
from reflact.engine.slow_update import SlowUpdate
from reflact.engine.stages import Stages
from reflact.errors import ConfigError, DataError
from reflact.llm.ask import Teacher
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound, Ledger, Router
from reflact.plugins import Plugins
from reflact.stages.aggregate import aggregate
from reflact.stages.evidence import evidence
from reflact.stages.gate import STRICT, Rule
from reflact.stages.reflect import analyse, minibatches
from reflact.stages.rollout import run_task
from reflact.stages.select import select
from reflact.stages.student import TaskStudent
from reflact.store.codec import to_text
from reflact.store.files import read
from reflact.store.folder import Folder
from reflact.store.run import RunStore
from reflact.types import Memory, Rollout, Skill, Split, Task

LATER = {"use_deep_reflect": "gradient.use_deep_reflect"}
"""Settings this version accepts and does nothing with, by field of section `gradient`."""


def wire(
    resolved: Resolved, plugins: Plugins, out_root: Path, *, observers: Any = None, progress: Progress | None = None
) -> Run:
    """Return the run of *resolved* in *out_root*. Nothing is paid for here; every fault is a `ReflactError`."""
    config = resolved.run
    shown = progress or Silent()
    listeners = observers if observers is not None else plugins.observers()
    env = build_env(resolved, out_root)
    tasks = load_tasks(env)
    mode = plugins.get("update_modes", config.optimizer.skill_update_mode).build()
    prompts = templates(resolved, plugins, suffix=mode.suffix)
    router = route(resolved, out_root)
    teacher = Teacher(model=router.role("teacher"), prompts=prompts)
    rewriter = partial(
        teacher.ask,
        max_tokens=config.model.rewrite_max_completion_tokens,
        effort=config.model.rewrite_reasoning_effort or None,
    )
    rule = Rule(
        metric=config.evaluation.gate_metric,
        weight=config.evaluation.gate_mixed_weight,
        epsilon=config.evaluation.gate_epsilon,
        no_regression=config.evaluation.gate_no_regression,
    )
    roller = make_roller(resolved, env, router, prompts, shown, rule)
    gradient, optimizer = config.gradient, config.optimizer

    def remember(memory: Memory) -> str:
        return prompts.text("memory", memory=memory) if memory.steps or memory.meta_skill else ""

    stages = Stages(
        roll=roller,
        minibatches=lambda rollouts, seed: minibatches(
            rollouts, seed=seed, size=gradient.minibatch_size, failure_only=gradient.failure_only
        ),
        analyse=partial(
            analyse, teacher=teacher, mode=mode, budget=optimizer.learning_rate, attempts=gradient.max_analyst_rounds
        ),
        evidence=evidence,
        remember=remember,
        aggregate=partial(
            aggregate,
            teacher=teacher,
            mode=mode,
            batch_size=gradient.merge_batch_size,
            workers=gradient.analyst_workers,
            strategy=gradient.merge,
        ),
        select=partial(select, teacher=teacher, mode=mode),
        update=partial(mode.apply, ask=rewriter),
        selection=first(tasks["val"], config.evaluation.sel_env_num),
        rule=rule,
        repeats=config.evaluation.gate_repeats,
        mode=mode,
        analyst_workers=gradient.analyst_workers,
        candidates=optimizer.candidates_per_step,
        screen_size=optimizer.screen_size,
        progress=shown,
    )
    return Run(
        resolved=resolved,
        env=env,
        router=router,
        store=RunStore(Folder(out_root, Heard(out_root, listeners))),
        tasks=tasks,
        plan=plan(
            tasks["train"],
            epochs=config.train.num_epochs,
            batch_size=config.train.batch_size,
            accumulation=config.train.accumulation,
            seed=config.train.seed,
            train_size=config.train.train_size,
        ),
        stages=stages,
        initial=initial_skill(resolved),
        manifest=manifest(resolved, tasks, prompts),
        observers=listeners,
        progress=shown,
        epoch_stages=epoch_stages(resolved, stages, teacher, tasks["train"]),
        notes=(*resolved.warnings, *not_yet(config)),
    )


def epoch_stages(
    resolved: Resolved, stages: Stages, teacher: Teacher, tasks: tuple[Task, ...]
) -> tuple[EpochStage, ...]:
    """Return the stages of an epoch's end that are switched on, in the order they run."""
    optimizer = resolved.run.optimizer
    compare = Comparison(
        roll=stages.roll,
        tasks=tasks,
        seed=resolved.run.train.seed,
        samples=optimizer.slow_update_samples,
        policy=optimizer.longitudinal_pair_policy,
    )
    chosen: list[tuple[bool, EpochStage]] = [
        (optimizer.use_slow_update, SlowUpdate(stages=stages, teacher=teacher, compare=compare)),
        (optimizer.use_meta_skill, MetaSkill(teacher=teacher, compare=compare)),
        (optimizer.use_meta_reflect, MetaReflect(stages=stages, teacher=teacher, budget=optimizer.meta_learning_rate)),
    ]
    return tuple(stage for on, stage in chosen if on)


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


def templates(resolved: Resolved, plugins: Plugins, *, suffix: str) -> Prompts:
    """Return the templates of a run: the env's, the named packs', the core's."""
    packs = [plugins.get("prompts", name).root for name in resolved.run.prompts if name != "default"]
    default = plugins.get("prompts", "default").root
    own = [resolved.env_spec.prompts] if resolved.env_spec.prompts else []
    return Prompts((*own, *packs, default), suffix)


def route(resolved: Resolved, out_root: Path) -> Router:
    """Build the backend of every role and bind it to one ledger."""
    ledger = Ledger(writer(out_root))
    return Router(
        roles={
            name: Bound(
                role=name,
                backend=role.backend,
                model_name=str(getattr(role.settings, "model", role.backend)),
                kind=role.spec.kind,
                model=role.spec.build(role.settings),
                ledger=ledger,
            )
            for name, role in resolved.roles.items()
        },
        ledger=ledger,
    )


def make_roller(
    resolved: Resolved, env: Env, router: Router, prompts: Prompts, progress: Progress, rule: Rule = STRICT
) -> Roller:
    """Return what rolls tasks out, with the identity of all that a result depends on besides skill and tasks."""
    evaluation = resolved.run.evaluation
    role = resolved.roles["student"]
    timeout_s = float(getattr(resolved.env, "exec_timeout", 600))

    def run(task: Task, skill: Skill, workdir: Path, stage: str, repeat: int) -> Rollout:
        return run_task(
            task,
            skill,
            env=env,
            student=lambda: TaskStudent(
                model=router.role("student"), prompts=prompts, timeout_s=timeout_s, stage=stage, repeat=repeat
            ),
            workdir=workdir,
            retries=evaluation.max_infra_retries,
        )

    return Roller(
        run=run,
        stamp={
            "env": resolved.env_spec.name,
            "env_version": resolved.env_spec.version,
            "env_config": _digest(resolved.env.model_dump(mode="json")),
            "student": f"{role.backend}:{getattr(role.settings, 'model', '')}",
            "student_settings": _digest(role.settings.model_dump(mode="json")),
            "prompt": _digest(prompts.source("student")),
        },
        workers=resolved.run.env.workers,
        max_error_rate=evaluation.max_error_rate,
        progress=progress,
        rule=rule,
    )


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


def manifest(resolved: Resolved, tasks: Mapping[Split, tuple[Task, ...]], prompts: Prompts) -> dict[str, Any]:
    """Return what makes a run this run: resuming under another one is refused."""
    return {
        "config": flat(resolved),
        "data": {split: {"n": len(found), "digest": identity(found)} for split, found in tasks.items()},
        "prompts": prompts.digest,
        "env_version": resolved.env_spec.version,
        "reflact": _version("reflact-core"),
    }


def not_yet(config: RunConfig) -> tuple[str, ...]:
    """Return one sentence on switched-on settings that this version does not have."""
    on = [key for field, key in LATER.items() if getattr(config.gradient, field)]
    on += ["optimizer.lr_control_mode"] if config.optimizer.lr_control_mode != "fixed" else []
    if not on:
        return ()
    return (f"{', '.join(on)}: set, but this version does not have it yet; the run goes on without.",)


def first(tasks: tuple[Task, ...], count: int) -> tuple[Task, ...]:
    """Return the first *count* tasks; 0 returns all."""
    return tasks[:count] if count else tasks


def _digest(value: Any) -> str:
    return sha256(to_text(value).encode()).hexdigest()[:16]


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "unknown"
