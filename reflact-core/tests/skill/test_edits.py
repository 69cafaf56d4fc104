"""What becomes of each edit: the skill after it and its status."""

from __future__ import annotations

import pytest
from reflact.skill.edits import apply_edits
from reflact.types import Edit, Op, Skill

REGION = "<!-- SLOW_UPDATE_START -->\nslow guidance\n<!-- SLOW_UPDATE_END -->"
FRONT = "---\nname: a-skill\ndescription: does things\n---\n"


def after(text: str, op: Op, content: str = "", target: str = "") -> tuple[str, str]:
    update = apply_edits(Skill(text), [Edit(op=op, content=content, target=target)])
    return update.skill.text, update.report[0].status


@pytest.mark.parametrize(
    ("before", "content", "expected", "status"),
    [
        ("", "new", "new\n", "applied_append"),
        ("old", "new", "old\n\nnew\n", "applied_append"),
        ("old\n\n\n", "\n new \n", "old\n\nnew\n", "applied_append"),
        ("old\n", "  - a\n  - b", "old\n\n- a\n- b\n", "applied_append"),
        (f"old\n{REGION}\n", "new", f"old\n\nnew\n\n{REGION}\n", "applied_append_before_protected_region"),
        (f"{REGION}\n", "new", f"new\n\n{REGION}\n", "applied_append_before_protected_region"),
        (f"{REGION}\nold\n", "new", f"{REGION}\nold\n\nnew\n", "applied_append"),
        (FRONT, "new", f"{FRONT}\nnew\n", "applied_append"),
        (FRONT.rstrip(), "new", f"{FRONT}\nnew\n", "applied_append"),
        (f"{FRONT}{REGION}", "new", f"{FRONT}\nnew\n\n{REGION}", "applied_append_before_protected_region"),
        ("old\n", "", "old\n", "skipped_append_empty_content"),
        ("old\n", " \n ", "old\n", "skipped_append_empty_content"),
        ("- Existing rule\n", "-  existing   RULE", "- Existing rule\n", "noop_duplicate"),
        ("- a rule\n- b rule\n", "- b rule\n\n- a rule", "- a rule\n- b rule\n", "noop_duplicate"),
        ("old\n", "a <!-- SLOW_UPDATE_END --> b", "old\n\na  b\n", "applied_append"),
        ("old\n", "<!-- SLOW_UPDATE_START -->", "old\n", "skipped_protected_region"),
    ],
)
def test_append(before: str, content: str, expected: str, status: str) -> None:
    assert after(before, "append", content) == (expected, status)


@pytest.mark.parametrize(
    ("before", "target", "content", "expected", "status"),
    [
        ("- a rule\n- b\n", "- a rule", "- new", "- a rule\n- new\n- b\n", "applied_insert_after"),
        ("- a rule\n- b\n", "- a rule\n", "- new", "- a rule\n- new\n- b\n", "applied_insert_after"),
        ("- a rule", "- a rule", "- new", "- a rule\n- new\n", "applied_insert_after"),
        ("- a rule here\n- b\n", "a rule", "- new", "- a rule here\n- new\n- b\n", "applied_insert_after"),
        (
            "- a rule\n- b\n",
            "- a rule",
            "  - new\n  - two\n",
            "- a rule\n  - new\n  - two\n- b\n",
            "applied_insert_after",
        ),
        ("- a  rule\n", "- a rule", "- new", "- a  rule\n- new\n", "applied_insert_after_tolerant"),
        ("a\n```\ncode line\n```\nb\n", "code line", "new", "a\n```\ncode line\n```\nnew\nb\n", "applied_insert_after"),
        ("a\n```\nthe code\n", "the code", "new", "a\n```\nthe code\nnew\n", "applied_insert_after"),
        ("- a rule\n", "- gone rule", "new", "- a rule\n\nnew\n", "relocated_insert_after_to_end"),
        (f"- a rule\n{REGION}", "gone rule", "new", f"- a rule\n\nnew\n\n{REGION}", "relocated_insert_after_to_end"),
        ("- a rule\n", "", "new", "- a rule\n\nnew\n", "relocated_insert_after_to_end"),
        ("a rule, a rule\n", "a rule", "new", "a rule, a rule\n", "skipped_insert_after_target_ambiguous"),
        ("to be is to do\n", "is", "new", "to be is to do\n", "skipped_insert_after_target_too_short"),
        ("- a rule\n", "- a rule", "", "- a rule\n", "skipped_insert_after_empty_content"),
        ("- a rule\n- b\n", "- a rule", "- B", "- a rule\n- b\n", "noop_duplicate"),
        (f"a rule\n{REGION}\n", "a rule", "new", f"a rule\nnew\n{REGION}\n", "applied_insert_after"),
        (f"a\n{REGION}\n", "slow guidance", "new", f"a\n{REGION}\n", "skipped_protected_region"),
        (f"{FRONT}a\n", "name: a-skill", "new", f"{FRONT}a\n", "skipped_protected_region"),
        (f"{FRONT}a\n", "description: does things\n---", "new", f"{FRONT}a\n", "skipped_protected_region"),
        (f"a\n{REGION}\n", "<!-- SLOW_UPDATE_END -->", "new", f"a\n{REGION}\n", "skipped_protected_region"),
    ],
)
def test_insert_after(before: str, target: str, content: str, expected: str, status: str) -> None:
    assert after(before, "insert_after", content, target) == (expected, status)


@pytest.mark.parametrize(
    ("before", "target", "content", "expected", "status"),
    [
        ("- a rule\n- b\n", "- a rule", "- new", "- new\n- b\n", "applied_replace"),
        ("- a rule\n- b\n", "- a rule\n", "- new\n", "- new\n- b\n", "applied_replace"),
        ("- a\n  - nested rule\n", "  - nested rule", "  - new", "- a\n  - new\n", "applied_replace"),
        ("say “yes” here\n", 'say "yes"', "say no", "say no here\n", "applied_replace_tolerant"),
        ("Answer yes or no.\n", "Answer yes or no.", "Answer YES or NO.", "Answer YES or NO.\n", "applied_replace"),
        ("- a rule\n- b\n", "- a rule", "", "- b\n", "applied_replace"),
        ("- a rule\n", "- a rule", "- a  rule ", "- a rule\n", "noop_same_text"),
        ("- a rule\n", "", "new", "- a rule\n", "skipped_replace_missing_target"),
        ("- a rule\n", "- gone rule", "new", "- a rule\n", "skipped_replace_target_not_found"),
        ("a rule, a rule\n", "a rule", "new", "a rule, a rule\n", "skipped_replace_target_ambiguous"),
        ("a b\n", "b", "new", "a b\n", "skipped_replace_target_too_short"),
        ("- a rule\n", "- a rule", "<!-- APPENDIX_END -->", "- a rule\n", "skipped_protected_region"),
        (f"a\n{REGION}\n", "slow guidance", "new", f"a\n{REGION}\n", "skipped_protected_region"),
        (f"{FRONT}a\n", "name: a-skill", "name: b", f"{FRONT}a\n", "skipped_protected_region"),
    ],
)
def test_replace(before: str, target: str, content: str, expected: str, status: str) -> None:
    assert after(before, "replace", content, target) == (expected, status)


@pytest.mark.parametrize(
    ("before", "target", "expected", "status"),
    [
        ("- a rule\n- b\n", "- a rule", "- b\n", "applied_delete"),
        ("a\n\n- one rule\n\nb\n", "- one rule", "a\n\nb\n", "applied_delete"),
        ("- a\n  - nested rule\n- b\n", "- nested rule", "- a\n- b\n", "applied_delete"),
        ("keep this but not that\n", "but not that", "keep this \n", "applied_delete"),
        ("- a\n- last rule", "- last rule", "- a\n", "applied_delete"),
        ("the rule\n", "r", "the rule\n", "skipped_delete_target_not_found"),
        ("a r b\n", "r", "a r b\n", "skipped_delete_target_too_short"),
        ("- a rule\n", "", "- a rule\n", "skipped_delete_missing_target"),
        ("- a rule\n- a rule\n", "- a rule", "- a rule\n- a rule\n", "skipped_delete_target_ambiguous"),
        (
            f"a rule\n\n{REGION}\n",
            "a rule\n\n<!-- SLOW_UPDATE_START -->",
            f"a rule\n\n{REGION}\n",
            "skipped_protected_region",
        ),
        (f"a\n{REGION}\n", "SLOW_UPDATE", f"a\n{REGION}\n", "skipped_delete_target_ambiguous"),
    ],
)
def test_delete(before: str, target: str, expected: str, status: str) -> None:
    assert after(before, "delete", target=target) == (expected, status)


def test_a_target_that_is_not_found_is_reported_with_the_nearest_line() -> None:
    report = apply_edits(Skill("- Use ISO dates.\n"), [Edit(op="delete", target="- Use ISO date format.")]).report
    assert report[0].hint == "- Use ISO dates."


def test_each_edit_sees_what_the_ones_before_it_did() -> None:
    edits = [
        Edit(op="append", content="- first rule"),
        Edit(op="insert_after", target="- first rule", content="- second rule"),
        Edit(op="delete", target="- first rule"),
    ]
    update = apply_edits(Skill(""), edits)
    assert update.skill.text == "- second rule\n"
    assert [one.status for one in update.report] == ["applied_append", "applied_insert_after", "applied_delete"]


def test_one_bad_edit_leaves_no_residue_for_the_next() -> None:
    edits = [Edit(op="replace", target="gone for good", content="x"), Edit(op="append", content="y")]
    assert apply_edits(Skill("a\n"), edits).skill.text == "a\n\ny\n"


def test_a_marker_split_over_two_edits_is_refused() -> None:
    edits = [
        Edit(op="append", content="<!-- SLOW_UPDATE_"),
        Edit(op="replace", target="SLOW_UPDATE_", content="SLOW_UPDATE_START -->"),
    ]
    update = apply_edits(Skill("a\n"), edits)
    assert update.skill.text == "a\n\n<!-- SLOW_UPDATE_\n"
    assert [one.status for one in update.report] == ["applied_append", "skipped_protected_region"]


def test_content_that_would_become_front_matter_is_refused() -> None:
    assert after("first line\n", "replace", "---\nname: x\n---", "first line") == (
        "first line\n",
        "skipped_protected_region",
    )


def test_a_report_counts_from_one_and_previews_200_characters() -> None:
    report = apply_edits(Skill("a\n"), [Edit(op="append", content="x" * 300, target="t" * 300)]).report
    assert (report[0].index, len(report[0].content_preview), len(report[0].target)) == (1, 200, 200)


def test_only_what_changed_the_skill_counts_as_applied() -> None:
    edits = [Edit(op="append", content=text) for text in ("new", "new", "")]
    assert [one.applied for one in apply_edits(Skill(""), edits).report] == [True, False, False]


def test_a_crlf_document_is_edited_across_lines_and_stays_crlf() -> None:
    update = apply_edits(
        Skill("- a rule\r\n- b rule\r\n- c\r\n"),
        [
            Edit(op="replace", target="- a rule\n- b rule", content="- one\n- two"),
            Edit(op="insert_after", target="- c", content="- d\r\n- e"),
        ],
    )
    assert update.skill.text == "- one\r\n- two\r\n- c\r\n- d\r\n- e\r\n"
    assert [one.status for one in update.report] == ["applied_replace", "applied_insert_after"]


def test_no_edits_are_no_change() -> None:
    update = apply_edits(Skill("a\r\nb\n"), [])
    assert (update.skill.text, update.report) == ("a\r\nb\n", ())
