"""Eval-only: one skill on one split, nothing trained."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from reflact.config import Resolved
from reflact.contracts import Env, SupportsSubmission
from reflact.engine.checkup.patients import admit
from reflact.engine.checkup.preflight import refuse_unbuilt, refuse_unfit
from reflact.engine.inputs import build_env, load_tasks, refuse_unscorable, templates
from reflact.engine.ledger import Account
from reflact.engine.models import make_roller, route
from reflact.engine.progress import Progress, Silent
from reflact.engine.resume import nested
from reflact.engine.tuned import other_student, student_of
from reflact.errors import ConfigError
from reflact.plugins import Plugins
from reflact.stages.score import by_group, by_kind, endings, interval, score
from reflact.store.codec import to_text
from reflact.store.files import locked, read, write
from reflact.store.folder import Folder
from reflact.types import Rollout, Skill, Split

CONFIG = "eval_config.json"
SUMMARY = "eval_summary.json"
HAND_IN = "with --predictions FILE they are done all the same, for somebody else to score"


def evaluate(
    resolved: Resolved,
    plugins: Plugins,
    out_root: Path,
    *,
    skill: Path | None,
    split: Split | Literal["all"] = "test",
    predictions: Path | None = None,
    progress: Progress | None = None,
    preflight: bool = False,
) -> dict[str, Any]:
    """Return what `eval_summary.json` in *out_root* holds: the skill's score on *split*, by kind and with an interval.

    *skill* is a file; None evaluates without a skill. Results of the same skill, tasks and student are reused. What the
    student said is also written to *predictions*, as the benchmark takes it; then tasks whose answer is withheld are
    done too, and stay out of the score, which is None where nothing is left. Raises `DataError` for such tasks without
    *predictions*, and `ConfigError` when the env has no form for them.

    With *preflight* the student, and a judge where the env has one, are asked something small first, unless all results
    are there already; a model that cannot work ends the evaluation before it begins. The teacher is never asked.
    """
    if skill and not skill.is_file():
        raise ConfigError(f"no skill file at {skill}")
    document = Skill(read(skill)) if skill else Skill("")
    asked = _asked(resolved)
    shown = progress or Silent()
    at = Folder(out_root / "eval" / split)
    with locked(out_root):
        patients = admit(asked.roles) if preflight else ()
        refuse_unbuilt(patients)
        env = build_env(resolved, out_root)
        splits = load_tasks(env)
        chosen = [task for found in splits.values() for task in found] if split == "all" else list(splits[split])
        tasks = chosen if split == "all" else chosen[: resolved.run.evaluation.test_env_num or None]
        submits = _submitting(env, resolved) if predictions else None
        if submits is None:
            refuse_unscorable({split: tasks}, HAND_IN)
        prompts = templates(resolved, plugins, suffix="")
        account = Account(out_root)
        router = route(asked, account)
        roll = make_roller(resolved, env, router, prompts, shown)
        warned = refuse_unfit(
            () if roll.has_all(tasks, document, at) else patients,
            needs=resolved.needs,
            router=router,
            folder=out_root,
            progress=shown,
            begun=at.path.parent.exists(),
        )
        write(out_root / CONFIG, to_text(nested(resolved)))
        rollouts = roll(tasks, document, at, what=f"evaluate {split}")
        router.settle()
        if predictions and submits:
            write(predictions, submits.submission(rollouts))
        values = {
            "skill": str(skill) if skill else None,
            "student": student_of(resolved),
            "notes": [*router.notes, *warned, *(other_student(skill, resolved) if skill else ())],
            "skill_digest": document.digest,
            "split": split,
            **_measured(rollouts),
            "predictions": _handed_in(predictions, rollouts) if predictions else None,
            "spent": account.table(),
        }
        write(out_root / SUMMARY, to_text(values))
        return values


def _asked(resolved: Resolved) -> Resolved:
    """Return *resolved* with only the roles that an evaluation calls."""
    asks = ("student", "judge") if resolved.judged else ("student",)
    return replace(resolved, roles={name: role for name, role in resolved.roles.items() if name in asks})


def _submitting(env: Env, resolved: Resolved) -> SupportsSubmission:
    if not isinstance(env, SupportsSubmission):
        name = resolved.env_spec.name
        raise ConfigError(
            f"--predictions: env {name!r} has no form in which answers are handed in (no `submission`); what the "
            "student says stands in results.jsonl of the evaluation's folder"
        )
    return env


def _measured(rollouts: Sequence[Rollout]) -> dict[str, Any]:
    """Return the scores of *rollouts*: None, and no kinds or groups, where none of them could be scored."""
    measured = score(rollouts)
    known = measured.n > 0
    return {
        "n_items": measured.n,
        "n_errors": measured.n_errors,
        "n_ungraded": sum(one.outcome == "ungraded" for one in rollouts),
        "endings": endings(rollouts),
        "right": measured.n_right if known else None,
        "hard": measured.hard if known else None,
        "soft": measured.soft if known else None,
        "interval_95": list(interval(measured.hard * measured.n, measured.n)) if known else None,
        "by_kind": by_kind(rollouts) if known else {},
        "by_group": by_group(rollouts),
    }


def _handed_in(file: Path, rollouts: Sequence[Rollout]) -> dict[str, Any]:
    empty = sum(not one.answer.strip() for one in rollouts)
    return {"file": str(file), "n": len(rollouts), "empty": empty}
