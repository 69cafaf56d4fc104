"""Where an anchor lies, and why it may have no single place."""

from __future__ import annotations

import pytest
from reflact.skill.match import find, nearest

TEXT = "# Rules\n\n- Use ISO  dates.\n- Say “none” if unsure.\n- Use ISO units.\n  - nested rule\nyes\n- yes, always\n"


def found(target: str, text: str = TEXT) -> str:
    place = find(text, target)
    return place.fault or text[place.start : place.end]


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("- Use ISO units.", "- Use ISO units."),
        ("- Use ISO dates.", "- Use ISO  dates."),
        ('- Say "none" if unsure.', "- Say “none” if unsure."),
        ("ISO units", "ISO units"),
        ("\n- Use ISO units.\n", "- Use ISO units."),
        ("  - nested rule", "- nested rule"),
        ("- Use ISO units.\n  - nested rule", "- Use ISO units.\n  - nested rule"),
        ("- Use ISO units. - nested rule", "- Use ISO units.\n  - nested rule"),
    ],
)
def test_an_anchor_copied_a_little_wrong_is_found(target: str, place: str) -> None:
    assert found(target) == place


@pytest.mark.parametrize(
    ("target", "fault"),
    [
        ("- Use SI units.", "not_found"),
        ("Use ISO", "ambiguous"),
        ("r", "not_found"),
        ("ule", "not_found"),
        ("if", "too_short"),
        ("", "not_found"),
        ("   ", "not_found"),
    ],
)
def test_an_anchor_without_a_single_place_says_why(target: str, fault: str) -> None:
    assert found(target) == fault


def test_of_several_places_the_only_whole_line_is_meant() -> None:
    place = find(TEXT, "yes")
    assert (place.fault, TEXT[place.start - 1 : place.end + 1]) == ("", "\nyes\n")


def test_the_same_line_twice_is_ambiguous() -> None:
    assert found("- a rule", "- a rule\n- b\n- a rule\n") == "ambiguous"


def test_overlapping_places_are_ambiguous() -> None:
    assert found("ab ab", "x ab ab ab y") == "ambiguous"


@pytest.mark.parametrize("target", ["国际单位制", "使用国际"])
def test_a_script_without_blanks_between_words_has_anchors_inside_a_sentence(target: str) -> None:
    assert found(target, "请使用国际单位制回答。\n") == target


def test_an_exact_place_is_not_called_tolerant() -> None:
    assert not find(TEXT, "- Use ISO units.").tolerant
    assert find(TEXT, "- Use ISO dates.").tolerant


def test_the_nearest_line_is_a_hint() -> None:
    assert nearest(TEXT, "- Use ISO unit") == "- Use ISO units."
    assert nearest(TEXT, "* say 'none' if not sure") == "- Say “none” if unsure."


def test_nothing_near_is_no_hint() -> None:
    assert nearest(TEXT, "Completely different words here") == ""
    assert nearest("", "x") == ""
