"""Identity of tasks."""

from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.data.ids import content_hash, safe_id
from reflact.errors import DataError
from reflact.types import Task


@pytest.mark.parametrize("task_id", ["demo0001", "13-1", "django__django-11099", "a.b", "Q", "x" * 100])
def test_a_harmless_id_is_its_own_file_name(task_id: str) -> None:
    assert safe_id(task_id) == task_id


@pytest.mark.parametrize(
    ("task_id", "stem"),
    [
        ("../../x", "x-"),
        ("a/b", "a_b-"),
        ("202602:22", "202602_22-"),
        ("CON", "CON-"),
        ("nul.txt", "nul.txt-"),
        ("é", "task-"),
        ("", "task-"),
        ("a.", "a-"),
        (".hidden", "hidden-"),
        ("-rf", "rf-"),
        ("y" * 300, "y" * 80 + "-"),
        ("two\nlines", "two_lines-"),
        ("\ud800", "task-"),
    ],
)
def test_any_other_id_becomes_a_stem_and_eight_digits(task_id: str, stem: str) -> None:
    name = safe_id(task_id)
    assert name.startswith(stem)
    assert len(name) == len(stem) + 8


@given(st.text(printable + "é/\\:\0"), st.text(printable + "é/\\:\0"))
def test_different_ids_have_different_names_of_one_path_part(first: str, second: str) -> None:
    names = {safe_id(first), safe_id(second)}
    assert len(names) == len({first, second})
    assert not any(set(name) & set("/\\:\0") or name in (".", "..") for name in names)


def test_the_content_hash_passes_over_the_id_and_the_order_of_keys() -> None:
    first = Task(id="a", data={"x": 1, "y": [2]})
    assert content_hash(first) == content_hash(Task(id="b", data={"y": [2], "x": 1}))
    assert content_hash(first) != content_hash(Task(id="a", data={"x": 1, "y": [3]}))
    assert content_hash(first) != content_hash(Task(id="a", kind="other", data=first.data))


@pytest.mark.parametrize("value", [object(), float("nan"), {1, 2}, "\ud800"])
def test_data_that_are_not_json_are_refused_with_the_id(value: object) -> None:
    with pytest.raises(DataError, match="task 'q7'"):
        content_hash(Task(id="q7", data={"x": value}))
