"""Eval-only: one skill on one split, nothing trained."""

from pathlib import Path
from typing import Any, Literal

from reflact.config import Resolved
from reflact.engine.inputs import build_env, load_tasks, templates
from reflact.engine.ledger import spent
from reflact.engine.models import make_roller, route
from reflact.engine.progress import Progress, Silent
from reflact.engine.tuned import other_student, student_of
from reflact.errors import ConfigError
from reflact.plugins import Plugins
from reflact.stages.score import by_group, by_kind, endings, interval, score
from reflact.store.codec import to_text
from reflact.store.files import locked, read, write
from reflact.store.folder import Folder
from reflact.types import Skill, Split


def evaluate(
    resolved: Resolved,
    plugins: Plugins,
    out_root: Path,
    *,
    skill: Path | None,
    split: Split | Literal["all"] = "test",
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return what `eval_summary.json` in *out_root* holds: the skill's score on *split*, by kind and with an interval.

    *skill* is a file; None evaluates without a skill. Results of the same skill, tasks and student are reused.
    """
    if skill and not skill.is_file():
        raise ConfigError(f"no skill file at {skill}")
    document = Skill(read(skill)) if skill else Skill("")
    with locked(out_root):
        env = build_env(resolved, out_root)
        splits = load_tasks(env)
        chosen = [task for found in splits.values() for task in found] if split == "all" else list(splits[split])
        tasks = chosen if split == "all" else chosen[: resolved.run.evaluation.test_env_num or None]
        prompts = templates(resolved, plugins, suffix="")
        router = route(resolved, out_root)
        roll = make_roller(resolved, env, router, prompts, progress or Silent())
        rollouts = roll(tasks, document, Folder(out_root / "eval" / split), what=f"evaluate {split}")
        measured = score(rollouts)
        router.settle()
        values = {
            "skill": str(skill) if skill else None,
            "student": student_of(resolved),
            "notes": [*router.notes, *(other_student(skill, resolved) if skill else ())],
            "skill_digest": document.digest,
            "split": split,
            "n_items": measured.n,
            "n_errors": measured.n_errors,
            "endings": endings(rollouts),
            "right": measured.n_right,
            "hard": measured.hard,
            "soft": measured.soft,
            "interval_95": list(interval(measured.hard * measured.n, measured.n)),
            "by_kind": by_kind(rollouts),
            "by_group": by_group(rollouts),
            "spent": spent(out_root),
        }
        write(out_root / "eval_summary.json", to_text(values))
        return values
