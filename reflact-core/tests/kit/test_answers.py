"""The answer in a reply."""

import pytest
from reflact.kit.answers import extract_answer, without_reasoning


@pytest.mark.parametrize(
    ("reply", "answer", "how"),
    [
        ("<answer>Paris</answer>", "Paris", "tag"),
        ("Use <answer>X</answer> … so <answer>\n Paris \n</answer> it is", "Paris", "tag"),
        ("<ANSWER type='short'>Paris</Answer >", "Paris", "tag"),
        ("<answer>a <answer>b</answer></answer>", "b", "tag"),
        ("<answer>Paris</answer> and <answer>Lyon", "Paris", "tag"),
        ("<answer>   </answer>", "", "tag"),
        ("İİİİ <answer>abc</answer>", "abc", "tag"),
        ("<think><answer>no</answer></think><answer>yes</answer>", "yes", "tag"),
        ("<analysis><answer>no</answer></analysis>\nyes", "yes", "fallback"),
        ("so <answer>Paris", "Paris", "unclosed"),
        ("I think:\n\n**Paris**\n\n", "**Paris**", "fallback"),
        ("<answers>Paris</answers>", "<answers>Paris</answers>", "fallback"),
        ("", "", "none"),
        (" \n ", "", "none"),
    ],
)
def test_the_last_complete_tag_is_the_answer_and_the_rest_is_a_fallback(reply: str, answer: str, how: str) -> None:
    assert extract_answer(reply) == (answer, how)


def test_without_fallback_a_reply_without_tag_has_no_answer() -> None:
    assert extract_answer("Paris", fallback=False) == ("", "none")
    assert extract_answer("<answer>Paris", fallback=False) == ("Paris", "unclosed")


@pytest.mark.parametrize(
    ("reply", "rest"),
    [
        ("<think>hm</think>\n42", "42"),
        ("hm, so it is</think>42", "42"),
        ("<think>a</think>x<think>b</think>y", "xy"),
        ("<think>never ends", ""),
        ("the tag <think> opens it", "the tag <think> opens it"),
        ("<Thinking a='1'>hm</Thinking> 42 ", "42"),
        ("  42\n43 ", "42\n43"),
    ],
)
def test_reasoning_is_set_aside(reply: str, rest: str) -> None:
    assert without_reasoning(reply) == rest


def test_a_reply_of_a_megabyte_is_read_in_a_moment() -> None:
    reply = "<answer>" * 20_000 + "x" * 1_000_000 + "<think>" * 20_000
    assert extract_answer(reply).how == "unclosed"
