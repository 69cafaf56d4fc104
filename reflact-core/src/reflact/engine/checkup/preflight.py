"""Refuse to begin with models that cannot work, before anything is written or paid for, with all faults at once."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from reflact.contracts import Ability
from reflact.engine.checkup.examine import Checkup, check_up
from reflact.engine.checkup.patients import Patient
from reflact.engine.checkup.probes import STAGE
from reflact.engine.progress import Progress, shown
from reflact.errors import BackendError, ConfigError, ReflactError
from reflact.llm.calls import Ledger
from reflact.llm.meter import Meter
from reflact.llm.router import Router


class UnfitError(BackendError):
    """A model cannot work, so nothing was begun."""


def refuse_unfit(
    patients: Sequence[Patient],
    *,
    needs: frozenset[Ability],
    router: Router,
    folder: Path,
    progress: Progress,
    begun: bool,
) -> tuple[str, ...]:
    """Return what a user should know of *patients*, all of whom can work. Raises the joined faults of those who cannot.

    Each gets one small call, at the prices and within the budget of *router*; the student is also asked for what the
    env *needs*. The calls are counted there, unless one is unfit and nothing had *begun* in *folder* before.
    """
    if not patients:
        return ()
    scratch = folder / STAGE
    with shown(progress, STAGE, len(patients)):
        try:
            checkups = check_up(
                patients, needs=needs, meters=partial(_meter, router), scratch=scratch, done=progress.advance
            )
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    faults = [(str(one.patient), fault) for one in checkups for fault in one.faults]
    if begun or not faults:
        for call in (call for one in checkups for call in one.calls):
            router.ledger.add(call)
    _raise(faults)
    return warnings(checkups)


def _meter(router: Router, patient: Patient, ledger: Ledger) -> Meter:
    """Return what counts the calls to *patient* into *ledger*, at the prices and within the budget of its role."""
    role = patient.roles[0]
    ways = router.role(role).ways
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
        raise UnfitError(told, fault=blamed.fault)
    if all(isinstance(error, ConfigError) for _, error in faults):
        raise ConfigError(told)
    raise type(faults[0][1])(told)
