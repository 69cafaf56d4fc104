"""The env `officeqa`: a question and an archive in, the figure that answers it out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from reflact import DataError, ExecJob, Message, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.answers import extract_answer
from reflact.kit.qa import graded, regraded
from reflact.kit.templates import Templates
from reflact.kit.toolloop import ToolLoop
from reflact.kit.turns import until_complete

from reflact_env_officeqa.config import OfficeQAConfig
from reflact_env_officeqa.corpus import Corpus, find_corpus
from reflact_env_officeqa.evidence import Evidence
from reflact_env_officeqa.grade import grade
from reflact_env_officeqa.hosted import ask_once
from reflact_env_officeqa.item import to_task
from reflact_env_officeqa.lookup import Lookup
from reflact_env_officeqa.source import WANTED
from reflact_env_officeqa.websearch import web_search


class OfficeQA:
    """Looking figures up in documents, with tools or in a folder, over several turns."""

    def __init__(self, config: OfficeQAConfig) -> None:
        self._config = config
        corpus = find_corpus(config) if config.has_documents else Corpus({}, {})
        self._evidence = Evidence(config.evidence_mode, corpus)
        self._web = [web_search(config)] if config.search_mode == "custom_search" else []
        try:
            self._splits = load_splits(config, lambda raw: self._evidence.checked(to_task(raw)))
        except DataError as error:
            raise DataError(f"{error}\n{WANTED}") from error
        self._templates = Templates(files(__package__) / "prompts")

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Let *student* look for the answer, a chat student with tools, an agent in a folder of documents."""
        act = self._chat if student.kind == "chat" else self._exec
        reply, facts = act(task, skill, student, workdir)
        rollout = graded(
            task,
            grade(reply, task.data["answers"], self._config),
            question=task.data["question"],
            expected=task.data["answers"],
        )
        return replace(rollout, extra={**rollout.extra, **self._evidence.facts(task), **self._access, **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its last reply graded anew."""
        return regraded(rollout, partial(grade, golds=task.data["answers"], config=self._config))

    def gold(self, task: Task) -> str:
        """Return a reply that is right."""
        return f"<answer>{task.data['answers'][0]}</answer>"

    def _chat(self, task: Task, skill: Skill, student: Student, workdir: Path) -> tuple[str, Mapping[str, Any]]:
        shown = self._evidence.shown(task, readable=self._config.has_local_tools)
        asked = self._templates.render("question.md.j2", **shown, folder="", replies=[])
        system = self._templates.render("student.md.j2", skill=skill.text)
        messages = [Message(role="system", content=system), Message(role="user", content=asked)]
        if self._config.search_mode == "azure_search":
            most = self._config.max_completion_tokens
            return ask_once(messages, student=student, max_tokens=most, is_answer=_is_answered)
        return self._looked_up(task, messages, student)

    def _looked_up(self, task: Task, messages: Sequence[Message], student: Student) -> tuple[str, Mapping[str, Any]]:
        local = Lookup(self._evidence.corpus(task)).actions() if self._config.has_local_tools else []
        loop = ToolLoop(
            actions=[*local, *self._web],
            max_turns=self._config.max_tool_turns if local or self._web else 1,
            is_answer=_is_answered,
            max_tokens=self._config.max_completion_tokens,
            context_tokens=self._config.max_context_tokens,
            seconds=self._config.task_timeout,
        )
        talk = loop(messages, student=student)
        return talk.text, {
            "n_turns": talk.turns,
            "ended": talk.ended,
            "n_tool_calls": len(talk.calls),
            "tools_used": sorted({one.name for one in talk.calls}),
        }

    def _exec(self, task: Task, skill: Skill, student: Student, workdir: Path) -> tuple[str, Mapping[str, Any]]:
        readable = self._config.has_local_tools
        documents = self._evidence.copies(task, most_mb=self._config.exec_max_mb) if readable else {}
        shown = self._evidence.shown(task, readable=readable)

        def ask(before: Sequence[str]) -> str:
            prompt = self._templates.render("question.md.j2", **shown, folder="docs/", replies=before)
            job = ExecJob(workdir=workdir, prompt=prompt, skill=skill, timeout_s=student.timeout_s, files=documents)
            return student.run(job).answer

        replies = until_complete(ask, complete=_is_answered, turns=self._config.exec_max_runs)
        return replies[-1], {"n_turns": len(replies)}

    @property
    def _access(self) -> Mapping[str, Any]:
        """What a rollout tells of where its student could look."""
        mode = self._config.search_mode
        local = self._config.has_local_tools
        return {"use_local_tools": local, "search_mode": mode, "network": mode != "offline"}


def _is_answered(reply: str) -> bool:
    return extract_answer(reply, fallback=False).how == "tag"
