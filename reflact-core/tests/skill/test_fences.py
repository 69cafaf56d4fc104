"""Fenced code blocks, also where markdown makes them hard to see."""

from __future__ import annotations

import pytest
from reflact.skill.fences import fences, unwrapped


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("none", []),
        ("a\n```\nx\n```\nb\n", ["```\nx\n```\n"]),
        ("```py\nx\n```\n~~~\ny\n~~~\n", ["```py\nx\n```\n", "~~~\ny\n~~~\n"]),
        ("````\n```\nx\n```\n````\n", ["````\n```\nx\n```\n````\n"]),
        ("```\n~~~\n```\n", ["```\n~~~\n```\n"]),
        ("```\n``` not a closing line\n```\n", ["```\n``` not a closing line\n```\n"]),
        ("a\n```\nnever closed\n", ["```\nnever closed\n"]),
        ("```x``` is inline code\nb\n", []),
        ("1. do\n\n    ```py\n    x\n    ```\nb\n", ["    ```py\n    x\n    ```\n"]),
        ("- ```\n  x\n  ```\nb\n", ["- ```\n  x\n  ```\n"]),
        ("> ```\n> x\n> ```\n", ["> ```\n> x\n> ```\n"]),
    ],
)
def test_a_block_runs_from_its_fence_to_the_one_that_closes_it(text: str, blocks: list[str]) -> None:
    assert [text[start:end] for start, end in fences(text)] == blocks


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("```markdown\n# Title\n- rule\n```", "# Title\n- rule"),
        ("\n```md \r\n# Title\r\n```\n\n", "# Title\r"),
        ("```\n# Title\n```", "# Title"),
        ("~~~~\n# Title\n~~~\n~~~~", "# Title\n~~~"),
        ("```markdown\n# Title\n```py\nx\n```\n- rule\n```", "# Title\n```py\nx\n```\n- rule"),
    ],
)
def test_a_document_is_taken_out_of_the_fence_around_it(text: str, inner: str) -> None:
    assert unwrapped(text) == inner


@pytest.mark.parametrize(
    "text",
    [
        "",
        "```",
        "```\nx",
        "# Title\n```\nx\n```",
        "```\nx\n```\n- rule",
        "```\nx\n```\n- rule\n```\ny\n```",
        "```py\nx\n```",
        "```\n# Title\n```py\n```",
    ],
)
def test_a_document_in_no_fence_of_its_own_stays_as_it_is(text: str) -> None:
    assert unwrapped(text) == text
