"""The words of a failure tell what kind it is."""

from __future__ import annotations

import pytest
from reflact.agents import fault_of


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("unexpected status 401 Unauthorized: bad key, url: http://x", "auth"),
        ("Not logged in · Please run /login", "auth"),
        ("Missing environment variable: `OPENAI_API_KEY`.", "auth"),
        ("Quota exceeded. Check your plan and billing details.", "quota"),
        ("You've hit your usage limit. Try again at 7 pm.", "quota"),
        ("Credit balance is too low", "quota"),
        ("exceeded retry limit, last status: 429 Too Many Requests", "rate_limit"),
        ("Codex ran out of room in the model's context window.", "context"),
        ("Prompt is too long", "context"),
        ("Request timed out", "timeout"),
        ("We're currently experiencing high demand", "unavailable"),
        ("API Error: 529 overloaded_error", "unavailable"),
        ("Connection failed: error sending request", "unavailable"),
        ("The model `m` does not exist", "bad_request"),
        ("Error loading config.toml: unknown field", "bad_request"),
        ("something else entirely", "unavailable"),
    ],
)
def test_a_message_is_known_by_its_words(told: str, fault: str) -> None:
    assert fault_of(told) == fault


def test_what_says_nothing_known_is_what_the_caller_says() -> None:
    assert fault_of("hm", default="bad_request") == "bad_request"
