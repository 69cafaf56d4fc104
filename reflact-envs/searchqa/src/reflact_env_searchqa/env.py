"""The env `searchqa`: snippets and a question in, a short answer out."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from reflact import DataError, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.answers import extract_answer
from reflact.kit.qa import graded, regraded
from reflact.kit.templates import Templates
from reflact.kit.text import contains

from reflact_env_searchqa.config import SearchQAConfig
from reflact_env_searchqa.context import window
from reflact_env_searchqa.data import to_task
from reflact_env_searchqa.grade import grade

_WANTED = (
    "no SearchQA data come with this package: a record has id, question, context and answers. Set env.split_dir to "
    "prepared splits or env.data_path to raw data; `reflact data materialize searchqa` fetches them"
)


class SearchQA:
    """Single-round question answering over retrieved documents."""

    def __init__(self, config: SearchQAConfig) -> None:
        self._config = config
        try:
            self._splits = load_splits(config, to_task)
        except DataError as error:
            raise DataError(f"{error}\n{_WANTED}") from error
        self._templates = Templates(files(__package__) / "prompts")

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Ask the question until a reply holds an answer tag, at most `max_turns` times, and grade the last reply."""
        question, golds = task.data["question"], task.data["answers"]
        shown = window(task.data["context"], self._config.max_context_chars)
        replies: list[str] = []
        while len(replies) < self._config.max_turns and not _is_complete(replies):
            prompt = self._templates.render("question.md.j2", question=question, context=shown.text, replies=replies)
            replies.append(
                student.answer(prompt, skill=skill, workdir=workdir, max_tokens=self._config.max_completion_tokens)
            )
        rollout = graded(task, grade(replies[-1], golds), question=question, expected=golds)
        facts = {
            "n_turns": len(replies),
            "context_truncated": shown.truncated,
            "answer_in_context": contains(shown.text, golds),
        }
        return replace(rollout, extra={**rollout.extra, **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its last reply graded anew."""
        return regraded(rollout, lambda reply: grade(reply, task.data["answers"]))

    def gold(self, task: Task) -> str:
        """Return a reply that is right."""
        return f"<answer>{task.data['answers'][0]}</answer>"


def _is_complete(replies: Sequence[str]) -> bool:
    return bool(replies) and extract_answer(replies[-1]).how == "tag"
