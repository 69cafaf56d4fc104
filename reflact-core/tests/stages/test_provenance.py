"""Where a merged item comes from is computed, never claimed."""

from __future__ import annotations

import pytest
from reflact.stages.provenance import credit, without_provenance
from reflact.types import Edit, Source

SIZES = {"f0": 8, "f1": 3, "s0": 5}


def edit(content: str, *sources: str, kind: Source = "failure", target: str = "") -> Edit:
    support = sum(SIZES[source] for source in sources)
    return Edit(op="append", content=content, target=target, sources=sources, support_count=support, source_type=kind)


POOL = (
    edit("write dates as ISO dates", "f0"),
    edit("use SI units", "f0"),
    edit("write units after numbers", "f1"),
    edit("answer in one word", "s0", kind="success"),
    edit("write dates and units", "f0", "f1"),
)


@pytest.mark.parametrize(
    ("origins", "sources", "support", "kind"),
    [
        ([0], ("f0",), 8, "failure"),
        ([0, 2], ("f0", "f1"), 11, "failure"),
        ([2, 0], ("f1", "f0"), 11, "failure"),
        ([0, 1], ("f0",), 8, "failure"),
        ([0, 0, 2, 4], ("f0", "f1"), 11, "failure"),
        ([3], ("s0",), 5, "success"),
        ([3, 2], ("s0", "f1"), 8, "failure"),
        ([2, 99, -1], ("f1",), 3, "failure"),
    ],
)
def test_support_is_the_trajectories_of_the_distinct_minibatches_behind_an_item(
    origins: list[int], sources: tuple[str, ...], support: int, kind: str
) -> None:
    merged = credit(Edit(op="append", content="x", support_count=99), origins, POOL, SIZES, level=2)
    assert (merged.sources, merged.support_count) == (sources, support)
    assert (merged.source_type, merged.merge_level, merged.content) == (kind, 2, "x")


@pytest.mark.parametrize("origins", [[], [99, -3]])
def test_an_item_that_names_no_origin_is_credited_to_the_most_similar(origins: list[int]) -> None:
    merged = credit(Edit(op="append", content="Write units after all numbers"), origins, POOL, SIZES, level=1)
    assert (merged.sources, merged.support_count) == (("f1",), 3)


def test_of_equally_similar_items_the_first_is_credited() -> None:
    merged = credit(Edit(op="append", content="zzz"), [], [edit("abc", "f1"), edit("abc", "f0")], SIZES, level=1)
    assert merged.sources == ("f1",)


def test_an_item_out_of_nothing_has_no_support() -> None:
    assert credit(Edit(op="append", content="x"), [0], [], SIZES, level=1).support_count == 0


def test_a_minibatch_nobody_knows_supports_nothing() -> None:
    stranger = Edit(op="append", content="x", sources=("f0", "gone"))
    assert credit(Edit(op="append"), [0], [stranger], SIZES, level=1).support_count == 8


def test_what_an_item_says_does_not_depend_on_where_it_comes_from() -> None:
    assert without_provenance(edit("x", "f0")) == without_provenance(edit("x", "s0", kind="success"))
    assert without_provenance(edit("x", "f0")) != without_provenance(edit("x", "f0", target="y"))
