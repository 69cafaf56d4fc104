"""From a resolved configuration to a `Run`: everything is bound here, and what cannot work is refused."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from reflact.config import Resolved
from reflact.data.batches import plan
from reflact.engine.bind import bind, epoch_stages
from reflact.engine.calling import too_small
from reflact.engine.cost import Cost
from reflact.engine.heard import Heard
from reflact.engine.inputs import (
    build_env,
    initial_skill,
    load_tasks,
    manifest,
    refuse_unscorable,
    rule_of,
    templates,
)
from reflact.engine.ledger import Account
from reflact.engine.models import make_roller, route
from reflact.engine.progress import Progress, Silent
from reflact.engine.run import Run
from reflact.engine.tuned import other_student
from reflact.llm.ask import Teacher
from reflact.plugins import Plugins
from reflact.store.folder import Folder
from reflact.store.run import RunStore

HAND_IN = (
    "set evaluation.eval_test=false, and have the best skill's answers written by `reflact eval --predictions FILE`"
)


def wire(
    resolved: Resolved, plugins: Plugins, out_root: Path, *, observers: Any = None, progress: Progress | None = None
) -> Run:
    """Return the run of *resolved* in *out_root*. Nothing is paid for here; every fault is a `ReflactError`."""
    started = time.monotonic()
    config = resolved.run
    shown = progress or Silent()
    listeners = observers if observers is not None else plugins.observers()
    env = build_env(resolved, out_root)
    tasks = load_tasks(env)
    refuse_unscorable({split: tasks[split] for split in ("train", "val")}, "training needs one for each: take them out")
    refuse_unscorable({"test": tasks["test"]} if config.evaluation.eval_test else {}, HAND_IN)
    mode = plugins.get("update_modes", config.optimizer.skill_update_mode).build()
    prompts = templates(resolved, plugins, suffix=mode.suffix)
    account = Account(out_root)
    router = route(resolved, account)
    teacher = Teacher(model=router.role("teacher"), prompts=prompts)
    rule = rule_of(resolved)
    roller = make_roller(resolved, env, router, prompts, shown, rule)
    sizes = plan(
        tasks["train"],
        epochs=config.train.num_epochs,
        batch_size=config.train.batch_size,
        accumulation=config.train.accumulation,
        seed=config.train.seed,
        train_size=config.train.train_size,
    )
    root = Folder(out_root, Heard(out_root, listeners))
    stages = bind(
        resolved,
        env=env,
        roll=roller,
        probing=lambda aim: make_roller(resolved, env, router, prompts, shown, rule, aim),
        teacher=teacher,
        mode=mode,
        rule=rule,
        selection=tasks["val"][: config.evaluation.sel_env_num or None],
        total_steps=sizes.total_steps,
        root=root,
        progress=shown,
    )
    return Run(
        resolved=resolved,
        env=env,
        router=router,
        store=RunStore(root),
        tasks=tasks,
        plan=sizes,
        stages=stages,
        initial=initial_skill(resolved),
        manifest=manifest(resolved, tasks, prompts),
        observers=listeners,
        progress=shown,
        cost=Cost(root=out_root, account=account, started=started),
        epoch_stages=epoch_stages(resolved, stages, teacher, tasks["train"]),
        notes=(
            *resolved.warnings,
            *router.notes,
            *too_small(resolved, len(stages.selection) * config.evaluation.gate_repeats),
            *_of_another_student(resolved),
        ),
    )


def _of_another_student(resolved: Resolved) -> tuple[str, ...]:
    given = resolved.run.env.skill_init
    return other_student(Path(given), resolved) if given else ()
