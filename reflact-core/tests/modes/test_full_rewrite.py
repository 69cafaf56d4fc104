"""Whole documents as teachers write them, and the one that is taken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from reflact.llm.parse import MalformedReply, parse
from reflact.modes.full_rewrite import CandidateDraft, FullRewrite
from reflact.types import Candidate, Proposal, Skill, Update

OLD = Skill("# Skill\n\n- Old rule.\n")


def never(template: str, reply: type[Any], *, stage: str, **values: Any) -> Any:
    raise AssertionError(f"{stage} was asked although this mode makes no call")


def apply(*documents: str) -> Update:
    items = tuple(
        Candidate(title=f"number {at}", change_summary=(f"change {at}",), new_skill=text)
        for at, text in enumerate(documents, start=1)
    )
    return FullRewrite().apply(OLD, Proposal(items=items, reasoning="merged"), ask=never)


def test_a_fenced_document_is_read_without_its_fence() -> None:
    draft = parse(json.dumps({"new_skill": "```md\n# New\n```", "title": None}), CandidateDraft)
    assert (draft.new_skill, draft.title, draft.change_summary) == ("# New", "", ())


@pytest.mark.parametrize("written", [{}, {"new_skill": ""}, {"new_skill": None}, {"new_skill": "---\na: b\n---\n"}])
def test_a_candidate_without_a_document_is_refused(written: dict[str, Any]) -> None:
    with pytest.raises(MalformedReply, match="new_skill"):
        parse(json.dumps(written), CandidateDraft)


def test_the_first_document_that_is_not_blank_is_taken() -> None:
    update = apply(" \n", "# Second  \n\n", "# Third")
    assert (update.skill.text, update.summary, update.reasoning) == ("# Second\n", ("change 2",), "merged")
    assert [one.status for one in update.report] == ["skipped_blank", "applied_candidate", "skipped_not_the_first"]
    assert FullRewrite().report(update) == {
        "selected_candidate": {"index": 2, "title": "number 2", "new_skill": "# Second\n"},
        "change_summary": ["change 2"],
    }


@pytest.mark.parametrize("documents", [(), ("",), ("\n", "<!-- SLOW_UPDATE_START -->")])
def test_without_a_document_the_skill_stays_and_the_reason_is_given(documents: tuple[str, ...]) -> None:
    update = apply(*documents)
    assert update.skill == OLD
    assert update.note
    assert FullRewrite().report(update)["selected_candidate"] is None


def test_a_candidate_in_short_holds_no_document() -> None:
    item = Candidate(title="t", change_summary=("a" * 300, "b", "c", "d"), new_skill="# Long", source_type="success")
    assert FullRewrite().brief(item) == {
        "title": "t",
        "change_summary": ["a" * 200, "b", "c"],
        "source_type": "success",
    }


def test_a_candidate_is_described_by_title_changes_and_beginning() -> None:
    item = Candidate(title="Units", change_summary=("a", "b"), new_skill="# Skill\n" + "x" * 500, support_count=3)
    line = FullRewrite().describe(item)
    assert line.startswith("Units: a; b | # Skill xxx")
    assert line.endswith("x (support 3, failure)")
    assert len(line) < 200
