"""The score, and the ways in which it could be wrong."""

import pytest
from reflact_env_searchqa.grade import grade

GOLDS = ["the Quill Islands", "Quill Islands"]


@pytest.mark.parametrize(
    ("reply", "golds", "hard", "soft"),
    [
        ("<answer>Quill Islands</answer>", GOLDS, 1, 1.0),
        ("<answer>the quill islands.</answer>", GOLDS, 1, 1.0),
        ("<answer>Quill</answer>", GOLDS, 0, 2 / 3),
        ("Probably\nQuill Islands", GOLDS, 1, 1.0),
        ("it is <answer>Quill Islands", GOLDS, 1, 1.0),
        ("<answer>Ansel</answer> no: <answer>Quill Islands</answer>", GOLDS, 1, 1.0),
        ("<analysis>maybe <answer>Ansel</answer></analysis><answer>Quill Islands</answer>", GOLDS, 1, 1.0),
        ("<think><answer>Quill Islands</answer></think>", GOLDS, 0, 0.0),
        ("<answer>OHaraLee</answer>", ["O'Hara-Lee"], 1, 1.0),
        ("<answer>The The</answer>", ["The The"], 1, 1.0),
        ("<answer>...</answer>", ["The"], 0, 0.0),
        ("<answer></answer>", GOLDS, 0, 0.0),
        ("", GOLDS, 0, 0.0),
    ],
)
def test_hard_is_the_exact_match_and_soft_the_f1(reply: str, golds: list[str], hard: int, soft: float) -> None:
    made = grade(reply, golds)
    assert made.hard == hard
    assert made.soft == pytest.approx(soft)
    assert (made.extra["em"], made.extra["f1"]) == (hard, pytest.approx(soft, abs=1e-4))
    assert bool(made.feedback) == (hard == 0)


@pytest.mark.parametrize(
    ("reply", "sub_em"),
    [("<answer>the Quill Islands, in 1987</answer>", 1), ("<answer></answer>", 0), ("<answer>Quill</answer>", 0)],
)
def test_a_gold_within_the_answer_is_told_but_not_scored(reply: str, sub_em: int) -> None:
    made = grade(reply, ["Quill Islands"])
    assert (made.extra["sub_em"], made.hard) == (sub_em, 0)


def test_the_teacher_is_told_what_was_expected() -> None:
    made = grade("<answer>Ansel</answer>", GOLDS)
    assert made.feedback == "predicted 'Ansel' but expected 'the Quill Islands' or 'Quill Islands' (EM 0, F1 0.00)"
