"""What every update mode must hold to: subclass, name the mode, give a few items, and run pytest."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from reflact.contracts import UpdateMode
from reflact.llm.ask import Teacher
from reflact.llm.prompts import Prompts
from reflact.plugins import Plugins
from reflact.skill import regions
from reflact.store.codec import proposal_codec
from reflact.testing.fakes import ScriptedTeacher
from reflact.types import Proposal, Skill, Update

PROTECTED = regions.write(
    "# Skill\n\n- First rule.\n- Second rule.\n", regions.SLOW_UPDATE, "Guidance of another stage."
)
SKILLS = ("", "# Skill\n\n- First rule.\n- Second rule.\n", PROTECTED, "---\nname: x\n---\n# Skill\n\n- First rule.\n")


class UpdateModeContract:
    """Checks an installed update mode. Set `name`, override `items`, and `replies` if the mode asks the teacher."""

    name: str

    def items(self) -> Sequence[Any]:
        """Return items as the mode's `item` type that change the document `# Skill … - First rule.`"""
        raise AssertionError(f"{type(self).__name__} must override items()")

    def replies(self) -> dict[str, Any]:
        """Return what a scripted teacher answers, by stage; a mode that asks nothing needs none."""
        return {}

    def plugins(self) -> Plugins:
        """Return the plugins among which the mode is."""
        return Plugins()

    def mode(self) -> UpdateMode:
        """Return a mode as the engine builds it."""
        built: UpdateMode = self.plugins().get("update_modes", self.name).build()
        return built

    def apply(self, skill: Skill, items: Sequence[Any]) -> Update:
        """Return the update the mode makes of *items*."""
        mode, plugins = self.mode(), self.plugins()
        prompts = Prompts((plugins.get("prompts", "default").root,), mode.suffix)
        teacher = Teacher(model=ScriptedTeacher(self.replies()), prompts=prompts)
        return mode.apply(skill, Proposal(items=tuple(items)), ask=teacher.ask)

    def test_an_item_is_frozen_and_carries_its_provenance(self) -> None:
        item = self.mode().item
        assert dataclasses.is_dataclass(item), f"{item.__name__} is no dataclass"
        assert item.__dataclass_params__.frozen, f"{item.__name__} is not frozen"  # type: ignore[attr-defined]
        names = {one.name for one in dataclasses.fields(item)}
        missing = {"sources", "support_count", "source_type", "merge_level"} - names
        assert not missing, f"{item.__name__} lacks {', '.join(sorted(missing))}"

    def test_what_a_teacher_writes_becomes_an_item(self) -> None:
        mode = self.mode()
        own = set(mode.draft.model_fields) - {one.name for one in dataclasses.fields(mode.item)}
        assert not own, f"the draft has fields the item lacks: {', '.join(sorted(own))}"
        assert json.dumps(mode.draft.model_json_schema())

    def test_a_proposal_survives_its_file(self) -> None:
        mode = self.mode()
        proposal = Proposal(items=tuple(self.items()), reasoning="because", name="minibatch_fail_000")
        for nested in (False, True):
            codec = proposal_codec(mode, nested=nested)
            assert codec.decode(codec.encode(proposal)) == proposal

    def test_every_item_can_be_described_in_a_line(self) -> None:
        for item in self.items():
            line = self.mode().describe(item)
            assert line.strip(), f"{item} has no description"
            assert "\n" not in line, f"the description of {item} has more than one line"

    def test_every_item_has_a_short_form_for_files(self) -> None:
        for item in self.items():
            short = self.mode().brief(item)
            assert short, f"nothing is remembered of {item}"
            assert json.loads(json.dumps(short)) == short, f"the short form of {item} is not JSON-ready"

    def test_an_update_is_reported_as_json(self) -> None:
        report = self.mode().report(self.apply(Skill(SKILLS[1]), self.items()))
        assert json.loads(json.dumps(report)) == report, "the report is not JSON-ready"

    def test_the_items_change_the_document(self) -> None:
        skill = Skill(SKILLS[1])
        assert self.apply(skill, self.items()).skill != skill

    def test_equal_items_make_equal_candidates(self) -> None:
        skill = Skill(SKILLS[1])
        assert self.apply(skill, self.items()) == self.apply(skill, self.items())

    def test_protected_regions_survive(self) -> None:
        for text in SKILLS:
            after = self.apply(Skill(text), self.items()).skill.text
            assert regions.protected(after) == regions.protected(text), f"a protected region of {text!r} was changed"
