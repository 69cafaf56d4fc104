"""The record of a step, as `step_record.json` and `history.json` hold it."""

from typing import Any

from reflact.contracts import UpdateMode
from reflact.engine.consider import Trial
from reflact.engine.step import Part, StepResult
from reflact.stages.score import mean, score
from reflact.store.codec import plain
from reflact.types import Batch, Proposal, Rollout, RunState, Source, Usage, total_usage


def record(batch: Batch, result: StepResult, state: RunState, mode: UpdateMode) -> dict[str, Any]:
    """Return the record of *result*; *state* is the state after the step."""
    rollouts = [one for part in result.parts for one in part.rollouts]
    proposals = [one for part in result.parts for one in part.proposals]
    rolled = score(rollouts)
    notes = [one.note for one in (*proposals, result.merged, result.ranked)]
    notes += [result.option.update.note] if result.option else []
    entry: dict[str, Any] = {
        "step": batch.step,
        "epoch": batch.epoch,
        "step_in_epoch": batch.step_in_epoch,
        "action": result.decision.action,
        "rollout_hard": round(rolled.hard, 6),
        "rollout_soft": round(rolled.soft, 6),
        "rollout_n": rolled.n,
        "rollout_right": rolled.n_right,
        "rollout_errors": rolled.n_errors,
        "accumulation_batches": [_microbatch(index, part) for index, part in enumerate(result.parts)],
        "n_patches": _count(proposals),
        "n_failure_patches": _count(proposals, "failure"),
        "n_success_patches": _count(proposals, "success"),
        "n_edits_merged": len(result.merged.items),
        "n_edits_ranked": len(result.chosen.items),
        "edit_budget": result.budget.items,
        "support_counts": [item.support_count for item in result.chosen.items],
        "accepted_edits": accepted_items(result, mode),
        "selected_items": [mode.describe(item) for item in result.chosen.items],
        "failure_patterns": [plain(one) for one in result.digest.failure_patterns],
        "notes": [note for note in notes if note],
        "tokens": _tokens(rollouts, proposals, result),
    }
    if result.gathered.new:
        entry["n_execution_lapse_notes"] = len(result.gathered.new)
        entry["n_appendix_notes_total"] = len(result.gathered.notes)
    if result.option:
        report = result.option.update.report
        entry["candidate_hash"] = result.option.update.skill.digest
        entry["candidate_skill_len"] = len(result.option.update.skill.text)
        entry["edit_apply_summary"] = {
            "total": len(report),
            "applied": sum(one.status.startswith("applied") for one in report),
            "relocated": sum(one.status.startswith("relocated") for one in report),
            "skipped": sum(one.status.startswith(("skipped", "noop")) for one in report),
        }
        if result.option.update.summary:
            entry["rewrite_change_summary"] = list(result.option.update.summary)
    if len(result.tried) > 1:
        entry["candidates"] = [
            {"name": one.name, "hash": one.update.skill.digest, "right": one.right, "tried": one.tried}
            for one in result.tried
        ]
    if result.trial:
        entry |= selection(result.trial)
    return {
        **entry,
        "current_score": state.current.score,
        "current_origin": state.current.origin,
        "best_score": state.best.score,
        "best_step": state.best_step,
        "best_origin": state.best.origin,
        "skill_len": len(state.current.skill.text),
    }


def selection(trial: Trial) -> dict[str, Any]:
    """Return what the gate saw, as every record of a candidate holds it."""
    return {
        "selection_hard": trial.score.hard,
        "selection_soft": trial.score.soft,
        "selection_n": trial.score.n,
        "selection_curtailed": trial.score.curtailed,
        "candidate_gate_score": trial.score.value,
        "selection_flips": plain(trial.decision.flips) if trial.decision.flips else None,
        "gate_reason": trial.decision.reason,
    }


def accepted_items(result: StepResult, mode: UpdateMode) -> list[str]:
    """Return what an accepted step brought into the skill: its own summary, or the texts of the items that stand."""
    if not result.decision.accepted or result.option is None:
        return []
    update = result.option.update
    stands = {one.index for one in update.report if one.applied}
    items = [item for index, item in enumerate(result.option.chosen.items, start=1) if index in stands]
    return list(update.summary) or [getattr(item, "content", "") or mode.describe(item) for item in items]


def _microbatch(index: int, part: Part) -> dict[str, Any]:
    return {
        "batch_idx": index,
        "batch_seed": part.seed,
        "n_envs": len(part.rollouts),
        "hard": round(mean(one.hard for one in part.rollouts if one.scored), 6),
        "soft": round(mean(one.soft for one in part.rollouts if one.scored), 6),
        "n_failure_patches": _count(part.proposals, "failure"),
        "n_success_patches": _count(part.proposals, "success"),
        "n_probes": len(part.probes),
    }


def _count(proposals: "list[Proposal] | tuple[Proposal, ...]", kind: Source | None = None) -> int:
    return sum(bool(one.items) and kind in (None, one.source_type) for one in proposals)


def _tokens(rollouts: list[Rollout], proposals: list[Proposal], result: StepResult) -> dict[str, Any]:
    screened = [one for option in result.tried for one in option.rollouts]
    spent = {
        "rollout": total_usage(one.usage for one in rollouts),
        "probe": total_usage(one.usage for part in result.parts for one in part.probes),
        "analyst": total_usage(one.usage for one in proposals),
        "merge": result.merged.usage,
        "lr_autonomous": result.budget.usage,
        "ranking": result.ranked.usage,
        "appendix_consolidate": result.gathered.usage,
        "update": total_usage(one.update.usage for one in result.tried),
        "screen": total_usage(one.usage for one in screened),
        "evaluate": result.trial.usage if result.trial else Usage(),
    }
    return {stage: plain(usage) for stage, usage in spent.items() if usage.calls}
