"""The loop: batches, steps, epochs, and the test at the end. `RunState` is all that survives an iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from reflact.config import Resolved, differences, flat
from reflact.contracts import EpochRecord, RunInfo, StepRecord, Summary
from reflact.data.batches import batches_after
from reflact.engine.checkup.patients import admit
from reflact.engine.checkup.preflight import refuse_unbuilt, refuse_unfit
from reflact.engine.consider import adopt, measure
from reflact.engine.epoch import close
from reflact.engine.progress import Progress
from reflact.engine.record import record
from reflact.engine.resume import FILE, nested
from reflact.engine.run import MANIFEST, Run
from reflact.engine.step import StepResult, step
from reflact.engine.summary import final_test, summarise
from reflact.engine.wire import wire
from reflact.errors import RunError
from reflact.plugins import Plugins
from reflact.stages.score import score
from reflact.store.codec import json_codec, to_text
from reflact.store.files import locked, write
from reflact.store.folder import decoded
from reflact.types import Batch, Memory, RunState, Scored

PLAIN = json_codec(dict[str, Any])
SUMMARY = "summary.json"


def train(
    resolved: Resolved,
    plugins: Plugins,
    out_root: Path,
    *,
    observers: Any = None,
    progress: Progress | None = None,
    preflight: bool = False,
) -> Summary:
    """Train from *resolved* in *out_root*, or go on where an earlier process stopped. Returns the summary.

    With *preflight* every model is asked something small first, unless the run is over already; a model that cannot
    work ends it before it begins. Raises `RunError` when the folder holds another run (its config, data or prompts
    differ) or is in use; observers hear of the end whatever it was.
    """
    with locked(out_root):
        patients = admit(resolved.roles) if preflight and not (out_root / SUMMARY).exists() else ()
        refuse_unbuilt(patients)
        run = wire(resolved, plugins, out_root, observers=observers, progress=progress)
        refuse_another(run)
        warned = refuse_unfit(
            patients,
            needs=resolved.needs,
            router=run.router,
            folder=out_root,
            progress=run.progress,
            begun=(out_root / MANIFEST).exists(),
        )
        run = replace(run, notes=(*run.notes, *warned))
        claim(run)
        try:
            summary = _train(run)
        except BaseException as error:
            with suppress(OSError):
                run.cost.write()
            reason = str(error) or type(error).__name__
            run.observers.reflact_run_finished(summary=Summary(out_root=out_root, error=reason))
            raise
        run.observers.reflact_run_finished(summary=summary)
        return summary


def _train(run: Run) -> Summary:
    state = run.store.load()
    history = run.store.history(state.step) if state else []
    run.observers.reflact_run_started(run=info(run, state))
    if state is None:
        state = baseline(run)
        commit(state, history, run)
    if state.closed < state.epoch and state.step == state.epoch * run.plan.steps_per_epoch:
        state = end_epoch(state, history, run)
    for batch in batches_after(state.step, run.tasks["train"], run.plan):
        state = replace(state, memory=_memory_of(batch, state.memory))
        state, entry = take_step(batch, state, run)
        history.append(entry)
        commit(state, history, run)
        run.observers.reflact_step_finished(
            record=StepRecord(step=batch.step, epoch=batch.epoch, action=entry["action"], record=entry)
        )
        if batch.last_of_epoch:
            state = end_epoch(state, history, run)
    tests = final_test(run, state)
    values = summarise(run, state, history, tests)
    write(run.store.path / SUMMARY, to_text(values))
    run.router.settle()
    return Summary(out_root=run.store.path, values={**values, **run.cost.write()})


def commit(state: RunState, history: Sequence[Mapping[str, Any]], run: Run) -> None:
    """Commit *state* with the records of its steps, and tell what it took to get there."""
    run.store.save(state, history)
    run.cost.write()


def take_step(batch: Batch, state: RunState, run: Run) -> tuple[RunState, dict[str, Any]]:
    """Return the state after the step of *batch*, and its record."""
    at = run.store.step(batch.step)
    result = step(batch, state, stages=run.stages, at=at)
    after = advance(state, batch, result)
    entry = record(batch, result, after, run.stages.mode)
    write(at.path / "step_record.json", to_text(entry))
    return after, entry


def end_epoch(state: RunState, history: Sequence[Mapping[str, Any]], run: Run) -> RunState:
    """Return the committed state after the end of the epoch *state* is in."""
    closed = close(state.epoch, state, history, stages=run.epoch_stages, root=run.store.root, done=run.cost.write)
    run.store.save(closed, history)
    run.observers.reflact_epoch_finished(record=epoch_record(state.epoch, history, closed))
    return closed


def claim(run: Run) -> None:
    """Write the run's identity into its folder."""
    run.store.root.keep(MANIFEST, PLAIN, lambda: dict(run.manifest))
    write(run.store.path / "config.json", to_text(flat(run.resolved)))
    write(run.store.path / FILE, to_text(nested(run.resolved)))


def refuse_another(run: Run) -> None:
    """Raise `RunError` when the run's folder holds another run."""
    path = run.store.path
    if not (path / MANIFEST).exists():
        return
    known = decoded(PLAIN, path / MANIFEST)
    changed = differences(known["config"], run.manifest["config"])
    for split, found in run.manifest["data"].items():
        if known["data"].get(split) != found:
            changed.append(f"the {split} data have changed")
    if known["prompts"] != run.manifest["prompts"]:
        changed.append("the prompts have changed")
    if known["env_version"] != run.manifest["env_version"]:
        changed.append("the env grades differently now")
    if changed:
        raise RunError(
            f"{path} holds another run: {'; '.join(changed)}. "
            f"Choose another out_root, or start a new run from its best skill: --fork {path}."
        )


def baseline(run: Run) -> RunState:
    """Score the initial skill on the selection split: the bar every candidate has to pass."""
    at = run.store.root.sub("selection_eval_baseline")
    measured = score(measure(run.initial, run.stages, at, what="baseline"), rule=run.stages.rule)
    if not measured.n:
        raise RunError("no selection item could be scored; the gate has nothing to compare")
    scored = Scored(skill=run.initial, score=measured.value, origin="initial_skill")
    return RunState(step=0, epoch=0, current=scored, best=scored, best_step=0, scores={run.initial.digest: measured})


def advance(state: RunState, batch: Batch, result: StepResult) -> RunState:
    """Return the state after a step."""
    after = adopt(state, result.trial, best_step=batch.step) if result.trial else state
    waiting = () if result.decision.accepted else result.gathered.new or state.memory.notes
    memory = replace(state.memory, steps=(*state.memory.steps, result.digest), notes=waiting)
    file = f"skills/skill_v{batch.step:04d}.md"
    return replace(after, step=batch.step, epoch=batch.epoch, memory=memory, skill_file=file)


def info(run: Run, state: RunState | None) -> RunInfo:
    """Return what observers hear at the start."""
    return RunInfo(
        out_root=run.store.path,
        env=run.resolved.env_spec.name,
        config=flat(run.resolved),
        total_steps=run.plan.total_steps,
        epochs=run.plan.epochs,
        sizes={split: len(found) for split, found in run.tasks.items()},
        notes=run.notes,
        resumed_from=state.step if state else None,
    )


def epoch_record(epoch: int, history: Sequence[Mapping[str, Any]], state: RunState) -> EpochRecord:
    """Return how many steps of *epoch* were accepted, rejected and skipped, and where the scores stand."""
    actions = [entry["action"] for entry in history if entry["epoch"] == epoch]
    return EpochRecord(
        epoch=epoch,
        accepts=sum(action.startswith("accept") for action in actions),
        rejects=actions.count("reject"),
        skips=sum(action.startswith("skip") for action in actions),
        current_score=state.current.score,
        best_score=state.best.score,
    )


def _memory_of(batch: Batch, memory: Memory) -> Memory:
    """Return *memory* with an empty step buffer when an epoch begins."""
    return replace(memory, steps=()) if batch.step_in_epoch == 0 else memory
