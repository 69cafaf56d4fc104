"""ANLS against the definition, and at its edges."""

from functools import cache
from random import Random

import pytest
from reflact.kit.anls import anls, distance


def reference(answer: str, golds: list[str], *, keeps_half: bool) -> float:
    """The definition, written down as it reads: a recursive distance over prefixes, in exact integers."""
    best = 0.0
    for gold in golds:
        one, other = " ".join(answer.lower().split()), " ".join(gold.lower().split())

        @cache
        def edits(i: int, j: int, one: str = one, other: str = other) -> int:
            if i == 0 or j == 0:
                return i + j
            if one[i - 1] == other[j - 1]:
                return edits(i - 1, j - 1)
            return 1 + min(edits(i - 1, j), edits(i, j - 1), edits(i - 1, j - 1))

        apart, longer = edits(len(one), len(other)), max(len(one), len(other))
        too_far = 2 * apart > longer if keeps_half else 2 * apart >= longer and longer > 0
        best = max(best, 0.0 if too_far else 1.0 if longer == 0 else 1 - apart / longer)
    return best


def pairs(n: int) -> list[tuple[str, list[str]]]:
    dice = Random(11)

    def text() -> str:
        return "".join(dice.choice("abAB 1é ") for _ in range(dice.randrange(9)))

    made = []
    for _ in range(n):
        golds = [text() for _ in range(dice.randrange(1, 3))]
        answer = text()
        if dice.random() < 0.6:
            letters = list(dice.choice(golds))
            for _ in range(dice.randrange(4)):
                letters.insert(dice.randrange(len(letters) + 1), dice.choice("ab  B"))
            answer = "".join(letters)
        made.append((answer, golds))
    return made


def test_ten_thousand_pairs_score_as_the_definition_says_in_both_forms() -> None:
    scores = set()
    for answer, golds in pairs(10_000):
        for variant, keeps_half in (("rrc", True), ("paper", False)):
            due = reference(answer, golds, keeps_half=keeps_half)
            assert anls(answer, golds, variant=variant) == pytest.approx(due, abs=1e-12), (answer, golds)  # type: ignore[arg-type]
            scores.add(round(due, 6))
    assert {0.0, 0.5, 1.0} < scores
    assert len(scores) > 10


@pytest.mark.parametrize(("variant", "score"), [("rrc", 0.5), ("paper", 0.0)])
@pytest.mark.parametrize(("answer", "gold"), [("ab", "ax"), ("abcd", "ab"), ("abcdef", "abcxyz")])
def test_a_similarity_of_exactly_one_half_is_where_the_forms_differ(
    variant: str, score: float, answer: str, gold: str
) -> None:
    assert anls(answer, [gold], variant=variant) == score  # type: ignore[arg-type]


def test_just_below_one_half_both_forms_give_nothing() -> None:
    assert anls("abc", ["axy"]) == anls("abc", ["axy"], variant="paper") == 0.0


def test_the_best_reference_counts_wherever_it_stands() -> None:
    assert anls("Quill Islands", ["nothing", "quill island"]) == anls("Quill Islands", ["quill island", "nothing"])
    assert anls("Quill Islands", ["nothing", "quill island"]) == pytest.approx(12 / 13)


def test_white_space_and_case_count_neither_in_the_distance_nor_in_the_length() -> None:
    assert anls("one  TWO\n", ["  One two"]) == 1.0
    assert anls("ab  cd", ["ab        ce"]) == anls("ab cd", ["ab ce"]) == pytest.approx(0.8)


def test_empty_texts_are_alike_and_an_empty_answer_to_a_question_with_one_is_not() -> None:
    assert (anls("", [""]), anls(" \n", [""]), anls("", ["x"]), anls("x", [""]), anls("x", [])) == (1, 1, 0, 0, 0)


def test_a_rambling_answer_is_told_from_its_length_alone() -> None:
    assert anls("no " * 2_000_000, ["yes"]) == 0.0


def test_the_distance_is_symmetric() -> None:
    assert distance("kitten", "sitting") == distance("sitting", "kitten") == 3
