from typing import Any

import pytest
from reflact.errors import ConfigError
from reflact.testing import BackendContract, ScriptedModel


class Deaf(BackendContract):
    """A backend that is not registered and never asks its server."""

    name = "deaf"

    def connect(self, url: str, **more: Any) -> ScriptedModel:
        return ScriptedModel(lambda _: "always the same")


@pytest.mark.parametrize("name", [name for name in dir(BackendContract) if name.startswith("test_")])
def test_a_backend_that_never_asks_its_server_passes_no_test(name: str) -> None:
    with pytest.raises((AssertionError, ValueError, LookupError, ConfigError, pytest.fail.Exception)):
        getattr(Deaf(), name)()
