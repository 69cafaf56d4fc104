"""What the gate of a run would have decided with other scores, from the same candidates against the same skills."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reflact.skill.regions import without_empty
from reflact.stages.gate import Rule, gate
from reflact.stages.score import DIGITS, flips, score
from reflact.store.codec import json_codec
from reflact.store.files import read
from reflact.store.folder import decoded
from reflact.types import Decision, Rollout, Score, Scored, Skill

DECISION = json_codec(Decision)
STAGES = ("steps", "slow_update", "meta_reflect")
"""The folders decisions lie in, in the order they are made within an epoch."""


def decisions(
    root: Path, rollouts: Mapping[str, Sequence[Rollout]], rule: Rule, *, full: int
) -> Iterator[dict[str, Any]]:
    """Yield every decision of the run in *root*, in the order they were made, with what it would be now.

    *rollouts* are the selection rollouts by the skill's digest, *full* is how many a whole evaluation has. `now` is
    `open` where a candidate was given up early and the tasks it was spared could turn the decision, and `unknown`
    where the rollouts of one of the two skills are gone. Every decision is taken against the skill that was current
    then: what would have followed from another one is not known.
    """
    scores = {digest: score(found, rule=rule, curtailed=len(found) < full) for digest, found in rollouts.items()}
    initial = Skill(read(root / "skills" / "skill_v0000.md"))
    current = best = Scored(skill=initial, score=0.0, origin="initial_skill")
    for file in _in_order(root):
        made = decoded(DECISION, file)
        if made.candidate is not None:
            now = _now(made.candidate, current, best, scores, rule, full)
            yield {
                "file": file.relative_to(root).as_posix(),
                "was": made.action,
                "now": now,
                "differs": now not in (made.action, "open", "unknown"),
                "candidate": [made.candidate.score, _value(scores, made.candidate)],
                "current": [current.score, _value(scores, current)],
            }
        current, best = _same(current, made.current), _same(best, made.best)


def _same(known: Scored, now: Scored) -> Scored:
    """Return *known* where *now* is the same but for an empty region, which has a digest of its own and no results."""
    return known if without_empty(known.skill.text) == without_empty(now.skill.text) else now


def _now(candidate: Scored, current: Scored, best: Scored, scores: Mapping[str, Score], rule: Rule, full: int) -> str:
    if not all(one.skill.digest in scores for one in (candidate, current, best)):
        return "unknown"
    measured, before = scores[candidate.skill.digest], scores[current.skill.digest]
    new = [Scored(skill=one.skill, score=scores[one.skill.digest].value, origin=one.origin) for one in (current, best)]
    if measured.curtailed:
        reachable = round((measured.value * measured.n + full - measured.n) / full, DIGITS)
        return "open" if reachable > before.value + rule.epsilon else "reject"
    trial = Scored(skill=candidate.skill, score=measured.value, origin=candidate.origin)
    compared = flips(before.items, measured.items)
    return gate(trial, current=new[0], best=new[1], flips=compared, rule=rule).action


def _value(scores: Mapping[str, Score], one: Scored) -> float | None:
    found = scores.get(one.skill.digest)
    return found.value if found else None


def _in_order(root: Path) -> list[Path]:
    epochs = {f"step_{entry['step']:04d}": entry["epoch"] for entry in json.loads(read(root / "history.json"))}

    def when(file: Path) -> tuple[int, int, str]:
        stage, name, *_ = file.relative_to(root).parts
        epoch = epochs.get(name, 10**9) if stage == STAGES[0] else int(name.rpartition("_")[2])
        return epoch, STAGES.index(stage), name

    return sorted((file for stage in STAGES for file in (root / stage).glob("*/decision.json")), key=when)
