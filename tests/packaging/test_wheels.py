"""Every distribution works from its wheel, in an environment that holds what it declares and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from clean import CleanEnvironment
from workspace import Distribution, distributions, members

pytestmark = pytest.mark.slow
EACH_MEMBER = pytest.mark.parametrize("member", members(), ids=str)
Environment = Callable[..., CleanEnvironment]


def test_every_distribution_has_a_wheel_that_any_python_3_can_install(wheels: Path) -> None:
    names = {f"{dist.name.replace('-', '_')}-{dist.project['version']}-py3-none-any.whl" for dist in distributions()}
    assert {file.name for file in wheels.iterdir()} == names


@EACH_MEMBER
def test_a_wheel_holds_every_file_of_the_package_and_no_test(member: Distribution, wheels: Path) -> None:
    with ZipFile(_wheel(member, wheels)) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = {file for file in member.package.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    assert held == {file.relative_to(member.package.parent).as_posix() for file in files}


@pytest.mark.parametrize("dist", distributions(), ids=str)
def test_a_wheel_brings_the_licence_and_says_which(dist: Distribution, wheels: Path) -> None:
    with ZipFile(_wheel(dist, wheels)) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    assert "License-Expression: Apache-2.0" in metadata
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_installing_reflact_brings_the_command_and_the_env_for_own_data(environment: Environment) -> None:
    clean = environment("reflact[openai,searchqa]")
    assert "train" in clean.run("reflact", "--help")
    listed = clean.run("reflact", "plugins")
    assert all(name in listed for name in ("qa", "searchqa", "openai_chat"))
    assert "local_chat" not in listed


def _wheel(dist: Distribution, wheels: Path) -> Path:
    return next(wheels.glob(f"{dist.name.replace('-', '_')}-*.whl"))
