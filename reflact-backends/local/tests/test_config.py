"""A section that cannot work is refused with what to do about it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from reflact_backend_local.config import LocalConfig


def test_an_empty_section_works():
    assert LocalConfig().model == "qwen2.5-coder-0.5b-instruct-q4_k_m"


def test_a_misspelt_model_gets_the_nearest_name():
    with pytest.raises(ValidationError, match=r"Did you mean 'qwen2\.5-coder-0\.5b-instruct-q4_k_m'.*needs `path`"):
        LocalConfig(model="qwen2.5-coder-0.5b-instruct-q4_km")


def test_a_model_of_ones_own_needs_a_path_only():
    assert LocalConfig(model="mine", path="/models/mine.gguf").model == "mine"


def test_replies_must_leave_room_for_a_prompt():
    with pytest.raises(ValidationError, match="max_tokens 512 leaves no room for a prompt in context 512"):
        LocalConfig(context=512)


def test_an_unknown_key_is_refused():
    with pytest.raises(ValidationError, match="thread"):
        LocalConfig.model_validate({"thread": 1})
