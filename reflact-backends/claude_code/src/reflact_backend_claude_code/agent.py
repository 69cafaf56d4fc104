"""`ClaudeCodeAgent`: one job in, one result out, everything that is worth keeping beside the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reflact.agents import (
    SKILL_NAME,
    Ended,
    entries,
    keep,
    prepare,
    private_folder,
    summarise,
)
from reflact.agents.attachments import names
from reflact.contracts import Finding
from reflact.errors import FATAL, BackendError
from reflact.types import ExecJob, ExecResult

from reflact_backend_claude_code import arguments, events, sessions, tracing, verdict, wording
from reflact_backend_claude_code.config import ClaudeCodeConfig
from reflact_backend_claude_code.events import Stream
from reflact_backend_claude_code.launch import NAME, Launcher, Pass
from reflact_backend_claude_code.report import worded
from reflact_backend_claude_code.verdict import Verdict

AGENT = "Claude Code"
LABEL = "claude"


class ClaudeCodeAgent:
    """Lets Claude Code do jobs; thread-safe. Each job has a home of its own, which is gone afterwards."""

    def __init__(self, config: ClaudeCodeConfig) -> None:
        self._config = config
        self._launcher = Launcher(config)

    def run(self, job: ExecJob) -> ExecResult:
        """Return what became of *job*.

        Raises `BackendError` when no later job could go better, or the model never replied; a job that was broken off
        after that has the outcome `infra_error` or `timeout`, and its usage.
        """
        launcher = self._launcher
        with launcher.let_in() as let_in, private_folder(job.workdir) as private:
            workspace = prepare(job, skill_at=None)
            home = private.sub("claude")
            launcher.settings(home)
            _put_skill(home, job.skill.text)
            start = sessions.new()
            if job.resume is not None:
                start = sessions.restore(job.resume, home=home, workdir=job.workdir, private=private)
            new = {file.relative_to(workspace.folder).as_posix() for file in workspace.images}
            images = [(name, image) for name, image in zip(names(job.images), job.images, strict=True) if name in new]
            ended = launcher.run(
                lambda lacking: arguments.student(
                    self._config, start, profile=launcher.profile, images=bool(images), lacking=lacking
                ),
                let_in,
                private,
                cwd=workspace.folder,
                stdin=wording.prompt(job.prompt, images, skill=job.resume is None),
                timeout_s=job.timeout_s,
                max_tokens=self._config.max_tokens,
            )
            stream = events.read(ended.stdout)
            sessions.save(home, stream.session_id, job.workdir, let_in.secrets)
            details = {
                "path": str(launcher.path),
                "version": launcher.version,
                "exit_code": ended.exit_code,
                "seconds": round(ended.seconds, 3),
                "session": stream.session_id,
                "resumed": {"workdir": str(job.resume.workdir), "after": start.after} if job.resume else None,
                "workspace": str(workspace.folder.resolve()),
                "private": str(private.root),
                "denied": stream.result.get("permission_denials") or [],
            }
        return self._kept(job, ended, stream, details, workspace.folder, let_in)

    def examine(self) -> Iterator[Finding]:
        """Yield whether the command is there, takes its arguments and is signed in."""

        def words(lacking: frozenset[str]) -> tuple[str, ...]:
            start = sessions.new()
            return arguments.student(self._config, start, profile=self._launcher.profile, images=False, lacking=lacking)

        return self._launcher.examine(words)

    def _kept(
        self,
        job: ExecJob,
        ended: Ended,
        stream: Stream,
        details: dict[str, object],
        workspace: Path,
        let_in: Pass,
    ) -> ExecResult:
        """Write down what is kept of a job, and return its result or raise its error."""
        found = _with_skill(verdict.judge(ended, stream), stream)
        steps = tracing.steps(stream)
        usage = events.usage(stream)
        error = worded(found, let_in, model=self._config.model)
        result = ExecResult(
            answer=found.answer,
            trace=entries(steps),
            outcome=found.outcome,
            usage=usage,
            error=error,
            summary=summarise(
                steps,
                agent=AGENT,
                answer=found.answer,
                outcome=found.outcome,
                usage=usage,
                skill_shown=verdict.skill_loaded(stream),
            ),
            workspace=workspace,
            usd=events.usd(stream),
        )
        keep(
            job.workdir,
            LABEL,
            agent=AGENT,
            prompt=job.prompt,
            result=result,
            steps=steps,
            events=ended.stdout,
            stderr=ended.stderr,
            details=details,
            secrets=let_in.secrets,
        )
        if found.fault and (found.fault in FATAL or (found.outcome == "infra_error" and not usage.completion)):
            raise BackendError(error or NAME, fault=found.fault)
        return result


def _put_skill(home: Path, skill: str) -> None:
    folder = home / "skills" / SKILL_NAME
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(wording.skill_file(skill), encoding="utf-8", errors="replace", newline="")


def _with_skill(found: Verdict, stream: Stream) -> Verdict:
    """Return *found*, or an error in its place when the student did not have the skill it is to be judged by."""
    if found.fault or verdict.skill_loaded(stream) is not False:
        return found
    told = f"Claude Code did not load the skill {SKILL_NAME}; does `profile` turn skills off?"
    return Verdict(outcome="infra_error", answer=found.answer, error=told, fault="protocol")
