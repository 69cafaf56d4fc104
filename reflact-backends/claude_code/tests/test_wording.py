"""What Claude Code reads is what was written."""

from __future__ import annotations

import json
from base64 import b64decode

import pytest
from reflact.types import Image, Message, Text
from reflact_backend_claude_code.wording import conversation, inert, prompt, skill_file, system

PIXEL = Image(data=b"\x89PNG", media_type="image/png", label="Image #1")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("costs $1,000", r"costs \$1,000"),
        ("all of $ARGUMENTS[0]", r"all of \$ARGUMENTS[0]"),
        (r"already \$1", r"already \$1"),
        ("$HOME and $x stay", "$HOME and $x stay"),
        ("${CLAUDE_SESSION_ID}", "$ {CLAUDE_SESSION_ID}"),
        ("!`date`", r"\!`date`"),
        ("now: !`date`", r"now: \!`date`"),
        ("wow!`date`", "wow!`date`"),
        ("```!\ndate\n```", "``` !\ndate\n```"),
    ],
)
def test_nothing_in_a_skill_is_filled_in_or_run(written: str, read: str) -> None:
    assert inert(written) == read


def test_the_front_matter_of_a_skill_stays_yaml() -> None:
    text = skill_file('---\ndescription: "costs $1"\n---\n# Rules\n- $1\n')
    assert text.startswith('---\nname: "reflact-student"\ndescription: "costs $1"\n---\n')
    assert text.endswith("# Rules\n- \\$1\n")


def test_a_prompt_with_images_ends_in_the_call_of_the_skill() -> None:
    sent = json.loads(prompt("Which?", [("attachments/01.png", PIXEL)], skill=True))
    label, image, text = sent["message"]["content"]
    assert label["text"] == "[Image #1: attachments/01.png]"
    assert b64decode(image["source"]["data"]) == PIXEL.data
    assert text["text"] == "/reflact-student Which?"


def test_one_message_is_said_as_it_is() -> None:
    said = (Message(role="system", content="Be brief."), Message(role="user", content=(Text("Which?"), PIXEL)))
    assert system(said) == "Be brief."
    assert [block["type"] for block in conversation(said)] == ["text", "text", "image"]


def test_of_several_messages_each_says_whose_it_is() -> None:
    said = [
        Message(role="user", content="Ask"),
        Message(role="assistant", content="No"),
        Message(role="user", content="?"),
    ]
    told = [block["text"] for block in conversation(said)]
    assert told[:6] == ["<user>", "Ask", "</user>", "<assistant>", "No", "</assistant>"]
    assert "Reply as the assistant" in told[-1]
