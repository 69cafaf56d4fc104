"""The env `docvqa`: a page and a question in, the text that answers it out."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path

from reflact import DataError, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.media import ask_about, beside
from reflact.kit.qa import Grade, graded, regraded
from reflact.kit.templates import Templates

from reflact_env_docvqa.config import DocVQAConfig
from reflact_env_docvqa.data import MATERIALIZE, to_task
from reflact_env_docvqa.grade import grade, read_answer

_WANTED = (
    "no DocVQA data come with this package. A split folder holds train, val and test, each a .csv, .json or .jsonl of "
    "records with questionId, question, answers and image; env.data_root names the folder of the images. The data are "
    "at rrc.cvc.uab.es (challenge 17, after registration) or in the data set lmms-lab/DocVQA; "
    f"{MATERIALIZE} makes splits of them"
)


class DocVQA:
    """Single-page document question answering."""

    def __init__(self, config: DocVQAConfig) -> None:
        self._config = config
        self._media = config.media(beside(config))
        try:
            self._splits = load_splits(config, partial(to_task, media=self._media))
        except DataError as error:
            raise DataError(f"{error}\n{_WANTED}") from error
        self._templates = Templates(files(__package__) / "prompts")

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Show the page, ask until a reply holds an answer tag, at most `max_turns` times, and grade the last reply."""
        pictures = self._media.open([task.data["image"]])
        question = task.data["question"]
        replies = ask_about(
            pictures,
            student=student,
            skill=skill,
            workdir=workdir,
            prompt=lambda before: self._templates.render("question.md.j2", question=question, replies=before),
            complete=lambda reply: read_answer(reply).how == "tag",
            turns=self._config.max_turns,
            images_first=self._config.image_order == "image_first",
            max_tokens=self._config.max_completion_tokens,
        )
        rollout = graded(task, self._grade(task, replies[-1]), question=question, expected=task.data["answers"])
        facts = {"n_turns": len(replies), "images": [one.facts() for one in pictures]}
        return replace(rollout, extra={**rollout.extra, **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its last reply graded anew."""
        return regraded(rollout, partial(self._grade, task))

    def gold(self, task: Task) -> str:
        """Return a reply that is right."""
        return f"<answer>{task.data['answers'][0]}</answer>"

    def submission(self, rollouts: Sequence[Rollout]) -> str:
        """Return the file of results the competition takes: a list of `questionId` and `answer`, empty without one."""
        results = [
            {"questionId": int(one.task_id) if one.task_id.isdecimal() else one.task_id, "answer": one.answer}
            for one in rollouts
        ]
        return json.dumps(results, ensure_ascii=False, indent=1) + "\n"

    def reference(self, task: Task) -> str:
        """Return every accepted spelling, and what kind of place of the page they stand in; DocVQA knows no more."""
        spellings = "\n".join(f"- {answer}" for answer in task.data["answers"])
        return f"Kind of content: {task.kind}\nAccepted spellings, all copied from the page:\n{spellings}"

    def _grade(self, task: Task, reply: str) -> Grade:
        return grade(
            reply,
            task.data["answers"],
            variant=self._config.anls_variant,
            threshold=self._config.hard_threshold,
            unicode_normalize=self._config.unicode_normalize,
        )
