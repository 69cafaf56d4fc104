"""Suggestions as teachers write them, and the document that is made of them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from reflact.llm.ask import Teacher
from reflact.llm.parse import MalformedReply, parse
from reflact.llm.prompts import Prompts
from reflact.modes.rewrite import Rewrite, RewriteReply, SuggestionDraft
from reflact.testing import ScriptedModel
from reflact.types import Proposal, Skill, Suggestion, Update

PROMPTS = Prompts((files("reflact.prompts") / "default",), "_rewrite")
OLD = Skill("# Skill\n\n- Old rule.\n")
CHOSEN = Proposal(items=(Suggestion(type="add_rule", title="Units", instruction="Ask for {{ units }}."),))


def apply(*replies: dict[str, Any] | str, chosen: Proposal = CHOSEN) -> tuple[Update, ScriptedModel]:
    texts = iter([one if isinstance(one, str) else json.dumps(one) for one in replies])
    model = ScriptedModel(lambda request: next(texts))
    return Rewrite().apply(OLD, chosen, ask=Teacher(model=model, prompts=PROMPTS).ask), model


@pytest.mark.parametrize(
    ("written", "field", "read"),
    [
        ({"type": "Add Rule"}, "type", "add_rule"),
        ({"type": "merge-rules "}, "type", "merge_rules"),
        ({"type": "clarify", "motivation": None}, "motivation", ""),
        ({"type": "clarify", "priority_hint": "HIGH"}, "priority_hint", "high"),
        ({"type": "clarify", "priority_hint": None}, "priority_hint", "medium"),
        ({"type": "clarify", "priority_hint": "urgent"}, "priority_hint", "medium"),
        ({"type": "clarify"}, "priority_hint", "medium"),
    ],
)
def test_a_suggestion_is_read_as_it_is_meant(written: dict[str, Any], field: str, read: str) -> None:
    assert getattr(parse(json.dumps({"title": "x", **written}), SuggestionDraft), field) == read


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ({"type": "rename", "title": "x"}, "type: input should be 'add_rule'"),
        ({"title": "x"}, "type: field required"),
        ({"type": "clarify", "title": " ", "instruction": None}, "a suggestion needs an instruction"),
    ],
)
def test_a_suggestion_nobody_can_act_on_is_refused(written: dict[str, Any], fault: str) -> None:
    with pytest.raises(MalformedReply, match=fault):
        parse(json.dumps(written), SuggestionDraft)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("# New", "# New\n"),
        ("  # New  \n\n\n", "# New\n"),
        ("```markdown\n# New\n```", "# New\n"),
        ("---\nname: x\n---\n# New", "# New\n"),
        ("# New\r\n- rule", "# New\n- rule\n"),
    ],
)
def test_the_new_document_takes_the_place_of_the_old(written: str, text: str) -> None:
    update, _ = apply({"new_skill": written})
    assert update.skill.text == text


@pytest.mark.parametrize(
    ("written", "summary"),
    [(["a", "b"], ("a", "b")), ("a", ("a",)), (None, ()), ({"a": 1}, ()), ([1, None], ("1",))],
)
def test_a_summary_may_come_in_any_form(written: Any, summary: tuple[str, ...]) -> None:
    assert parse(json.dumps({"new_skill": "x", "change_summary": written}), RewriteReply).change_summary == summary


@pytest.mark.parametrize("blank", ["", " \n", None, "```\n```", "<!-- APPENDIX_START -->x<!-- APPENDIX_END -->"])
def test_a_blank_page_is_asked_for_again_and_then_given_up(blank: str | None) -> None:
    update, model = apply({"new_skill": blank}, {"new_skill": blank})
    assert update.skill == OLD
    assert "there is no document" in update.note
    assert update.usage.calls == len(model.requests) == 2


def test_a_reply_that_is_mended_when_asked_again_is_taken() -> None:
    update, _ = apply("Sorry?", {"reasoning": "why", "new_skill": "# New", "change_summary": ["all"]})
    assert (update.skill.text, update.reasoning, update.summary, update.note) == ("# New\n", "why", ("all",), "")
    assert update.usage.calls == 2


def test_without_suggestions_nothing_is_asked() -> None:
    update, model = apply(chosen=Proposal())
    assert update.skill == OLD
    assert update.note
    assert model.requests == ()


def test_the_writer_sees_the_document_and_every_suggestion() -> None:
    _, model = apply({"new_skill": "# New"})
    text = model.requests[0].messages[1].text
    assert "- Old rule." in text
    assert "Ask for {{ units }}." in text
    assert model.requests[0].stage == "rewrite"


def test_a_failed_rewrite_is_reported_with_its_reason() -> None:
    update, _ = apply("no", "no")
    report = Rewrite().report(update)
    assert (report["new_skill"], report["change_summary"]) == ("", [])
    assert report["note"] == update.note


def test_a_suggestion_in_short_holds_what_was_to_be_changed() -> None:
    item = Suggestion(type="compress", title="t" * 300, motivation="m", instruction="i" * 300)
    assert Rewrite().brief(item) == {"type": "compress", "title": "t" * 200, "instruction": "i" * 200}
