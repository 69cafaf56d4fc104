"""The answer a teacher meant, out of whatever it wrote."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from reflact.llm.parse import MalformedReply, parse
from reflact.modes.patch import Patch
from reflact.stages.replies import Ranking, analysis, merging

ANALYSIS = analysis(Patch(), success=False)
MERGE = merging(Patch())


class Number(BaseModel):
    score: float


class Edits(BaseModel):
    edits: list[dict[str, Any]]


def contents(text: str) -> list[str]:
    """Return the contents of the edits in the analysis *text*."""
    return [edit.content for edit in parse(text, ANALYSIS).patch.edits]


def said(*texts: str) -> str:
    return json.dumps({"edits": [{"op": "append", "content": text} for text in texts]})


@pytest.mark.parametrize(
    "text",
    [
        said("x"),
        f"\n\n{said('x')}\n",
        f"Here you are:\n```json\n{said('x')}\n```\nDone.",
        f"```\n{said('x')}\n```",
        f"  ```json\n{said('x')}\n  ```",
        f"Prose {{with braces}} and [1, 2], then {said('x')} and a full stop.",
        f"uses {{name, final {said('x')}",
        f"{said('x')}</answer>",
        json.dumps({"json": json.loads(said("x"))}),
        json.dumps(said("x")),
        json.dumps({"failure_summary": [], "patch": json.loads(said("x"))}),
        '[{"op": "append", "content": "x"}]',
        '{"edits": [{"op": "Append", "content": "x"},]}',
        '{"edits": [{"op": "append", "content": "x"}], "reasoning": "it said "no" twice"}',
        '{"edits": [{"op": "append", "target": null, "content": "x"}]}',
        "{'edits': [{'op': 'append', 'content': 'x'}]}",
        'Sure: {"edits": [{"op": "append", "content": "x"},]} and done.',
        '```json\n{"edits": [{"op": "append", "content": "x"},]}\n```',
        f"<think>{said('draft')}</think>\n{said('x')}",
        f"{said('draft')} no, better:</think>{said('x')}",
        f"<Thinking>hm</THINKING>{said('x')}",
        f"First {said('draft')}, but finally {said('x')}",
        f"```json\n{said('draft')}\n```\nor rather\n```json\n{said('x')}\n```",
        " ".join(f"[{n}]" for n in range(2000)) + said("x"),
    ],
)
def test_an_answer_is_found_wherever_it_stands(text: str) -> None:
    assert contents(text) == ["x"]


def test_a_code_block_inside_a_text_does_not_end_the_answer() -> None:
    block = "Run this:\n```py\nprint(1)\n```\nand that."
    assert contents(f"```json\n{said(block)}\n```") == [block]


def test_a_text_with_line_breaks_in_it_is_read_as_written() -> None:
    assert contents('{"edits": [{"op": "append", "content": "one\n```\ntwo\n```"}]}') == ["one\n```\ntwo\n```"]


def test_a_draft_is_not_preferred_to_an_answer_with_line_breaks_in_it() -> None:
    assert contents(said("draft") + ' or {"edits": [{"op": "append", "content": "one\ntwo"}]}') == ["one\ntwo"]


def test_thought_tags_inside_a_text_are_kept() -> None:
    assert contents(said("never write <think>so</think>")) == ["never write <think>so</think>"]


def test_a_draft_in_a_thought_is_no_answer() -> None:
    with pytest.raises(MalformedReply, match="no JSON object"):
        parse(f"<think>{said('draft')}</think>I am done.", ANALYSIS)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the reply holds no JSON object"),
        ("I cannot do that.", "the reply holds no JSON object"),
        ('{"edits": null}', "patch.edits: input should be a valid list"),
        ('{"edits": "append"}', "patch.edits: input should be a valid list"),
        ('{"edits": [1, 2]}', "patch.edits.0: input should be a valid dictionary"),
        ('{"edits": [{"op": "rewrite"}]}', "patch.edits.0.op: input should be 'append', 'insert_after'"),
        ('{"patch": null}', "patch: input should be a valid dictionary"),
        ('{"other": 1}', "patch: field required"),
        ('{"edits": [], "edits": [{"op": "append"}]}', "the key 'edits' stands twice"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(MalformedReply) as caught:
        parse(text, ANALYSIS)
    assert str(caught.value).startswith(fault)


def test_many_faults_are_told_in_a_few_words() -> None:
    with pytest.raises(MalformedReply) as caught:
        parse(json.dumps({"edits": [{"op": "no"}] * 500}), ANALYSIS)
    assert "and 495 more" in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_a_fault_does_not_repeat_what_the_model_wrote() -> None:
    with pytest.raises(MalformedReply) as caught:
        parse('{"edits": [{"op": "sk-secret", "content": "x"}]}', ANALYSIS)
    assert "sk-secret" not in str(caught.value)


def test_a_key_that_says_the_same_thing_twice_is_harmless() -> None:
    assert contents('{"edits": [{"op": "append", "op": "append", "content": "x"}]}') == ["x"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_a_number_that_is_not_finite_is_refused(number: str) -> None:
    with pytest.raises(MalformedReply):
        parse(f'{{"score": {number}}}', Number)


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    assert contents('{"edits": [{"op": "append", "content": "a\\ud83d b \\ud83d\\ude00"}]}') == ["a? b 😀"]


@pytest.mark.parametrize("text", ["[2, 0]", '{"selected_indices": ["2", 0.0]}', '{"selected_indices": [true, 2, 0]}'])
def test_a_ranking_holds_numbers_and_true_is_none(text: str) -> None:
    assert parse(text, Ranking).selected_indices == [2, 0]


def test_bare_items_are_a_merge() -> None:
    merged = parse('[{"op": "append", "content": "x", "sources": [0, true, "2", null, "from 3"]}]', MERGE)
    assert merged.edits[0].sources == [0, 2, 3]


@pytest.mark.parametrize(
    ("count", "expected"),
    [(3, 3), (3.0, 3), ("3", 3), ("3 of 8", 3), ("3/8", 3), ("about 3", 3), (None, 1), (True, 1), ("some", 1), (0, 1)],
)
def test_a_count_is_the_first_number_of_what_was_written(count: Any, expected: int) -> None:
    text = json.dumps({"failure_summary": [{"failure_type": "unit", "count": count}], "edits": []})
    assert parse(text, ANALYSIS).failure_summary[0].count == expected


def test_missing_patterns_do_not_spoil_the_edits() -> None:
    assert contents('{"failure_summary": null, "edits": [{"op": "append", "content": "x"}]}') == ["x"]


HOSTILE = (
    "{" * 100_000,
    "[" * 100_000,
    "{" * 100_000 + "}",
    "[" * 100_000 + "]",
    "{" * 50_000 + "}" * 50_000,
    "[" * 50_000 + "]" * 50_000,
    '{"a":' * 20_000,
    '{"a":' * 20_000 + "}",
    '{"a":' * 20_000 + "1" + "}" * 20_000,
    '{"a":[' * 16_000,
    "[1," * 30_000,
    '{"' * 50_000 + "}",
    '{"a": "' + '"' * 100_000 + "}",
    "<think>" * 15_000,
    "```x\n" * 20_000,
    "```\n" * 25_000,
    '{"n": ' + "9" * 100_000 + "}",
    '"' * 100_000,
    "\\" * 100_000,
    '{"selected_indices": [' + "1" * 100_000,
)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: f"{text[:8]!r}…{text[-4:]!r}")
def test_100_kb_of_anything_is_malformed_in_no_time(text: str) -> None:
    started = time.process_time()
    with pytest.raises(MalformedReply):
        parse(text, ANALYSIS)
    assert time.process_time() - started < 2


PIECES = ("{", "}", "[", "]", '"', ":", ",", "\n", "```", "```json\n", "<think>", "</think>", "\\", "\\ud800", "1e999")
WORDS = ("true", "null", "12", '"edits"', '"op"', '"append"', "NaN", " ", "selected_indices", "'", "//", "\ud800", "é")


@given(st.lists(st.sampled_from(PIECES + WORDS), max_size=40).map("".join))
def test_nothing_but_malformed_reply_is_ever_raised(text: str) -> None:
    for reply in (ANALYSIS, MERGE, Ranking, Number):
        try:
            parse(text, reply)
        except MalformedReply as error:
            assert str(error)


@given(st.text())
def test_no_text_is_an_answer_by_chance(text: str) -> None:
    with pytest.raises(MalformedReply):
        parse(text, ANALYSIS)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text("xyz"), json_values, max_size=3), max_size=3), st.sampled_from("ab \n.!?-"))
def test_valid_json_is_read_as_it_is_with_prose_around_it(edits: list[dict[str, Any]], prose: str) -> None:
    text = json.dumps({"edits": edits})
    assert parse(text, Edits).edits == edits
    assert parse(f"{prose}{text}{prose}", Edits).edits == edits
    assert parse(f"{prose}\n```json\n{text}\n```\n{prose}", Edits).edits == edits
