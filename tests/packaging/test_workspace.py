"""The distributions belong together: one version, one licence, typed, and announced under names that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from reflact import Plugins
from reflact.plugins import NOUN
from workspace import ROOT, Distribution, distributions, members

EACH_MEMBER = pytest.mark.parametrize("member", members(), ids=str)
EACH = pytest.mark.parametrize("dist", distributions(), ids=str)


def test_all_distributions_have_one_version() -> None:
    assert len({dist.project["version"] for dist in distributions()}) == 1


def test_no_two_distributions_share_a_name() -> None:
    names = [dist.name for dist in distributions()]
    assert len(set(names)) == len(names)


@EACH_MEMBER
def test_a_member_has_one_import_package_named_after_it(member: Distribution) -> None:
    found = [path for path in (member.folder / "src").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert found == [member.package]


@EACH
def test_a_distribution_says_what_it_is(dist: Distribution) -> None:
    assert dist.project["description"]
    assert dist.project["requires-python"] == ">=3.11"
    assert (dist.folder / dist.project["readme"]).read_text(encoding="utf-8").startswith("# ")


@EACH
def test_a_distribution_is_under_the_apache_licence_and_brings_its_text(dist: Distribution) -> None:
    assert dist.project["license"] == "Apache-2.0"
    assert (dist.folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@EACH_MEMBER
def test_a_member_is_typed(member: Distribution) -> None:
    assert (member.package / "py.typed").is_file()


@EACH_MEMBER
def test_an_entry_point_names_a_module_that_exists(member: Distribution) -> None:
    for group, entries in _entry_points(member).items():
        assert group == "scripts" or group.removeprefix("reflact.") in NOUN, f"nobody reads the group {group}"
        for name, value in entries.items():
            module, _, attribute = value.partition(":")
            file = _module_file(member.folder / "src", module)
            assert file.is_file(), f"{name} = {value!r}: there is no {file}"
            assert not attribute or attribute in _top_level_names(file), f"{name} = {value!r}: no {attribute} in {file}"


@EACH_MEMBER
def test_what_a_member_announces_can_be_loaded(member: Distribution) -> None:
    plugins = Plugins()
    for one in [one for one in plugins.announced() if one.distribution == member.name]:
        if one.slot != "observers":
            assert plugins.get(one.slot, one.name).name == one.name


def test_every_tool_in_the_root_pyproject_knows_every_member() -> None:
    tool = Distribution(ROOT).pyproject["tool"]
    packages = {member.package.name for member in members()}
    plugins = packages - {"reflact", "reflact_cli"}
    contracts = {one["name"]: one for one in tool["importlinter"]["contracts"]}
    assert set(tool["uv"]["sources"]) == {member.name for member in members()}
    assert set(tool["mypy"]["mypy_path"].split(":")) == {f"{one.folder.relative_to(ROOT)}/src" for one in members()}
    assert set(tool["importlinter"]["root_packages"]) == packages
    assert set(contracts["plugins see only what is published"]["source_modules"]) == plugins
    assert set(contracts["nothing imports a plugin"]["forbidden_modules"]) == plugins


def _entry_points(member: Distribution) -> dict[str, dict[str, str]]:
    scripts = {"scripts": member.project.get("scripts", {})}
    return {**scripts, **member.project.get("entry-points", {})}


def _module_file(src: Path, module: str) -> Path:
    path = src.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _top_level_names(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names |= {alias.asname or alias.name for alias in node.names}
    return names
