import subprocess
import sys

import reflact.testing

PROGRAM = """
import sys
import reflact.testing
from reflact.testing import FakeModelServer, ScriptedModel
assert "pytest" not in sys.modules
"""


def test_fakes_and_server_need_no_pytest() -> None:
    assert subprocess.run([sys.executable, "-c", PROGRAM], timeout=60, check=False).returncode == 0


def test_every_public_name_is_found() -> None:
    for name in reflact.testing.__all__:
        assert getattr(reflact.testing, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(reflact.testing, "MockServer")
