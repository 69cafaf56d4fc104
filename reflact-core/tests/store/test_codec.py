"""Values become files and files become the same values again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.modes.patch import Patch
from reflact.store.codec import SKILL, json_codec, proposal_codec, to_text
from reflact.types import Decision, Edit, Failure, ItemReport, Proposal, Scored, Skill, StepDigest, Update, Usage

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
edits = st.builds(
    Edit,
    op=st.sampled_from(["append", "insert_after", "replace", "delete"]),
    content=text,
    target=text,
    sources=st.lists(text, max_size=3).map(tuple),
    support_count=st.integers(0, 99),
    source_type=st.sampled_from(["failure", "success"]),
    merge_level=st.integers(0, 4),
)
usages = st.builds(Usage, calls=st.integers(0, 9), prompt=st.integers(0, 9), reasoning=st.integers(0, 9))
failures = st.builds(Failure, failure_type=text, count=st.integers(1, 9), description=text)
proposals = st.builds(
    Proposal,
    items=st.lists(edits, max_size=3).map(tuple),
    reasoning=text,
    source_type=st.sampled_from(["failure", "success"]),
    name=text,
    batch_size=st.integers(0, 9),
    failures=st.lists(failures, max_size=2).map(tuple),
    note=text,
    usage=usages,
)


@given(proposals, st.booleans())
def test_a_proposal_survives_its_file(proposal: Proposal, nested: bool) -> None:
    codec = proposal_codec(Patch(), nested=nested)
    assert codec.decode(codec.encode(proposal)) == proposal


def test_a_merged_patch_has_the_promised_keys() -> None:
    data = json.loads(
        proposal_codec(Patch()).encode(Proposal(items=(Edit(op="append", content="x"),), reasoning="why"))
    )
    assert data["reasoning"] == "why"
    assert {"op": "append", "content": "x", "target": ""}.items() <= data["edits"][0].items()
    assert {"support_count", "source_type", "merge_level"} <= data["edits"][0].keys()


def test_an_analysts_file_has_the_promised_shape() -> None:
    proposal = Proposal(batch_size=8, failures=(Failure(failure_type="unit", count=3, description="d"),))
    data = json.loads(proposal_codec(Patch(), nested=True).encode(proposal))
    assert (data["batch_size"], data["source_type"]) == (8, "failure")
    assert data["patch"] == {"reasoning": "", "edits": []}
    assert data["failure_summary"] == [{"failure_type": "unit", "count": 3, "description": "d"}]


@pytest.mark.parametrize(
    "value",
    [
        Decision(
            action="reject",
            candidate=Scored(skill=Skill("b"), score=1 / 3, origin="step_0001"),
            current=Scored(skill=Skill("a"), score=0.0, origin="initial_skill"),
            best=Scored(skill=Skill("a"), score=0.0, origin="initial_skill"),
        ),
        Update(skill=Skill("a\r\nb"), report=(ItemReport(index=1, status="applied_append", hint="h"),), summary=("s",)),
        StepDigest(
            step=1,
            action="reject",
            n_total=2,
            n_fail=1,
            score_before=0.5,
            rejected_edits=({"op": "delete", "target": "x"},),
        ),
    ],
)
def test_what_a_step_keeps_survives_its_file(value: object) -> None:
    codec = json_codec(type(value))
    assert codec.decode(codec.encode(value)) == value


def test_a_skill_is_its_text() -> None:
    assert SKILL.encode(Skill("# é\r\n")) == "# é\r\n"
    assert SKILL.decode("# é\r\n") == Skill("# é\r\n")


def test_json_is_written_for_people_too() -> None:
    assert to_text({"é": [1]}) == '{\n  "é": [\n    1\n  ]\n}\n'


@pytest.mark.parametrize("data", ['{"action": 1}', '["reject"]', "3", '{"action": "reject"'])
def test_a_file_that_does_not_fit_is_a_value_error(data: str) -> None:
    with pytest.raises(ValueError):
        json_codec(Decision).decode(data)
