"""What an error says, and what the command line does with it."""

from __future__ import annotations

import pytest
from reflact.errors import (
    BackendError,
    BackendFault,
    ConfigError,
    DataError,
    PluginError,
    ReflactError,
    RunError,
    unknown,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ReflactError(), 1),
        (ConfigError(), 2),
        (DataError(), 2),
        (PluginError(), 3),
        (BackendError("gone"), 4),
        (RunError(), 5),
    ],
)
def test_each_kind_of_error_has_its_exit_code(error: ReflactError, code: int) -> None:
    assert error.exit_code == code


@pytest.mark.parametrize(
    ("fault", "fatal"),
    [("auth", True), ("quota", True), ("rate_limit", False), ("timeout", False), ("context", False)],
)
def test_only_a_bad_key_and_a_spent_quota_are_fatal(fault: BackendFault, fatal: bool) -> None:
    error = BackendError("no", fault=fault)
    assert (error.fault, error.fatal, str(error)) == (fault, fatal, "no")


@pytest.mark.parametrize(
    ("given", "known", "told"),
    [
        ("capitols", ["capitals", "searchqa"], "unknown env 'capitols'. Did you mean 'capitals'?"),
        ("xyz", ["searchqa", "capitals"], "unknown env 'xyz'. Known: capitals, searchqa."),
        ("xyz", [], "unknown env 'xyz'. Known: none."),
        ("xyz", iter(["b", "a"]), "unknown env 'xyz'. Known: a, b."),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest_or_with_all(given: str, known: list[str], told: str) -> None:
    assert unknown("env", given, known) == told
