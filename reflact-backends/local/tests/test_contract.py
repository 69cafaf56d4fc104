"""The embedded model, with its real weights, keeps the contract of chat backends."""

from __future__ import annotations

import subprocess
import sys

import pytest
from reflact.testing import ChatContract

LET_GO = """
from reflact import Plugins
spec = Plugins().get("backends", "local_chat")
for _ in range(8):
    spec.build(spec.config())
"""


@pytest.mark.slow
class TestLocalChat(ChatContract):
    name = "local_chat"


@pytest.mark.slow
def test_a_model_that_is_let_go_before_it_was_asked_ends() -> None:
    subprocess.run([sys.executable, "-c", LET_GO], check=True, timeout=120)
