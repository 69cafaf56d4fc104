"""A way to turn proposals into a new skill."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from reflact.types import Proposal, Skill, Update


class Ask(Protocol):
    """Render a teacher template, ask, and return the validated reply as an `Answer` (see `reflact.llm.ask`)."""

    def __call__(self, template: str, reply: type[Any], *, stage: str, **values: Any) -> Any: ...


class UpdateMode(Hashable, Protocol):
    """A way to turn proposals into a new skill."""

    @property
    def item(self) -> type[Any]:
        """The frozen dataclass of one proposed item, with its provenance."""

    @property
    def draft(self) -> type[Any]:
        """The pydantic model of an item as the teacher writes it; gives the reply's JSON schema."""

    @property
    def payload(self) -> str:
        """The JSON key that holds the items: `edits`, `revise_suggestions`, …"""

    @property
    def suffix(self) -> str:
        """What the mode's templates end in, before `.md.j2`: `""`, `_rewrite`, …"""

    @property
    def artifact(self) -> str:
        """The file of the update's report: `edit_apply_report.json`, `rewrite_result.json`, …"""

    @property
    def budgeted(self) -> bool:
        """Whether select cuts the proposal to the learning rate."""

    def describe(self, item: Any) -> str:
        """Return one line that names *item* to a teacher who ranks it, and to a reader."""

    def brief(self, item: Any) -> Mapping[str, Any]:
        """Return *item* in short, as JSON-ready data: what is remembered of it when its candidate is rejected."""

    def report(self, update: Update) -> Any:
        """Return what the file `artifact` tells of *update*, as JSON-ready data."""

    def apply(self, skill: Skill, chosen: Proposal, *, ask: Ask) -> Update:
        """Return the candidate made from *skill* and the *chosen* items, with what became of each.

        A template that is asked here also has `memory`: what the earlier steps of the epoch told, or nothing.
        """


@runtime_checkable
class ExplainsMisses(Protocol):
    """An update mode that can tell before a gate is paid for that none of the items would do anything."""

    def misses(self, skill: Skill, items: Sequence[Any]) -> str:
        """Return why none of *items* changes *skill*, for the teacher to read; empty when one does."""
