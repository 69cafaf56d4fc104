"""The env `babyvision`: a picture and a question in, a boxed answer out."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path

from reflact import ConfigError, DataError, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.boxed import extract_boxed
from reflact.kit.judge import Verdict
from reflact.kit.media import ask_about, beside
from reflact.kit.qa import graded, regraded
from reflact.kit.templates import Templates

from reflact_env_babyvision.config import BabyVisionConfig
from reflact_env_babyvision.data import to_task
from reflact_env_babyvision.grade import expected, grade, needs_judge
from reflact_env_babyvision.missing import wanted

RUBRIC = (
    "A position is right in any notation that names the same row and column, `(4, 17)` or `Row 4, Column 17` say; a "
    "number as a figure or as a word; an option by its label or by its text. A count or a position that is off by one "
    "is wrong."
)


class BabyVision:
    """Single-round visual puzzles."""

    def __init__(self, config: BabyVisionConfig) -> None:
        self._config = config
        folders = beside(config)
        self._media = config.media([*folders, *(folder / "images" for folder in folders)])
        try:
            self._splits = load_splits(config, partial(to_task, media=self._media))
        except DataError as error:
            raise DataError(f"{error}\n{wanted(config)}") from error
        self._refuse_undecidable()
        self._judge = config.make_judge(rubric=RUBRIC)
        self._templates = Templates(files(__package__) / "prompts")

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Show the picture, ask until a reply holds a boxed answer, at most `max_turns` times, grade the last reply."""
        pictures = self._media.open([task.data["image"]])
        replies = ask_about(
            pictures,
            student=student,
            skill=skill,
            workdir=workdir,
            prompt=partial(self._prompt, task),
            complete=lambda reply: extract_boxed(reply).how == "box",
            turns=self._config.max_turns,
            images_first=self._config.image_order == "image_first",
            max_tokens=self._config.max_completion_tokens,
        )
        found = grade(
            replies[-1], task.data, mode=self._config.judge_mode, ask=partial(self._asked, task, student=student)
        )
        rollout = graded(task, found, question=self._question(task), expected=expected(task.data))
        facts = {"n_turns": len(replies), "images": [one.facts() for one in pictures]}
        return replace(rollout, extra={**rollout.extra, **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its last reply graded anew; where the judge decided, by what it said then."""

        def said_then(_: str) -> Verdict:
            return self._judge.again(rollout.extra)

        return regraded(rollout, lambda reply: grade(reply, task.data, mode=self._config.judge_mode, ask=said_then))

    def gold(self, task: Task) -> str:
        """Return a reply that is right."""
        return f"\\boxed{{{expected(task.data)[0]}}}"

    def reference(self, task: Task) -> str:
        """Return the worked solution, empty where the data have none."""
        return str(task.data["cot"])

    def _asked(self, task: Task, answer: str, *, student: Student) -> Verdict:
        golds = [f"{label}. {task.data['options'][label]}" for label in [task.data["label"]] if label]
        return self._judge(
            question=self._question(task), golds=golds or task.data["answers"], answer=answer, student=student
        )

    def _question(self, task: Task) -> str:
        options = "\n".join(f"{label}. {text}" for label, text in task.data["options"].items())
        return f"{task.data['question']}\n\n{options}" if options else str(task.data["question"])

    def _prompt(self, task: Task, replies: Sequence[str]) -> str:
        return self._templates.render(
            "question.md.j2", question=task.data["question"], options=task.data["options"], replies=replies
        )

    def _refuse_undecidable(self) -> None:
        tasks = list(chain.from_iterable(self._splits.values()))
        open_ones = [task.id for task in tasks if needs_judge(task.data)]
        if self._config.judge_mode == "never" and open_ones:
            raise ConfigError(
                f"env.judge_mode is never, but {len(open_ones)} of {len(tasks)} items have answers in words, which "
                f"only a judge can compare (first {', '.join(open_ones[:3])}); use auto, or leave these items out"
            )
