"""The text of a page, and what hostile markup costs."""

import time

import pytest
from reflact.kit.web.readable import readable


def test_blocks_are_lines_and_inline_markup_is_not() -> None:
    page = "<h1>Rings</h1><p>There are <b>se</b>ven &amp; no more.</p><ul><li>one<li>two</ul>"
    assert readable(page).text == "Rings\nThere are seven & no more.\none\ntwo"


def test_a_row_of_a_table_is_a_line() -> None:
    assert (
        readable("<table><tr><th>year<th>n</tr><tr><td>1951</td><td>7</td></tr></table>").text == "year | n\n1951 | 7"
    )


def test_scripts_styles_and_comments_say_nothing() -> None:
    page = "<style>a>b{}</style>x<script>if (a<b) '</p>'</script>y<!-- z > z -->z<noscript>n</noscript>"
    assert readable(page).text == "xyz"


def test_a_title_is_found_and_is_not_text() -> None:
    assert readable("<head><TITLE lang=en> A\n&lt;B </title></head><body>c") == ("A <B", "c")
    assert readable("<title>A</title>c") == ("A", "c")


def test_signs_that_are_no_markup_stay() -> None:
    assert readable("3 < 4 and 5 > 4, a<1").text == "3 < 4 and 5 > 4, a<1"


@pytest.mark.parametrize("begun", ["<script>", "<!--", "<p", "<", "<a href='"])
def test_markup_that_never_ends_takes_the_rest(begun: str) -> None:
    assert readable(f"before {begun} after").text.startswith("before")


@pytest.mark.parametrize(
    "piece", ["<!--", "<", "<a ", "<a>", "<script>", "<title", "&", "<!", "</", "<script></script>"]
)
def test_hostile_markup_costs_no_more_than_its_length(piece: str) -> None:
    def seconds(size: int) -> float:
        page = piece * (size // len(piece))
        began = time.process_time()
        readable(page)
        return time.process_time() - began

    assert seconds(400_000) < 40 * max(seconds(40_000), 0.01)
