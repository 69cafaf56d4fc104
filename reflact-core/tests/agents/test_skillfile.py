"""A SKILL.md is readable by a strict reader of Agent Skills, whatever the skill says."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from reflact.agents import render_skill
from reflact.agents.skillfile import DESCRIPTION, MAX_DESCRIPTION, NOTHING_YET


def parts(text: str) -> tuple[dict[str, str], str]:
    """Return front matter and body as a strict reader takes them: the block ends at the first line that is `---`."""
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    assert match
    return yaml.safe_load(match[1]), text[match.end() :]


def test_a_plain_skill_gets_a_name_and_a_description_and_stays_as_it_is() -> None:
    front, body = parts(render_skill("# Rules\n\n- One.\n"))
    assert front == {"name": "reflact-student", "description": DESCRIPTION}
    assert body == "\n# Rules\n\n- One.\n"


def test_a_skill_with_front_matter_keeps_its_description_and_nothing_else_of_it() -> None:
    text = '---\nname: other\ndescription: "Says: \\"all\\""\nallowed-tools: Bash\n---\n\n- One.\n'
    front, body = parts(render_skill(text))
    assert front == {"name": "reflact-student", "description": 'Says: "all"'}
    assert body == "\n- One.\n"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_front_matter_is_found_whatever_the_line_ends(line_end: str) -> None:
    front, body = parts(render_skill(line_end.join(["---", "description: mine", "---", "- One."])))
    assert (front["description"], body) == ("mine", "\n- One.\n")


def test_a_section_between_two_rules_is_no_front_matter() -> None:
    _, body = parts(render_skill("---\nDo it well\n---\n- One."))
    assert body == "\n---\nDo it well\n---\n- One.\n"


def test_an_empty_skill_says_so() -> None:
    assert parts(render_skill(" \n"))[1].strip() == NOTHING_YET


def test_a_description_is_cut_at_the_limit_of_the_standard() -> None:
    front, _ = parts(render_skill("x", description="word " * 1000))
    assert len(front["description"]) <= MAX_DESCRIPTION


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_the_front_matter_or_closes_it(skill: str, description: str) -> None:
    front, body = parts(render_skill(skill, description=description))
    assert set(front) == {"name", "description"}
    assert front["name"] == "reflact-student"
    assert isinstance(front["description"], str) and "\n" not in front["description"]
    assert body.strip()


@given(st.text(max_size=100))
def test_a_description_of_the_skill_itself_breaks_nothing_either(description: str) -> None:
    text = f"---\n{yaml.safe_dump({'description': description})}---\n- One.\n"
    front, body = parts(render_skill(text))
    assert set(front) == {"name", "description"}
    assert body == "\n- One.\n"
