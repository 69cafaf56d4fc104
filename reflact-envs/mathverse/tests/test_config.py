"""What a configuration asks of the student."""

import pytest
from reflact_env_mathverse.config import MathVerseConfig, needs


@pytest.mark.parametrize(("version", "needed"), [("Text Only", set()), ("Vision Only", {"images"}), ("", {"images"})])
def test_a_student_must_see_unless_the_problems_are_text_alone(version: str, needed: set[str]) -> None:
    assert needs(MathVerseConfig(problem_version=version)) == needed
