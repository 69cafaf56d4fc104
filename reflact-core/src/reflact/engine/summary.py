"""The end of a run: the first and the best skill on the test split, and everything the run has to show."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from reflact.config import flat
from reflact.engine.run import Run
from reflact.stages.score import by_kind, endings, interval, score
from reflact.store.codec import plain, to_text
from reflact.types import Rollout, RunState, Usage

Tests = Mapping[str, tuple[Rollout, ...]]


def final_test(run: Run, state: RunState) -> Tests:
    """Return the rollouts of the test split with the initial and with the best skill; none if switched off.

    When the best skill is the initial one, its rollouts serve for both.
    """
    evaluation = run.resolved.run.evaluation
    if not evaluation.eval_test:
        return {}
    tasks = run.tasks["test"][: evaluation.test_env_num or None]
    before = _tested(run, tasks, "test_eval_baseline", run.initial, "test before")
    same = state.best.skill.digest == run.initial.digest
    after = before if same else _tested(run, tasks, "test_eval", state.best.skill, "test after")
    return {"baseline": before, "best": after}


def _tested(run: Run, tasks: Sequence[Any], folder: str, skill: Any, what: str) -> tuple[Rollout, ...]:
    at = run.store.root.sub(folder)
    rollouts = run.stages.roll(tasks, skill, at, what=what)
    at.export("summary.json", to_text(by_kind(rollouts)))
    return rollouts


def summarise(run: Run, state: RunState, history: Sequence[Mapping[str, Any]], tests: Tests) -> dict[str, Any]:
    """Return the contents of `summary.json`: derived from what is kept, the same for a resumed run."""
    first = state.scores[run.initial.digest]
    values: dict[str, Any] = {
        "version": f"reflact-{run.manifest['reflact']}",
        "env": run.resolved.env_spec.name,
        "config": flat(run.resolved),
        "baseline_selection_hard": first.hard,
        "baseline_selection_score": first.value,
        "selection_n": first.n,
        "best_selection_hard": state.best.score,
        "best_step": state.best_step,
        "current_origin": state.current.origin,
        "best_origin": state.best.origin,
        "total_steps": len(history),
        "total_accepts": sum(entry["action"].startswith("accept") for entry in history),
        "total_rejects": sum(entry["action"] == "reject" for entry in history),
        "total_skips": sum(entry["action"].startswith("skip") for entry in history),
        "epoch_stats": [_epoch(epoch, history) for epoch in sorted({entry["epoch"] for entry in history})],
        "skill_chars": len(state.best.skill.text),
        "learnt": _learnt(history),
        "token_summary": _tokens(history),
        "notes": list(run.notes),
    }
    if tests:
        before, after = score(tests["baseline"]), score(tests["best"])
        values |= {
            "baseline_test_hard": before.hard,
            "baseline_test_soft": before.soft,
            "test_hard": after.hard,
            "test_soft": after.soft,
            "test_delta_hard": round(after.hard - before.hard, 12),
            "test": {
                "baseline": _counted(tests["baseline"]),
                "best": _counted(tests["best"]),
                "by_kind": {"baseline": by_kind(tests["baseline"]), "best": by_kind(tests["best"])},
                "flips": flips(tests["baseline"], tests["best"]),
            },
        }
    return values


def flips(before: Sequence[Rollout], after: Sequence[Rollout]) -> dict[str, int]:
    """Return how many tasks improved, regressed or stayed as they were, task by task."""
    first = {one.task_id: one.hard for one in before if one.scored}
    pairs = [(first[one.task_id], one.hard) for one in after if one.scored and one.task_id in first]
    return {
        "improved": sum(new > old for old, new in pairs),
        "regressed": sum(new < old for old, new in pairs),
        "unchanged": sum(new == old for old, new in pairs),
    }


def _counted(rollouts: Sequence[Rollout]) -> dict[str, Any]:
    measured = score(rollouts)
    low, high = interval(measured.hard * measured.n, measured.n)
    return {
        "right": measured.n_right,
        "n": measured.n,
        "errors": measured.n_errors,
        "endings": endings(rollouts),
        "interval_95": [low, high],
    }


def _learnt(history: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"step": entry["step"], "selection_hard": entry["selection_hard"], "edits": entry["accepted_edits"]}
        for entry in history
        if entry["action"].startswith("accept")
    ]


def _epoch(epoch: int, history: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    steps = [entry for entry in history if entry["epoch"] == epoch]
    return {
        "epoch": epoch,
        "steps": [entry["step"] for entry in steps],
        "accepts": sum(entry["action"].startswith("accept") for entry in steps),
        "rejects": sum(entry["action"] == "reject" for entry in steps),
        "skips": sum(entry["action"].startswith("skip") for entry in steps),
        "best_score_at_epoch_end": steps[-1]["best_score"],
        "current_score_at_epoch_end": steps[-1]["current_score"],
    }


def _tokens(history: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    totals: dict[str, Usage] = {}
    for entry in history:
        for stage, usage in entry["tokens"].items():
            totals[stage] = totals.get(stage, Usage()) + Usage(**usage)
    whole = sum(totals.values(), start=Usage())
    return {**{stage: plain(usage) for stage, usage in sorted(totals.items())}, "_total": asdict(whole)}
