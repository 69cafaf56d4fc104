"""The env `mathverse`: a problem and its diagram in, a label or a value out."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from reflact import ConfigError, DataError, Rollout, Skill, Split, Student, Task
from reflact.data.splits import Splits, load_splits
from reflact.kit.judge import Verdict
from reflact.kit.media import ask_about, beside
from reflact.kit.qa import Grade, graded, regraded
from reflact.kit.templates import Templates

from reflact_env_mathverse.config import MathVerseConfig
from reflact_env_mathverse.data import to_task
from reflact_env_mathverse.grade import expected, grade, needs_judge, read_answer
from reflact_env_mathverse.layout import records
from reflact_env_mathverse.splits import told_of_groups, with_references

_WANTED = (
    "no MathVerse data come with this package. env.data_root names the folder that holds testmini.json (for Text Only "
    "testmini_text_only.json) and images/ with images_version_1-4, images_version_5 and images_version_6, which is "
    "images.zip unpacked, as in the data set AI4Math/MathVerse; env.data_path and env.split_dir name other places"
)


class MathVerse:
    """Single-round questions about mathematical diagrams."""

    def __init__(self, config: MathVerseConfig) -> None:
        self._config = config
        roots = beside(config)
        self._media = config.media([*roots, *(root / "images" for root in (Path(config.data_root), *roots))])
        parse = partial(to_task, media=self._media, many=not config.problem_version, kind=config.report_by)
        reader = partial(records, version=config.problem_version, question_type=config.question_type)
        try:
            self._splits = with_references(load_splits(config, parse, reader=reader), config)
        except DataError as error:
            raise DataError(f"{error}\n{_WANTED}") from error
        if told := told_of_groups(self._splits):
            warnings.warn(told, RuntimeWarning, stacklevel=2)
        _refuse_undecidable(self._splits, config)
        prompts = files(__package__) / "prompts"
        self._templates = Templates(prompts)
        self._judge = config.make_judge(rubric=(prompts / "rubric.md").read_text(encoding="utf-8").strip())

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Show the problem, ask until a reply holds an answer, at most `max_turns` times, and grade the last reply."""
        data = task.data
        pictures = self._media.open([data["image"]] if data["image"] else [])
        shown = {"question": data["question"], "choices": data["choices"], "has_image": bool(pictures)}
        replies = ask_about(
            pictures,
            student=student,
            skill=skill,
            workdir=workdir,
            prompt=lambda before: self._templates.render("question.md.j2", **shown, replies=before),
            complete=lambda reply: read_answer(reply).how in ("tag", "box"),
            images_first=self._config.image_order == "image_first",
            turns=self._config.max_turns,
            max_tokens=self._config.max_completion_tokens,
        )
        verdict = partial(self._asked, data, student)
        rollout = graded(task, self._grade(data, replies[-1], verdict), question=data["asked"], expected=expected(data))
        facts = {"n_turns": len(replies), "images": [one.facts() for one in pictures]}
        return replace(rollout, extra={**rollout.extra, **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its last reply graded anew, by what the judge said then where it was asked."""
        return regraded(
            rollout, lambda reply: self._grade(task.data, reply, lambda _: self._judge.again(rollout.extra))
        )

    def gold(self, task: Task) -> str:
        """Return a reply that is right."""
        return f"<answer>{', '.join(task.data['labels']) or task.data['answer']}</answer>"

    def reference(self, task: Task) -> str:
        """Return the wordiest version of the problem, where `use_text_dominant_reference` is set."""
        return str(task.data["reference"]) if self._config.use_text_dominant_reference else ""

    def _grade(self, data: Mapping[str, Any], reply: str, verdict: Callable[[str], Verdict]) -> Grade:
        return grade(reply, data, mode=self._config.judge_mode, verdict=verdict)

    def _asked(self, data: Mapping[str, Any], student: Student, answer: str) -> Verdict:
        return self._judge(question=data["asked"], golds=expected(data), answer=answer, student=student)


def _refuse_undecidable(splits: Splits, config: MathVerseConfig) -> None:
    """Raise `ConfigError` where no judge may be asked, and rules alone cannot tell right from wrong."""
    tasks = [task for found in splits.values() for task in found]
    unclear = [task for task in tasks if needs_judge(task.data)]
    if config.judge_mode == "never" and unclear:
        first = ", ".join(f"{task.id} ({task.data['answer']})" for task in unclear[:3])
        raise ConfigError(
            f"env.judge_mode is never, but {len(unclear)} of {len(tasks)} problems need a judge, since a right answer "
            f"can be written in many ways: {first}. Set env.judge_mode=auto, or env.question_type=multi-choice"
        )
