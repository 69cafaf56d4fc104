"""Which part of a reply is the program."""

import pytest
from reflact_env_spreadsheetbench.extract import extract_code


def test_the_last_python_block_is_the_program() -> None:
    """[BUG 2] The first block of any language was run, a shell command too."""
    reply = "```bash\npip install x\n```\n```python\na = 1\n```\nBetter:\n```py\na = 2\n```\n```json\n{}\n```"
    assert extract_code(reply) == "a = 2\n"


def test_without_a_python_block_the_last_one_without_a_language_is() -> None:
    """[BUG 2]"""
    assert extract_code("```\na = 1\n```\n```\na = 2\n```\n```text\nno\n```") == "a = 2\n"


def test_a_python_block_that_is_never_closed_counts() -> None:
    """[BUG 2] Without a closing fence the whole reply was run."""
    assert extract_code("Sure.\n```python\na = 1\nb = 2") == "a = 1\nb = 2"


def test_a_block_of_another_language_is_no_program() -> None:
    """[BUG 2]"""
    assert extract_code("```bash\necho $OUTPUT_PATH\n```") == ""


def test_a_bare_reply_is_a_program_only_if_it_compiles_and_writes_the_output() -> None:
    """[BUG 2]"""
    program = "import shutil\nshutil.copy(INPUT_PATH, OUTPUT_PATH)"
    assert extract_code(program) == program
    assert extract_code("print(1)") == ""
    assert extract_code("I would save it to OUTPUT_PATH.") == ""


def test_a_fence_within_a_longer_fence_is_part_of_the_program() -> None:
    assert extract_code("````python\ntext = '''\n```\n'''\n````") == "text = '''\n```\n'''\n"


def test_what_is_thought_is_not_run() -> None:
    assert extract_code("<think>```python\nwrong\n```</think>```python\nright\n```") == "right\n"


@pytest.mark.parametrize("reply", ["", "   ", "```python\n\n```", "```python\n```"])
def test_an_empty_reply_or_block_is_no_program(reply: str) -> None:
    assert extract_code(reply) == ""


def test_windows_line_ends_are_no_hindrance() -> None:
    assert extract_code("```python\r\na = 1\r\n```\r\n") == "a = 1\n"
