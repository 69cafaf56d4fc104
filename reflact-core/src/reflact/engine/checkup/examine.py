"""Look at all patients side by side, and put together what is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reflact.contracts import Ability, Finding
from reflact.engine.checkup.patients import Patient
from reflact.engine.checkup.visit import Visit
from reflact.errors import ReflactError
from reflact.llm.budget import Purse
from reflact.llm.calls import Call, Ledger
from reflact.llm.meter import Meter
from reflact.llm.prices import PriceList
from reflact.pool import in_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """What was found out about a patient, and the calls it took. `faults` are the errors among the findings."""

    patient: Patient
    findings: tuple[Finding, ...] = ()
    faults: tuple[ReflactError, ...] = ()
    calls: tuple[Call, ...] = ()


def unbounded(patient: Patient, ledger: Ledger) -> Meter:
    """Return what counts the calls to *patient* into *ledger*, outside of any budget."""
    role, model = patient.roles[0], patient.model_name
    return Meter(role=role, model=model, ledger=ledger, purse=Purse(), prices=PriceList())


def check_up(
    patients: Sequence[Patient],
    *,
    needs: frozenset[Ability] = frozenset(),
    thorough: bool = False,
    meters: Callable[[Patient, Ledger], Meter] = unbounded,
    scratch: Path,
    done: Callable[[], None] = lambda: None,
) -> tuple[Checkup, ...]:
    """Return what is found out about each of *patients*: one call each, or every ability when *thorough*.

    *needs* are the abilities the student must have. Agents work below the folder *scratch*; *done* is called as each
    patient is finished with. Faults of a model are not raised: they are part of what is found; a `BudgetError` of the
    *meters*, which count calls, is.
    """

    def look(patient: Patient) -> Checkup:
        wanted = needs if "student" in patient.roles else frozenset()
        calls: list[Call] = []
        meter = meters(patient, Ledger(calls.append))
        visit = Visit(patient=patient, meter=meter, needs=wanted, thorough=thorough, scratch=scratch / patient.roles[0])
        findings = tuple(visit.look())
        return Checkup(patient=patient, findings=findings, faults=tuple(visit.faults), calls=tuple(calls))

    return in_order(look, patients, len(patients), done=done)
