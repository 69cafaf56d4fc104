"""What holds for every document and every edit."""

from __future__ import annotations

import time

from hypothesis import assume, given
from hypothesis import strategies as st
from reflact.skill import regions
from reflact.skill.edits import apply_edits
from reflact.types import Edit, Skill

PIECES = (
    "- Use ISO dates.",
    "- use iso  dates.",
    "yes",
    "```",
    "code line",
    "---",
    "name: x",
    "",
    "  - nested",
    "<!-- SLOW_UPDATE_START -->",
    "<!-- SLOW_UPDATE_END -->",
    "<!--APPENDIX_START-->",
    "<!-- APPENDIX_END -->",
    "<!-- SLOW_",
    "UPDATE_END -->",
    "单位制",
    "“q”\u00a0r",
)
line = st.one_of(st.sampled_from(PIECES), st.text("ab -<>!`\u2028\x0b", max_size=6))
document = st.lists(line, max_size=12).map("\n".join)
edits = st.lists(
    st.builds(
        Edit,
        op=st.sampled_from(["append", "insert_after", "replace", "delete"]),
        content=st.lists(line, max_size=4).map("\n".join),
        target=st.lists(line, max_size=2).map("\n".join),
    ),
    max_size=5,
)


@given(document, edits)
def test_edits_never_change_a_protected_region_or_the_front_matter(text: str, chosen: list[Edit]) -> None:
    assert regions.protected(apply_edits(Skill(text), chosen).skill.text) == regions.protected(text)


@given(document, edits)
def test_every_edit_has_a_status_and_only_applied_ones_change_the_text(text: str, chosen: list[Edit]) -> None:
    update = apply_edits(Skill(text), chosen)
    assert [one.index for one in update.report] == list(range(1, len(chosen) + 1))
    assert all(one.status.startswith(("applied", "relocated", "skipped", "noop")) for one in update.report)
    assert (update.skill.text != text) <= any(one.applied for one in update.report)


@given(document, edits)
def test_a_crlf_document_gets_what_its_lf_twin_gets(text: str, chosen: list[Edit]) -> None:
    assume("\n" in text)
    plain = apply_edits(Skill(text), chosen)
    assume("\n" in plain.skill.text)
    crlf = apply_edits(Skill(text.replace("\n", "\r\n")), chosen)
    assert crlf.skill.text == plain.skill.text.replace("\n", "\r\n")
    assert crlf.report == plain.report


@given(document, st.lists(line, max_size=4).map("\n".join))
def test_what_was_appended_once_is_not_appended_again(text: str, content: str) -> None:
    edit = Edit(op="append", content=content)
    once = apply_edits(Skill(text), [edit])
    twice = apply_edits(once.skill, [edit])
    assert twice.skill == once.skill
    assert not twice.report[0].applied or not once.report[0].applied


@given(document, st.lists(line, max_size=4).map("\n".join))
def test_a_region_that_is_written_is_the_only_one_of_its_name_to_change(text: str, content: str) -> None:
    assume("APPENDIX" not in text and "SLOW" not in text)
    written = regions.write(text, "APPENDIX", content)
    assert regions.read(written, "APPENDIX") == regions.strip_markers(content).strip()
    assert regions.without_empty(regions.write(text, "APPENDIX", "")) == text.strip()


@given(document, document)
def test_a_new_document_has_the_protected_text_of_the_old_and_no_other(new: str, old: str) -> None:
    made = regions.carry_over(new, old)
    assert regions.protected(made) == regions.protected(old)
    assert regions.carry_over(made, old) == made


def test_a_large_document_takes_well_under_a_second() -> None:
    lines = [f"- Rule {number}: answer with the unit number {number} and nothing else." for number in range(2000)]
    chosen = [Edit(op="delete", target=f"- Rule {n}: reply with a unit") for n in range(8)]
    started = time.perf_counter()
    apply_edits(Skill("\n".join(lines)), [*chosen, Edit(op="append", content="\n".join(lines[:200]) + "\nnew")])
    assert time.perf_counter() - started < 5
