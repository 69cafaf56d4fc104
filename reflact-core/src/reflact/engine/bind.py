"""Bind the stages' tools once, from the configuration; after this only data is passed."""

from collections.abc import Callable, Mapping
from functools import partial

from reflact.config import Resolved
from reflact.contracts import Env, UpdateMode
from reflact.engine.deep import DeepProbe, no_probe
from reflact.engine.epoch import EpochStage
from reflact.engine.longitudinal import Comparison
from reflact.engine.meta_reflect import MetaReflect
from reflact.engine.meta_skill import MetaSkill
from reflact.engine.notes import Gatherer, no_notes
from reflact.engine.progress import Progress
from reflact.engine.rate import Autonomous, Rate, Scheduled, unlimited
from reflact.engine.roll import Roller
from reflact.engine.slow_update import SlowUpdate
from reflact.engine.stages import Stages
from reflact.llm.ask import Teacher
from reflact.stages.aggregate import aggregate
from reflact.stages.digest import refuted
from reflact.stages.evidence import evidence
from reflact.stages.gate import Rule
from reflact.stages.reflect import analyse, minibatches
from reflact.stages.select import select
from reflact.stages.student import Aim
from reflact.stages.trajectories import WINDOW, Window
from reflact.store.folder import Folder
from reflact.types import Memory, Source, Task

NOTES_FROM: Mapping[str, frozenset[Source]] = {
    "both": frozenset({"failure", "success"}),
    "failure_only": frozenset({"failure"}),
}


def bind(
    resolved: Resolved,
    *,
    env: Env,
    roll: Roller,
    probing: Callable[[Aim], Roller],
    teacher: Teacher,
    mode: UpdateMode,
    rule: Rule,
    selection: tuple[Task, ...],
    total_steps: int,
    root: Folder,
    progress: Progress,
) -> Stages:
    """Return the stages of a step."""
    config = resolved.run
    gradient, optimizer = config.gradient, config.optimizer
    rewriter = partial(
        teacher.ask,
        max_tokens=config.model.rewrite_max_completion_tokens,
        effort=config.model.rewrite_reasoning_effort or None,
    )

    def remember(memory: Memory) -> str:
        if not (memory.steps or memory.meta_skill):
            return ""
        return teacher.prompts.text("memory", memory=memory, refuted=refuted(memory.steps))

    return Stages(
        roll=roll,
        minibatches=lambda rollouts, seed: minibatches(
            rollouts, seed=seed, size=gradient.minibatch_size, failure_only=gradient.failure_only
        ),
        analyse=partial(
            analyse,
            teacher=teacher,
            mode=mode,
            budget=optimizer.learning_rate,
            attempts=gradient.max_analyst_rounds,
            leaks_refused=optimizer.leak_check == "refuse",
            window=window_of(resolved),
            notes_from=NOTES_FROM[optimizer.skill_aware_appendix_source]
            if optimizer.use_skill_aware_reflection and mode.budgeted
            else frozenset(),
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
        probe=DeepProbe(
            teacher=teacher,
            env=env,
            rolling=probing,
            failures=gradient.deep_reflect_failures,
            successes=gradient.deep_reflect_successes,
            window=window_of(resolved),
        )
        if gradient.use_deep_reflect
        else no_probe,
        gather=Gatherer(teacher=teacher, threshold=optimizer.skill_aware_consolidate_threshold)
        if optimizer.use_skill_aware_reflection
        else no_notes,
        rate=rate_of(resolved, teacher, mode, total_steps, root),
        select=partial(select, teacher=teacher, mode=mode),
        update=lambda skill, chosen, memory: mode.apply(skill, chosen, ask=partial(rewriter, memory=memory)),
        selection=selection,
        rule=rule,
        repeats=config.evaluation.gate_repeats,
        mode=mode,
        analyst_workers=gradient.analyst_workers,
        candidates=optimizer.candidates_per_step,
        screen_size=optimizer.screen_size,
        progress=progress,
    )


def rate_of(resolved: Resolved, teacher: Teacher, mode: UpdateMode, total_steps: int, root: Folder) -> Rate:
    """Return what decides how many items a step keeps."""
    optimizer = resolved.run.optimizer
    if not mode.budgeted or optimizer.lr_control_mode == "none":
        return unlimited
    if optimizer.lr_control_mode == "autonomous":
        return Autonomous(teacher=teacher, mode=mode, high=optimizer.learning_rate, root=root)
    return Scheduled(
        total=total_steps,
        high=optimizer.learning_rate,
        low=optimizer.min_learning_rate,
        scheduler=optimizer.lr_scheduler,
    )


def window_of(resolved: Resolved) -> Window:
    """Return what the teacher can take: as configured, else as its backend says, else what today's models can."""
    settings = resolved.roles["teacher"].settings
    tokens = resolved.run.gradient.context_tokens or getattr(settings, "context", None) or WINDOW.tokens
    return Window(tokens=tokens, reply=getattr(settings, "max_tokens", None) or WINDOW.reply)


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
        window=window_of(resolved),
    )
    chosen: list[tuple[bool, EpochStage]] = [
        (optimizer.use_slow_update, SlowUpdate(stages=stages, teacher=teacher, compare=compare)),
        (optimizer.use_meta_skill, MetaSkill(teacher=teacher, compare=compare)),
        (optimizer.use_meta_reflect, MetaReflect(stages=stages, teacher=teacher, budget=optimizer.meta_learning_rate)),
    ]
    return tuple(stage for on, stage in chosen if on)
