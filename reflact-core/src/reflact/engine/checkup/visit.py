"""The examination of one model, from the cheap to the dear; what can come to nothing any more is left out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reflact.contracts import Ability, ChatModel, ExaminesItself, ExecAgent, Finding, Level
from reflact.engine.checkup.patients import Patient
from reflact.engine.checkup.probes import ABILITIES, ANSWER, JOB_PROMPT, JOB_SKILL, SCHEMA, STAGE, Probe, did_the_job
from reflact.errors import BackendError, BackendFault, ReflactError
from reflact.llm.meter import Meter
from reflact.types import UNSCORED, ChatReply, ExecJob

JOB_PATIENCE_S = 180.0
"""The longest an agent may take for the small job it is given, in seconds."""
PAUSE_S = 0.3
"""Seconds before a server that could not be reached is asked a second and last time."""
REFUSALS: frozenset[BackendFault] = frozenset({"auth", "bad_request", "protocol"})
"""Faults by which a server that answers says that it does not take a kind of request, or not from this account."""


@dataclass(slots=True, kw_only=True)
class Visit:
    """Looks at *patient*, once; keeps the faults that would end a run as they come, and counts calls with *meter*."""

    patient: Patient
    meter: Meter
    needs: frozenset[Ability]
    thorough: bool
    scratch: Path
    faults: list[ReflactError] = field(default_factory=list)

    def look(self) -> Iterator[Finding]:
        """Yield what is found."""
        model = self.patient.model
        if model is None:
            yield self._fault("setup", self.patient.fault or BackendError("there is no model"))
            return
        yield from self._told(model)
        if self.faults:
            return
        if isinstance(model, ChatModel):
            yield self._answers(model)
            if not self.faults:
                yield from self._abilities(model)
        else:
            yield self._works(model)

    def _told(self, model: ChatModel | ExecAgent) -> Iterator[Finding]:
        """Yield what *model* tells of itself without a call."""
        if not isinstance(model, ExaminesItself):
            return
        for finding in model.examine():
            if finding.level == "error":
                self.faults.append(BackendError(f"{finding.what}: {finding.told}"))
            yield finding

    def _answers(self, model: ChatModel) -> Finding:
        try:
            reply, seconds = self._ask_twice(model)
        except BackendError as error:
            if error.fault == "rate_limit":
                return Finding(what=ANSWER.what, level="warning", told=str(error))
            return self._fault(ANSWER.what, error)
        level, told = ANSWER.read(reply)
        named = reply.model or self.patient.model_name
        return Finding(what=ANSWER.what, level=level, told=f"{named} {told} ({seconds:.1f} s)")

    def _abilities(self, model: ChatModel) -> Iterator[Finding]:
        if self.thorough:
            yield self._able(model, SCHEMA, missing="warning")
        for ability in ABILITIES:
            if ability in self.needs:
                yield self._able(model, ABILITIES[ability], missing="error")
            elif self.thorough and not ABILITIES[ability].dear:
                yield self._able(model, ABILITIES[ability], missing="info")

    def _able(self, model: ChatModel, probe: Probe, *, missing: Level) -> Finding:
        """Return whether *model* takes *probe*; *missing* is how bad it is if it does not."""
        try:
            level, told = probe.read(self._ask(model, probe)[0])
        except BackendError as error:
            if error.fault not in REFUSALS:
                return Finding(what=probe.what, level="warning", told=f"could not be found out: {error}")
            if missing == "error":
                needed = f"{probe.lack}, and the env needs it: {error}"
                return self._fault(probe.what, BackendError(needed, fault=error.fault))
            level = "warning" if error.fault == "protocol" else missing
            return Finding(what=probe.what, level=level, told=f"{probe.lack}: {error}")
        doubtful = level == "info" and missing == "error"
        return Finding(what=probe.what, level="warning" if doubtful else level, told=told)

    def _works(self, agent: ExecAgent) -> Finding:
        job = ExecJob(workdir=self.scratch, prompt=JOB_PROMPT, skill=JOB_SKILL, timeout_s=JOB_PATIENCE_S)
        self.scratch.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        try:
            result = self.meter.measured(lambda: agent.run(job), stage=STAGE, attempt=1)
        except BackendError as error:
            return self._fault("job", error)
        seconds = time.monotonic() - started
        if result.outcome in UNSCORED:
            told = result.error or f"a small job ended with {result.outcome} after {seconds:.0f} s"
            return self._fault(
                "job", BackendError(told, fault="timeout" if result.outcome == "timeout" else "protocol")
            )
        level, told = did_the_job(result)
        return Finding(what="job", level=level, told=f"{self.patient.model_name} {told} ({seconds:.1f} s)")

    def _ask_twice(self, model: ChatModel) -> tuple[ChatReply, float]:
        """Ask for an answer, a second time when the server could not be reached: it may have been a hiccup."""
        try:
            return self._ask(model, ANSWER)
        except BackendError as error:
            if error.fault != "unavailable":
                raise
        time.sleep(PAUSE_S)
        return self._ask(model, ANSWER, attempt=2)

    def _ask(self, model: ChatModel, probe: Probe, *, attempt: int = 1) -> tuple[ChatReply, float]:
        """Return the reply and the seconds it took."""
        started = time.monotonic()
        reply = self.meter.measured(lambda: model.chat(probe.request), stage=STAGE, attempt=attempt)
        return reply, time.monotonic() - started

    def _fault(self, what: str, error: ReflactError) -> Finding:
        self.faults.append(error)
        return Finding(what=what, level="error", told=str(error))
