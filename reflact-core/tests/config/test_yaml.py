"""The reader takes YAML 1.2 at its word."""

from pathlib import Path
from typing import Any

import pytest
from reflact.config.yaml import read_file, read_text
from reflact.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2:1:7", "2:1:7"),
        ("on", "on"),
        ("no", "no"),
        ("010", 10),
        ("1e-3", 0.001),
        ("1_000", "1_000"),
        ("0x1F", 31),
        ("0o17", 15),
        ("nan", "nan"),
        ("none", "none"),
        ("2026-01-01", "2026-01-01"),
        ("-.inf", float("-inf")),
        ("True", True),
        ("~", None),
        ("'5'", "5"),
        ("!!str 5", "5"),
        ("[1, a]", [1, "a"]),
    ],
)
def test_a_scalar_is_what_yaml_1_2_says(text: str, value: Any) -> None:
    read = read_text(f"key: {text}", name="x").value["key"]
    assert read == value
    assert isinstance(read, type(value))


def test_a_number_remembers_how_it_was_written() -> None:
    assert read_text("key: 0123", name="x").value["key"].text == "0123"


def test_every_key_has_its_line() -> None:
    assert read_text("a:\n  b: 1\n\n  c: [{d: 2}]\n", name="x").lines == {
        ("a",): 1,
        ("a", "b"): 2,
        ("a", "c"): 4,
        ("a", "c", "0", "d"): 4,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2\n", "x:2: a is given twice (first in line 1)"),
        ("a:\n  b: 1\n  b: 2\n", "x:3: a.b is given twice (first in line 2)"),
        ("a: [1\n", "x:2: not valid YAML"),
        ("a: 1\n\tb: 2\n", "x:2: not valid YAML"),
        ("a: 1\n---\nb: 2\n", "x:2: not valid YAML"),
        ("a: !!python/name:os.system x\n", "x:1: tag 'python/name:os.system' is not allowed here"),
        ("a: !mine {b: 1}\n", "x:1: tag '!mine' is not allowed here"),
        ("? [1, 2]\n: 3\n", "x:1: a key must be a name"),
        ("a: &loop [*loop]\n", "x:1: too large or nested too deeply"),
        ("a: \x00\n", "x: not valid YAML"),
        ("a: " + "[" * 60 + "]" * 60, "x:1: too large or nested too deeply"),
        ("a: " + "[" * 6000 + "]" * 6000, "x: nested too deeply"),
        (f"a: {'9' * 6000}", "x:1: 99999999999999999999… is not a usable integer"),
    ],
)
def test_what_is_not_strict_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_text(text, name="x")
    assert str(caught.value).startswith(message)


def test_references_that_grow_without_end_are_refused() -> None:
    rows = [
        "a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]",
        *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)),
    ]
    with pytest.raises(ConfigError, match="too large"):
        read_text("\n".join(rows), name="x")


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfa:\r\n  b: 1\r\n  c: tea\r\n")
    document = read_file(path)
    assert document.value == {"a": {"b": 1, "c": "tea"}}
    assert document.lines["a", "c"] == 3


def test_an_empty_file_is_an_empty_config(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("# nothing yet\n", encoding="utf-8")
    assert read_file(path).value is None


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"- a\n", "a config is a mapping of sections, not a list"), (b"a: \xe9\n", "not UTF-8")],
)
def test_a_file_that_is_no_config_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read_file(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no config file at .*gone\.yaml"):
        read_file(tmp_path / "gone.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_file(tmp_path)
