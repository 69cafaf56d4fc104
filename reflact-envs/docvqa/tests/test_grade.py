"""The score, and the ways in which it could be wrong."""

import pytest
from reflact_env_docvqa.grade import grade, read_answer

GOLDS = ["$1,234.00", "1,234.00"]


@pytest.mark.parametrize(
    ("reply", "golds", "hard", "soft"),
    [
        ("<answer>$1,234.00</answer>", GOLDS, 1, 1.0),
        ("<answer>1,234.00</answer>", GOLDS, 1, 1.0),
        ("<answer>ABXX</answer>", ["abcd"], 0, 0.5),
        ("<answer>abcxx</answer>", ["abcde"], 0, 0.6),
        ("<answer>Zoe  Angstrom</answer>", ["ZOE ANGSTROM"], 1, 1.0),
        ("<answer>x</answer>", ["abcd"], 0, 0.0),
        ("<answer></answer>", GOLDS, 0, 0.0),
        ("", GOLDS, 0, 0.0),
        ("<think><answer>1,234.00</answer></think>", GOLDS, 0, 0.0),
        ("İİİİ <answer>abc</answer>", ["abc"], 1, 1.0),
        ("it says <answer>foo", ["foo"], 1, 1.0),
        ("I see it.\nThe answer is foo", ["foo"], 1, 1.0),
        ("Answer: foo", ["foo"], 1, 1.0),
        ("**Final answer:** foo", ["foo"], 1, 1.0),
        ("answerable", ["answerable"], 1, 1.0),
    ],
)
def test_soft_is_the_anls_of_the_answer_and_hard_whether_it_is_all_of_it(
    reply: str, golds: list[str], hard: int, soft: float
) -> None:
    """S3: one half is kept. S4: an unclosed tag is no part of the answer. S06: letters that grow in lower case."""
    made = grade(reply, golds)
    assert (made.hard, made.soft) == (hard, pytest.approx(soft))
    assert made.extra["anls"] == pytest.approx(soft, abs=1e-4)


def test_no_answer_scores_nothing_even_where_a_gold_is_blank() -> None:
    """S5, S02."""
    assert grade("<answer> </answer>", [""]).soft == 0.0


def test_the_paper_s_variant_drops_one_half() -> None:
    """S3, S05."""
    assert grade("<answer>abxx</answer>", ["abcd"], variant="paper").soft == 0.0


def test_the_threshold_of_a_hit_can_be_set() -> None:
    assert grade("<answer>abcxx</answer>", ["abcde"], threshold=0.6).hard == 1.0


@pytest.mark.parametrize(
    ("reply", "feedback"),
    [
        ("<answer>abcxx</answer>", "anls=0.60: near miss, read 'abcxx', expected 'abcde'"),
        ("<answer>q</answer>", "anls=0.00: wrong, read 'q', expected 'abcde'"),
        ("", "anls=0.00: no answer was given, expected 'abcde'"),
        ("<answer>abcde</answer>", ""),
    ],
)
def test_whatever_is_no_hit_says_why(reply: str, feedback: str) -> None:
    """S2."""
    assert grade(reply, ["abcde"]).feedback == feedback


def test_unicode_forms_count_unless_they_are_told_not_to() -> None:
    reply, golds = "<answer>ﬁfty ½</answer>", ["fifty 1⁄2"]
    assert grade(reply, golds).hard == 0.0
    assert grade(reply, golds, unicode_normalize=True).hard == 1.0


def test_a_rambling_answer_is_cut() -> None:
    assert len(read_answer(f"<answer>{'word ' * 10_000}</answer>").text) == 512


def test_where_the_answer_was_found_is_told() -> None:
    assert [grade(reply, ["a"]).extra["answer_from"] for reply in ("<answer>a</answer>", "<answer>a", "a", "")] == [
        "tag",
        "unclosed",
        "fallback",
        "none",
    ]
