"""`CodexAgent`: a job in, an answer and a record out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reflact import ExecJob, ExecResult, Finding
from reflact.agents import SKILL_NAME, Program, Secrets, prepare, private_folder

from reflact_backend_codex.attempt import begin
from reflact_backend_codex.client import Client
from reflact_backend_codex.command import arguments
from reflact_backend_codex.config import CodexConfig
from reflact_backend_codex.events import read_events
from reflact_backend_codex.examine import examine
from reflact_backend_codex.installed import Installed
from reflact_backend_codex.record import Ran, record
from reflact_backend_codex.resume import Resumed, place
from reflact_backend_codex.rollout import read_session
from reflact_backend_codex.settings import settings

SKILL_AT = f".agents/skills/{SKILL_NAME}"


class CodexAgent:
    """Codex as a student. Every job has a workspace, a home and a process of its own, and shares nothing."""

    def __init__(self, config: CodexConfig, client: Client | None = None) -> None:
        self._config = config
        self._client = client or Client()
        self._installed = Installed(config, self._client)

    @property
    def program(self) -> Program:
        """The Codex of this machine. Raises `BackendError` when there is none."""
        return self._installed.program

    def examine(self) -> Iterator[Finding]:
        """Tell whether Codex is there, its sandbox works, and it can sign in; no model is asked."""
        return examine(self._config, self._client, self._installed)

    def run(self, job: ExecJob) -> ExecResult:
        """Do *job*. Raises `BackendError` when the model did not get its chance, and leaves the record all the same."""
        access, program = self._client.access(self._config), self.program
        before = access.secrets()
        workspace = prepare(replace(job, workdir=job.workdir.resolve()), skill_at=SKILL_AT)
        with private_folder(job.workdir) as private:
            attempt = begin(
                private,
                self._config,
                access,
                environ=self._client.environ,
                folder=self._client.folder(),
                settings=lambda marker: settings(self._config, access, program, marker=marker),
            )
            resumed = None if job.resume is None else place(job.resume, attempt, workspace.folder)
            prompt = _prompt(job, resumed)
            words = arguments(
                self._config,
                program,
                workspace=workspace.folder,
                images=[str(image.relative_to(workspace.folder)) for image in workspace.images],
                resume=resumed.thread if resumed else "",
            )
            ended = attempt.run(program, words, cwd=workspace.folder, stdin=prompt, timeout_s=job.timeout_s)
            attempt.give_back()
            session = read_session(attempt.home, before=resumed.rows if resumed else 0)
        ran = Ran(
            job=job,
            workspace=workspace,
            private=private.root,
            access=access,
            program=program,
            prompt=prompt,
            ended=ended,
            told=read_events(ended.stdout),
            session=session,
        )
        return record(ran, Secrets([*before, *access.secrets()]))


def _prompt(job: ExecJob, resumed: Resumed | None) -> str:
    """Return what Codex is told. The name of the skill puts its text before the model; a resumed one has it already."""
    known = resumed is not None and resumed.skill == job.skill.digest
    return job.prompt if known else f"${SKILL_NAME}\n\n{job.prompt}"
