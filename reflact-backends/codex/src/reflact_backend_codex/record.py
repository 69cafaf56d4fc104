"""From what an attempt left behind to its result, and to the files that are kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reflact import BackendError, ExecJob, ExecResult, Usage
from reflact.agents import Ended, Program, Secrets, Step, Workspace, cleaned, entries, keep, summarise

from reflact_backend_codex.client import Access
from reflact_backend_codex.events import Told
from reflact_backend_codex.outcome import End, judge
from reflact_backend_codex.resume import SESSION
from reflact_backend_codex.rollout import Session, to_lines

LABEL = "codex"
AGENT = "CODEX CLI"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """An attempt that is over: what was asked, by which program, how it ended, and what it told and wrote down."""

    job: ExecJob
    workspace: Workspace
    private: Path
    access: Access
    program: Program
    prompt: str
    ended: Ended
    told: Told
    session: Session | None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, from the session; from the events where there is none."""
        return (self.session.steps if self.session else ()) or self.told.steps

    @property
    def usage(self) -> Usage:
        """What this attempt took. A session counts each request; the events count the whole thread."""
        counted = self.session.usage if self.session else Usage()
        return counted if counted.calls else self.told.usage or Usage()

    @property
    def skill_shown(self) -> bool | None:
        """Whether the session shows that the skill was put before the model; `None` where there is no session."""
        return self.session.shows_the_skill if self.session and self.session.steps else None


def record(ran: Ran, secrets: Secrets) -> ExecResult:
    """Return the result of *ran*, once it is on disk. Raises the `BackendError` that kept the model from its chance."""
    shown = ran.skill_shown
    end = judge(
        ran.ended,
        ran.told,
        ran.steps,
        key=ran.access.found,
        url=ran.access.url,
        skill_shown=shown,
        lost_image=ran.session.lost_image if ran.session else "",
    )
    why = _why(ran, end)
    steps = cleaned((*ran.steps, *_trouble(why)), secrets.masked)
    answer = secrets.masked(end.answer)
    result = ExecResult(
        answer=answer,
        trace=entries(steps),
        outcome=end.outcome,
        usage=ran.usage,
        error=secrets.in_error(why) or None,
        summary=summarise(
            steps, agent=LABEL, answer=answer, outcome=end.outcome, usage=ran.usage, skill_shown=bool(shown)
        ),
        workspace=ran.workspace.folder,
    )
    _keep(ran, result, steps, secrets)
    if end.error is not None:
        raise BackendError(secrets.in_error(str(end.error)), fault=end.error.fault)
    return result


def _keep(ran: Ran, result: ExecResult, steps: tuple[Step, ...], secrets: Secrets) -> None:
    folder = ran.job.workdir
    if ran.session is not None:
        rows = to_lines([secrets.masked(dict(row)) for row in ran.session.rows])
        (folder / SESSION).write_text(rows, encoding="utf-8", errors="replace")
    keep(
        folder,
        LABEL,
        agent=AGENT,
        prompt=ran.prompt,
        result=result,
        steps=steps,
        events=ran.ended.stdout,
        stderr=ran.ended.stderr,
        details={
            "path": str(ran.program.path),
            "version": ran.program.version,
            "exit_code": ran.ended.exit_code,
            "timed_out": ran.ended.timed_out,
            "seconds": round(ran.ended.seconds, 3),
            "thread": ran.told.thread,
            "rows_before": ran.session.before if ran.session else 0,
            "skill": ran.job.skill.digest,
            "skill_shown": ran.skill_shown,
            "workspace": str(ran.workspace.folder),
            "private": str(ran.private),
        },
        secrets=secrets,
    )


def _why(ran: Ran, end: End) -> str:
    if end.outcome == "timeout":
        return f"codex_exec: no answer within {ran.job.timeout_s:g} s; it was ended."
    return str(end.error) if end.error is not None else ""


def _trouble(why: str) -> Iterator[Step]:
    if why:
        yield Step(kind="error", content=why)
