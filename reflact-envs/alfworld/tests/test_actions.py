"""From replies to actions."""

import pytest
from reflact_env_alfworld.actions import move_of


@pytest.mark.parametrize(
    ("reply", "command"),
    [
        ("<think>a</think><action>go to desk 1</action>", "go to desk 1"),
        ("<ACTION>Go To Desk 1</ACTION>", "go to desk 1"),
        ("<action>look</action> no, <action>open safe 1</action>", "open safe 1"),
        ("<action>\n go   to\tdesk 1 \n</action>", "go to desk 1"),
        ("<action>open safe 1\nand then more", "open safe 1"),
        ('<action type="x">look</action>', "look"),
        ("<think>perhaps <action>look</action></think><action>inventory</action>", "inventory"),
        ("perhaps <action>look</action></think><action>inventory</action>", "inventory"),
        ("<action>look</action >", "look"),
    ],
)
def test_the_last_action_tag_is_the_action(reply: str, command: str) -> None:
    """[BUG 2] Another case of letters, or a second tag, is no other action."""
    assert move_of(reply).command == command


@pytest.mark.parametrize("reply", ["", "go to desk 1", "<action></action>", "<action> </action>", "action: look"])
def test_a_reply_without_an_action_is_none_and_not_a_look(reply: str) -> None:
    """[BUG 3]"""
    assert move_of(reply).command is None


def test_an_action_in_thoughts_that_never_end_is_taken() -> None:
    assert move_of("<think>so I go <action>look</action>").command == "look"


def test_the_reasoning_is_what_was_thought_or_said_before() -> None:
    assert move_of("<think> the mug </think><action>look</action>").reasoning == "the mug"
    assert move_of("I look.<action>look</action>").reasoning == "I look."
