"""The env `qa`: one question, one reply."""

from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path

from reflact import Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.qa import Grade, regraded, single_round
from reflact.kit.templates import Templates

from reflact_env_qa.config import QAConfig
from reflact_env_qa.records import to_task
from reflact_env_qa.scorers import judge, read_answer


class QA:
    """Your own questions. The system prompt is the skill alone, and it is for the skill to say how to answer."""

    def __init__(self, config: QAConfig) -> None:
        self._config = config
        self._splits = load_splits(config, partial(to_task, config=config))
        self._templates = Templates(files(__package__) / "prompts")

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Ask the question of *task* and judge the reply."""
        return single_round(
            task,
            student=student,
            skill=skill,
            workdir=workdir,
            prompt=self._prompt(task),
            grade=partial(self._grade, task),
            question=task.data["question"],
            expected=task.data["answers"],
            max_tokens=self._config.max_completion_tokens or None,
        )

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its reply judged anew."""
        return regraded(rollout, partial(self._grade, task))

    def gold(self, task: Task) -> str:
        """Return a reply that is right, empty where the answer is a pattern."""
        if task.data["scorer"] == "regex":
            return ""
        gold: str = task.data["answers"][0]
        return f"<answer>{gold}</answer>" if self._tagged else gold

    @property
    def _tagged(self) -> bool:
        return self._config.answer_format == "tag"

    def _prompt(self, task: Task) -> str:
        shown = {name: task.data[name] for name in ("question", "context", "choices")}
        return self._templates.render("question.md.j2", tagged=self._tagged, **shown)

    def _grade(self, task: Task, reply: str) -> Grade:
        return judge(
            read_answer(reply, tagged=self._tagged),
            task.data["answers"],
            scorer=task.data["scorer"],
            choices=task.data["choices"],
            normalize=self._config.normalize,
            tolerance=self._config.tolerance,
        )
