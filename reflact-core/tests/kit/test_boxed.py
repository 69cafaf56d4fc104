"""The answer in a box."""

import time

import pytest
from reflact.kit.boxed import extract_boxed


@pytest.mark.parametrize(
    ("reply", "text", "how"),
    [
        (r"so \boxed{4}", "4", "box"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}", "box"),
        (r"\boxed{\sqrt{{{3}}}} and \boxed{9}", "9", "box"),
        (r"\boxed{a{b{c{d{e}}}}}", "a{b{c{d{e}}}}", "box"),
        (r"\boxed{3} or rather \boxed{ 5 }.", "5", "box"),
        (r"\fbox{1} \fboxed{2}", "2", "box"),
        (r"\boxed {B}", "B", "box"),
        (r"\boxed{\boxed{7}}", "7", "box"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}", "box"),
        (r"\boxed{x \boxed{y} z}", r"x \boxed{y} z", "box"),
        ("<|begin_of_box|>C<|end_of_box|>", "C", "box"),
        ("<answer>B</answer>", "B", "tag"),
        (r"<think>\boxed{1}</think> it is \boxed{2}", "2", "box"),
        (r"<think>\boxed{1} …", "", "none"),
        (r"\boxed{4} and then \boxed{5", "4", "box"),
        (r"cut: \boxed{\frac{1}{2", r"\frac{1}{2", "unclosed"),
        ("cut: <answer>foo", "foo", "unclosed"),
        (r"} } \boxed{} {", "", "box"),
        ("it is B", "", "none"),
        ("", "", "none"),
    ],
)
def test_the_last_complete_box_is_the_answer(reply: str, text: str, how: str) -> None:
    """S8: braces are balanced, and no box is read into another."""
    assert extract_boxed(reply) == (text, how)


@pytest.mark.parametrize("piece", [r"\boxed{", "{", "}", r"\boxed{}", "\\", "<|begin_of_box|>"])
def test_a_long_reply_takes_no_longer_than_its_length(piece: str) -> None:
    started = time.perf_counter()
    extract_boxed(piece * (200_000 // len(piece)))
    assert time.perf_counter() - started < 5
