"""What is known of a patch once its tests have run."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

TAIL = 2000
"""Characters of the test output that are kept: its end."""
NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Tests by how they ended."""

    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self.passed) + len(self.failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a patch `applied`, the tests it had to mend (`target`) and to keep (`kept`), and the end of the output.

    `trouble` says why the tests did not run to their end, where the patch is to blame. `fault` is set when nothing is
    known of the patch, because the evaluation itself broke down.
    """

    applied: bool = True
    target: Results = Results()
    kept: Results = Results()
    output: str = ""
    trouble: str = ""
    fault: str = ""

    @property
    def resolved(self) -> bool:
        """The benchmark's metric: every target test passes, and every other one still does."""
        ran = self.applied and not self.trouble and not self.fault
        return ran and bool(self.target.passed) and not self.target.failed and not self.kept.failed

    def reason(self) -> str:
        """Return in a few words why it is not resolved; empty when it is."""
        if self.resolved:
            return ""
        if not self.applied:
            return "patch did not apply"
        found = [self.trouble] if self.trouble else []
        if self.target.failed:
            found.append(f"{len(self.target.failed)} of {self.target.total} target tests fail")
        if self.kept.failed:
            found.append(f"{len(self.kept.failed)} regressions")
        return ", ".join(found) or "no target test passed"

    def told(self) -> str:
        """Return what a teacher may read: the names of the tests that fail, and the end of the output."""
        lines = [*_named("target tests that fail", self.target.failed), *_named("regressions", self.kept.failed)]
        return "\n".join([*lines, *(["end of the test output:", self.output[-TAIL:]] if self.output else [])])


def sort_out(names: Iterable[str], passing: Collection[str]) -> Results:
    """Return *names* by whether they are among the *passing*: a test that did not run has failed."""
    found = tuple(names)
    return Results(
        passed=tuple(one for one in found if one in passing), failed=tuple(one for one in found if one not in passing)
    )


def _named(what: str, names: tuple[str, ...]) -> list[str]:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return [f"{what}: {', '.join(names[:NAMED])}{more}"] if names else []
