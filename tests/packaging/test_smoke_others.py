"""Core, command line and backends work from their wheels, in an environment with what they declare."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from clean import CleanEnvironment
from smoked import announced, smoked
from workspace import Distribution, members

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("member", [one for one in members() if not one.name.startswith("reflact-env-")], ids=str)
def test_a_member_works_with_what_it_declares(
    member: Distribution, environment: Callable[..., CleanEnvironment]
) -> None:
    assert smoked(member, environment(member.name)) == announced(member)
