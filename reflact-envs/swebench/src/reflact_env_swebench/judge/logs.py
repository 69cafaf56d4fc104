"""Which tests passed, read off what a test program printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

PYTEST = re.compile(r"^(PASSED|XFAIL) ([^\s\[]+(?:\[.*?\](?=\s|$))?)", re.MULTILINE)
UNITTEST = re.compile(r"^(\w+) \(([\w.]+)\)(?:\n[^\n]*?)? \.\.\. (ok|expected failure)$", re.MULTILINE)


def pytest_log(text: str) -> frozenset[str]:
    """Return the tests that passed, by the names of `pytest -rA`: `folder/test_it.py::test_one[case]`."""
    return frozenset(name for _, name in PYTEST.findall(text))


def unittest_log(text: str) -> frozenset[str]:
    """Return the tests that passed by either name of `unittest -v`: `module.Class.test` and `test (module.Class)`."""
    names: set[str] = set()
    for test, place, _ in UNITTEST.findall(text):
        owner = place.removesuffix(f".{test}")
        names |= {f"{owner}.{test}", f"{test} ({owner})", f"{test} ({owner}.{test})"}
    return frozenset(names)


LOGS: Mapping[str, Callable[[str], frozenset[str]]] = {
    "pytest": pytest_log,
    "parse_log_pytest": pytest_log,
    "unittest": unittest_log,
    "parse_log_django": unittest_log,
}
"""How the log of an item is read, by its `log_parser`."""
