"""The env `livemathematicianbench`: a question with choices in, the label of one out."""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path

from reflact import DataError, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.answers import extract_answer
from reflact.kit.qa import graded, regraded
from reflact.kit.templates import Templates
from reflact.kit.turns import until_complete

from reflact_env_livemathematicianbench.config import LiveMathConfig
from reflact_env_livemathematicianbench.grade import grade, groups
from reflact_env_livemathematicianbench.raw import read_records
from reflact_env_livemathematicianbench.source import WANTED
from reflact_env_livemathematicianbench.task import to_task

ONE_SIDED = 0.9
"""The share of right answers under one label from which on the label itself is a good answer."""


class LiveMathematicianBench:
    """Single-round multiple choice about research theorems."""

    def __init__(self, config: LiveMathConfig) -> None:
        self._config = config
        reader = partial(read_records, exclude_meta=config.meta_option == "exclude")
        try:
            self._splits = load_splits(config, partial(to_task, config=config), reader=reader)
        except DataError as error:
            raise DataError(f"{error}\n{WANTED}") from error
        self._templates = Templates(files(__package__) / "prompts")
        for told in self._doubts():
            warnings.warn(told, RuntimeWarning, stacklevel=2)

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Ask until a reply holds an answer tag, at most `max_turns` times, and grade the last reply."""
        limit = self._config.max_completion_tokens
        replies = until_complete(
            lambda before: student.answer(self._prompt(task, before), skill=skill, workdir=workdir, max_tokens=limit),
            complete=_is_complete,
            turns=self._config.max_turns,
        )
        right = task.data["correct"]
        expected = (f"{right}. {task.data['choices'][right]}",)
        rollout = graded(task, grade(task, replies[-1]), question=self._question(task), expected=expected)
        facts = {"n_turns": len(replies), "groups": groups(task, meta=self._config.meta_option == "report")}
        return replace(rollout, extra={**rollout.extra, **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its last reply read and graded anew."""
        return regraded(rollout, partial(grade, task))

    def reference(self, task: Task) -> str:
        """Return the theorem and the sketch of its proof, which the teacher may know."""
        parts = (("Theorem", task.data["theorem"]), ("Proof sketch", task.data["sketch"]))
        return "\n\n".join(f"{title}: {text}" for title, text in parts if text.strip())

    def gold(self, task: Task) -> str:
        """Return a reply that is right."""
        return f"<answer>{task.data['correct']}</answer>"

    def _question(self, task: Task) -> str:
        choices = "\n".join(f"{label}. {text}" for label, text in task.data["choices"].items())
        return f"{task.data['question']}\n\n{choices}"

    def _prompt(self, task: Task, replies: Sequence[str]) -> str:
        return self._templates.render(
            "question.md.j2",
            question=task.data["question"],
            choices=task.data["choices"],
            theorem=task.data["theorem"] if self._config.use_theorem else "",
            sketch=task.data["sketch"] if self._config.use_sketch else "",
            replies=replies,
        )

    def _doubts(self) -> list[str]:
        """Return what makes an accuracy on these data say little."""
        tasks = [task for found in self._splits.values() for task in found]
        label, n = Counter(task.data["correct"] for task in tasks).most_common(1)[0]
        doubts = []
        if n > ONE_SIDED * len(tasks) and not self._config.shuffle_choices:
            told = f"the right choice is {label} in {n} of {len(tasks)} items, and choices are not shuffled"
            doubts.append(f"livemathematicianbench: {told}: answering {label} is enough (env.shuffle_choices)")
        found = {split: [task for task in part if task.data["meta"]] for split, part in self._splits.items()}
        meta = [task for part in found.values() for task in part]
        always = bool(meta) and all(task.data["correct"] == task.data["meta"] for task in meta)
        if always and self._config.meta_option == "report":
            shares = ", ".join(f"{len(found[split])} of {len(part)} in {split}" for split, part in self._splits.items())
            told = f"one choice says that another is right but something stronger holds, in {shares}"
            doubts.append(
                f"livemathematicianbench: {told}, and it is right every time: a skill can learn to pick it. Scores are "
                "reported with and without these items; env.meta_option=exclude leaves them out"
            )
        return doubts


def _is_complete(reply: str) -> bool:
    return extract_answer(reply).how == "tag"
