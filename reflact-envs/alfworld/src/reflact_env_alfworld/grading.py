"""From an episode to a rollout: won or not, and why not."""

from typing import Any

from reflact import Rollout, Task

from reflact_env_alfworld.episode import Episode, entry


def graded(task: Task, episode: Episode) -> Rollout:
    """Return the rollout of *task*: `hard` and `soft` are 1 when the game was won, as ALFWorld's success rate has it.

    An episode that ended in trouble is unscored. `extra` says how it stopped and counts replies, and steps with an
    action that could not be done, or none. Source: Shridhar et al. 2021, arXiv 2010.03768.
    """
    won = float(episode.won)
    last = episode.steps[-1] if episode.steps else None
    verdict = _verdict(episode)
    return Rollout(
        task_id=task.id,
        kind=task.kind,
        hard=won,
        soft=won,
        answer=(last.action or "") if last else "",
        question=episode.first,
        feedback="" if won else verdict,
        trace=(*map(entry, episode.steps), {"role": "system", "content": f"[EVALUATION RESULT] {verdict}"}),
        outcome=episode.outcome,
        error=episode.error or None,
        extra=_facts(task, episode),
    )


def _facts(task: Task, episode: Episode) -> dict[str, Any]:
    return {
        "gamefile": task.data["gamefile"],
        "task_type": task.kind,
        "task_description": episode.goal,
        "stopped_by": episode.stopped_by,
        "fail_reason": "" if episode.won else _reason(episode),
        "n_steps": len(episode.steps),
        "n_turns": episode.n_turns,
        "n_invalid": episode.n_invalid,
        "n_missing": episode.n_missing,
    }


def _reason(episode: Episode) -> str:
    if episode.error:
        return episode.error
    return f"not solved within {episode.max_steps} steps" if episode.stopped_by == "steps" else "the game was lost"


def _verdict(episode: Episode) -> str:
    counts = f"{len(episode.steps)} steps, {episode.n_invalid} with an action that could not be done"
    how = f"{counts}, {episode.n_missing} without one"
    if episode.won:
        return f"won ({how})"
    return f"{_reason(episode)} ({how}); seen last: {episode.view.text}"
