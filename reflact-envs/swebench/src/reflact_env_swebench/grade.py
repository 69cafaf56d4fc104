"""From an agent's patch and the verdict on it to a rollout."""

from __future__ import annotations

from typing import Any

from reflact import Rollout, Task

from reflact_env_swebench.agent.play import Played
from reflact_env_swebench.judge.verdict import Results, Verdict

NO_PATCH = Verdict(applied=False)


def rolled(task: Task, played: Played, verdict: Verdict | None, *, partial: bool) -> Rollout:
    """Return the rollout of *task*: `hard` is 1 when the issue is resolved; no *verdict* means an empty patch.

    With *partial*, `soft` is the share of the target tests that pass, and nothing once another test is broken. An
    evaluation that broke down leaves the rollout without a score, with its patch.
    Source: SWE-bench (Jimenez et al. 2024, arXiv 2310.06770), "% resolved".
    """
    found = verdict or NO_PATCH
    hard = float(found.resolved)
    share = len(found.target.passed) / found.target.total if found.target.total and not found.kept.failed else 0.0
    facts: dict[str, Any] = {
        "instance_id": task.id,
        "repo": task.kind,
        "exit_status": played.exit_status,
        "n_turns": played.turns,
        "model_stats": {"instance_cost": played.usd, "api_calls": played.turns},
        "patch_applied": bool(verdict and verdict.applied),
        "f2p": _count(found.target),
        "p2p": _count(found.kept),
    }
    return Rollout(
        task_id=task.id,
        kind=task.kind,
        hard=hard,
        soft=share if partial and found.applied and not found.trouble else hard,
        answer=played.patch,
        question=task.data["problem_statement"],
        feedback=_feedback(played, verdict),
        outcome="infra_error" if found.fault else "ok",
        error=found.fault or None,
        extra=facts,
    )


def told_of(rollout: Rollout) -> Played:
    """Return how the agent of a stored *rollout* got on."""
    return Played(
        exit_status=str(rollout.extra["exit_status"]),
        patch=rollout.answer,
        turns=int(rollout.extra.get("n_turns", 0)),
        usd=float(rollout.extra.get("model_stats", {}).get("instance_cost", 0.0)),
    )


def _feedback(played: Played, verdict: Verdict | None) -> str:
    if verdict is None:
        return f"empty patch ({played.exit_status})"
    if verdict.resolved:
        return ""
    return f"swebench unresolved ({played.exit_status}): {verdict.reason()}\n{verdict.told()}".strip()


def _count(tests: Results) -> dict[str, int]:
    return {"pass": len(tests.passed), "total": tests.total}
