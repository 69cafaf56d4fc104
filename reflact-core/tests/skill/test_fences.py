"""Fenced code blocks, also where markdown makes them hard to see."""

from __future__ import annotations

import pytest
from reflact.skill.fences import fences


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
