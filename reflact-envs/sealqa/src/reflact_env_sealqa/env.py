"""The env `sealqa`: a question on which sources disagree in, an answer that a judge grades out."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from reflact import DataError, ExecJob, Message, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.answers import extract_answer
from reflact.kit.judge import Verdict
from reflact.kit.qa import Grade, graded, regraded
from reflact.kit.templates import Templates
from reflact.kit.toolloop import ToolLoop
from reflact.kit.verdicts import THREE_GRADES

from reflact_env_sealqa.config import SealQAConfig
from reflact_env_sealqa.grade import RUBRIC, grade
from reflact_env_sealqa.item import to_task
from reflact_env_sealqa.source import WANTED
from reflact_env_sealqa.sources import find_sources
from reflact_env_sealqa.wording import by_wording

_NOT_PUBLISHED = (
    "env.judge=string compares words: its scores cannot be compared with published ones, for which a model grades "
    "(env.judge=llm)"
)


class SealQA:
    """Answering from sources that mislead, with tools or in a folder, over several turns."""

    def __init__(self, config: SealQAConfig) -> None:
        self._config = config
        try:
            self._splits = load_splits(config, partial(to_task, docs_field=config.docs_field))
        except DataError as error:
            raise DataError(f"{error}\n{WANTED}") from error
        self._sources = find_sources(config, list(chain.from_iterable(self._splits.values())))
        self._judge = config.make_judge(scale=THREE_GRADES, rubric=RUBRIC)
        if config.judge == "string":
            warnings.warn(_NOT_PUBLISHED, RuntimeWarning, stacklevel=2)
        self._templates = Templates(files(__package__) / "prompts")

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Let *student* look for the answer, a chat student with tools, an agent in its folder, and have it judged."""
        act = self._chat if student.kind == "chat" else self._exec
        reply, facts = act(task, skill, student, workdir)
        found = self._graded(reply, task, partial(self._verdict, task, student))
        rollout = graded(task, found, question=task.data["question"], expected=task.data["answers"])
        return replace(rollout, extra={**rollout.extra, **self._facts(task), **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its answer compared anew, or with what its judge said read anew."""
        return regraded(rollout, lambda reply: self._graded(reply, task, partial(self._verdict_again, task, rollout)))

    def gold(self, task: Task) -> str:
        """Return a reply that is right."""
        return f"<answer>{task.data['answers'][0]}</answer>"

    def _graded(self, reply: str, task: Task, verdict_on: Callable[[str], Verdict]) -> Grade:
        return grade(reply, task, verdict_on, judge=self._config.judge)

    def _verdict(self, task: Task, student: Student, answer: str) -> Verdict:
        question, golds = task.data["question"], task.data["answers"]
        if self._config.judge == "string":
            return by_wording(answer, golds)
        return self._judge(question=question, golds=golds, answer=answer, student=student)

    def _verdict_again(self, task: Task, rollout: Rollout, answer: str) -> Verdict:
        if self._config.judge == "string":
            return by_wording(answer, task.data["answers"])
        return self._judge.again(rollout.extra)

    def _chat(self, task: Task, skill: Skill, student: Student, workdir: Path) -> tuple[str, Mapping[str, Any]]:
        actions, opened = self._sources.tools(task)
        loop = ToolLoop(
            actions=actions,
            max_turns=self._config.max_tool_turns if actions else 1,
            is_answer=_is_answered,
            max_tokens=self._config.max_completion_tokens,
            context_tokens=self._config.max_context_tokens,
            seconds=self._config.task_timeout,
        )
        system = self._templates.render("student.md.j2", skill=skill.text)
        messages = [Message(role="system", content=system), Message(role="user", content=self._asked(task))]
        talk = loop(messages, student=student)
        return talk.text, {
            "n_turns": talk.turns,
            "ended": talk.ended,
            "n_tool_calls": len(talk.calls),
            "tools_used": sorted({one.name for one in talk.calls}),
            "fetched_urls": list(opened),
            "retrieved": dict(opened),
        }

    def _exec(self, task: Task, skill: Skill, student: Student, workdir: Path) -> tuple[str, Mapping[str, Any]]:
        documents = self._sources.files(task, most_mb=self._config.exec_max_mb)
        prompt = self._asked(task, folder="docs" if documents else "", is_agent=True)
        job = ExecJob(workdir=workdir, prompt=prompt, skill=skill, timeout_s=student.timeout_s, files=documents)
        return student.run(job).answer, {"n_turns": 1}

    def _asked(self, task: Task, *, folder: str = "", is_agent: bool = False) -> str:
        return self._templates.render(
            "question.md.j2",
            question=task.data["question"],
            today=self._config.reference_date,
            freshness=task.data["freshness"] if self._config.show_metadata else "",
            folder=folder,
            mode=self._sources.mode,
            is_agent=is_agent,
            urls=task.data["urls"] if self._sources.mode == "gold_urls" and not is_agent else [],
        )

    def _facts(self, task: Task) -> Mapping[str, Any]:
        return {
            "search_mode": self._sources.mode,
            "network": self._sources.network,
            "freshness": task.data["freshness"],
            "question_types": task.data["question_types"],
        }


def _is_answered(reply: str) -> bool:
    return extract_answer(reply, fallback=False).how == "tag"
