"""Refuse a run whose models cannot work, before anything is written or paid for, and with all faults at once."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from reflact.engine.checkup.examine import Checkup, check_up
from reflact.engine.checkup.patients import Patient
from reflact.engine.checkup.probes import STAGE
from reflact.engine.progress import shown
from reflact.engine.run import MANIFEST, Run
from reflact.errors import BackendError, ConfigError, ReflactError
from reflact.llm.calls import Ledger
from reflact.llm.meter import Meter


def checked(run: Run, patients: Sequence[Patient]) -> Run:
    """Return *run*, to which *patients* have been found fit, with what its user should know of them.

    Each gets one small call. The calls are counted in the run, unless it is refused and was never begun. Raises the
    joined faults of the unfit.
    """
    if not patients:
        return run
    folder = run.store.path
    scratch = folder / STAGE
    with shown(run.progress, STAGE, len(patients)):
        try:
            needs = run.resolved.needs
            checkups = check_up(
                patients, needs=needs, meters=partial(_meter, run), scratch=scratch, done=run.progress.advance
            )
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    faults = [(str(one.patient), fault) for one in checkups for fault in one.faults]
    if not faults or (folder / MANIFEST).exists():
        for call in (call for one in checkups for call in one.calls):
            run.router.ledger.add(call)
    _raise(faults)
    return replace(run, notes=(*run.notes, *warnings(checkups)))


def _meter(run: Run, patient: Patient, ledger: Ledger) -> Meter:
    """Return what counts the calls to *patient* into *ledger*, at the prices and within the budget of *run*."""
    role = patient.roles[0]
    ways = run.router.role(role).ways
    return Meter(role=role, model=patient.model_name, ledger=ledger, purse=ways.purse, prices=ways.prices)


def refuse_unbuilt(patients: Sequence[Patient]) -> None:
    """Raise the joined faults of the models among *patients* that could not even be built."""
    _raise([(str(one), one.fault) for one in patients if one.fault is not None])


def warnings(checkups: Sequence[Checkup]) -> tuple[str, ...]:
    """Return what a user should know of models that can work all the same."""
    return tuple(
        f"{one.patient}: {finding.what}: {finding.told}"
        for one in checkups
        for finding in one.findings
        if finding.level == "warning"
    )


def _raise(faults: Sequence[tuple[str, ReflactError]]) -> None:
    """Raise *faults* as one: of the configuration when all are, else of the first backend that is to blame."""
    if not faults:
        return
    told = "\n".join(f"{who}: {error}" for who, error in faults)
    blamed = next((error for _, error in faults if isinstance(error, BackendError)), None)
    if blamed is not None:
        raise BackendError(told, fault=blamed.fault)
    if all(isinstance(error, ConfigError) for _, error in faults):
        raise ConfigError(told)
    raise type(faults[0][1])(told)
