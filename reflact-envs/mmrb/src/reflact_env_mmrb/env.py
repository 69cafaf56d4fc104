"""The env `mmrb`: several images and a question in, a label or a short answer out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from reflact import DataError, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.judge import Verdict
from reflact.kit.media import Picture, beside, images_of
from reflact.kit.qa import Grade, graded, regraded
from reflact.kit.templates import Templates
from reflact.kit.turns import until_complete
from reflact.types import ChatRequest, Message

from reflact_env_mmrb.config import MMRBConfig
from reflact_env_mmrb.data import to_task
from reflact_env_mmrb.grade import expected, grade, read_answer
from reflact_env_mmrb.layout import records
from reflact_env_mmrb.markers import interleaved, marked

_WANTED = (
    "no MMRB data come with this package. env.data_path names a folder with one folder per sub-task, each with a file "
    "*_human.json and images/, as in the data set HarrytheOrange/MMRB with its archives extracted; or a file of items. "
    "Prepared splits go into env.split_dir; env.data_root names the images' folder where it is another one"
)


class MMRB:
    """Single-round questions over several images, whose order counts."""

    def __init__(self, config: MMRBConfig) -> None:
        self._config = config
        self._media = config.media(beside(config))
        unusable: Counter[str] = Counter()
        try:
            reader = partial(records, root=Path(config.split_dir)) if config.split_mode == "split_dir" else records
            self._splits = load_splits(config, partial(self._parsed, unusable), reader=reader)
        except DataError as error:
            counts = ", ".join(f"{name} {n}" for name, n in unusable.most_common())
            told = f"\nunusable items by sub-task: {counts}" if counts else ""
            raise DataError(f"{error}{told}\n{_WANTED}") from error
        prompts = files(__package__) / "prompts"
        self._templates = Templates(prompts)
        self._judge = config.make_judge(rubric=(prompts / "rubric.md").read_text(encoding="utf-8").strip())

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Show the images, ask until a reply marks an answer, at most `max_turns` times, and grade the last reply."""
        data = task.data
        pictures = self._media.open(data["images"])
        question = marked(data["question"], len(pictures))
        choices = {} if data["is_shown"] else data["options"]
        prompt = partial(self._templates.render, "question.md.j2", question=question, choices=choices)
        replies = until_complete(
            lambda before: self._said(prompt(replies=before), pictures, skill, student, workdir),
            complete=lambda reply: bool(read_answer(reply).text),
            turns=self._config.max_turns,
        )
        verdict = partial(self._asked, data, student)
        rollout = graded(task, self._grade(data, replies[-1], verdict), question=question, expected=expected(data))
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
        """Return up to three solutions of the benchmark's authors, step by step."""
        return str(task.data["reference"])

    def _said(self, prompt: str, pictures: Sequence[Picture], skill: Skill, student: Student, workdir: Path) -> str:
        """Return the reply to *prompt*, in which a chat student sees each image where it is named."""
        images, limit = images_of(pictures), self._config.max_completion_tokens
        if student.kind == "exec":
            return student.answer(prompt, skill=skill, workdir=workdir, images=images, max_tokens=limit)
        system = Message(role="system", content=self._templates.render("student.md.j2", skill=skill.text))
        user = Message(role="user", content=interleaved(prompt, images))
        return student.chat(ChatRequest(messages=(system, user), max_tokens=limit)).text

    def _grade(self, data: Mapping[str, Any], reply: str, verdict: Callable[[str], Verdict]) -> Grade:
        return grade(reply, data, match=self._config.free_match, mode=self._config.judge_mode, verdict=verdict)

    def _asked(self, data: Mapping[str, Any], student: Student, answer: str) -> Verdict:
        return self._judge(question=data["question"], golds=expected(data), answer=answer, student=student)

    def _parsed(self, unusable: Counter[str], raw: Mapping[str, Any]) -> Task:
        try:
            return to_task(raw, media=self._media, most=self._config.send.images)
        except DataError:
            unusable[str(raw.get("subtask") or "without a sub-task")] += 1
            raise
