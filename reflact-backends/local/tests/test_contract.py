"""The embedded model, with its real weights, keeps the contract of chat backends."""

from __future__ import annotations

import pytest
from reflact.testing import ChatContract


@pytest.mark.slow
class TestLocalChat(ChatContract):
    name = "local_chat"
