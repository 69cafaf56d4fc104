"""Every env works from its wheel, in an environment that holds what it declares and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from clean import CleanEnvironment
from smoked import announced, smoked
from workspace import Distribution, members

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("member", [one for one in members() if one.name.startswith("reflact-env-")], ids=str)
def test_a_member_works_with_what_it_declares(
    member: Distribution, environment: Callable[..., CleanEnvironment]
) -> None:
    assert smoked(member, environment(member.name)) == announced(member)
