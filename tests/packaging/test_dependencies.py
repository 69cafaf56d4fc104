"""Every member declares what it imports: an editable workspace hides a missing declaration, a user's does not."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from workspace import ROOT, Distribution, distributions, members

EACH_MEMBER = pytest.mark.parametrize("member", members(), ids=str)
EACH = pytest.mark.parametrize("dist", distributions(), ids=str)
OURS = {dist.name for dist in distributions()}
OWNERS = {member.package.name: member.name for member in members()}
COMPANIONS = {"pydantic_core": "pydantic"}
"""Packages that a dependency pins exactly and tells its users to import from."""
CONSTRAINT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][0-9A-Za-z.+!]*)")


class Imported(NamedTuple):
    """A top-level package that is imported, where, and whether nobody can do without it."""

    package: str
    place: str
    always: bool


@EACH_MEMBER
def test_a_member_declares_what_its_files_import(member: Distribution) -> None:
    declared = _names(member.project["dependencies"])
    optional = _names(one for extra in member.project.get("optional-dependencies", {}).values() for one in extra)
    missing = [
        f"{one.place} imports {one.package}"
        for one in _imports(member)
        if not _providers(one.package) & (declared if one.always else declared | optional)
    ]
    assert not missing, f"{member}'s pyproject.toml does not declare: {', '.join(missing)}"


@EACH
def test_a_dependency_on_our_own_is_bounded_to_this_minor_version(dist: Distribution) -> None:
    version = Version(dist.project["version"])
    bounds = f">={version.major}.{version.minor},<{version.major}.{version.minor + 1}"
    for requirement in _requirements(dist):
        if requirement.name in OURS - {dist.name}:
            assert str(requirement.specifier) == str(Requirement(f"x{bounds}").specifier), str(requirement)


@EACH
def test_a_dependency_on_others_has_a_lower_bound(dist: Distribution) -> None:
    for requirement in _requirements(dist):
        if requirement.name not in OURS:
            operators = {one.operator for one in requirement.specifier}
            assert operators & {">=", "==", "~="}, f"{requirement} has no lower bound"


def test_constraints_are_exact_versions_of_other_peoples_distributions() -> None:
    for line in _constraint_lines():
        assert CONSTRAINT.fullmatch(line), f"{line!r} is not name==version"
    assert not {canonicalize_name(name) for name in _constraints()} & {*OURS, "pip", "setuptools", "wheel"}


@EACH
def test_the_constraints_fit_what_is_declared_and_cover_what_is_required(dist: Distribution) -> None:
    pinned = {canonicalize_name(name): version for name, version in _constraints().items()}
    for requirement in _requirements(dist):
        name = canonicalize_name(requirement.name)
        if name in pinned:
            assert pinned[name] in requirement.specifier, f"{requirement} excludes {name}=={pinned[name]}"
    required = _names(dist.project["dependencies"]) - {canonicalize_name(one) for one in OURS} - {"pip"}
    assert required <= pinned.keys(), f"constraints.txt lacks {sorted(required - pinned.keys())}"


def _imports(member: Distribution) -> Iterator[Imported]:
    """Yield what is neither the standard library nor the member itself.

    Imports inside functions, and those in a subpackage that is named like an extra, may come from an extra.
    """
    extras = member.project.get("optional-dependencies", {}).keys()
    for file in member.modules():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        optional = extras & set(file.relative_to(member.package).parts)
        always = set() if optional else {id(node) for node in tree.body}
        for node in (one for one in ast.walk(tree) if isinstance(one, ast.Import | ast.ImportFrom)):
            for package in _packages(node):
                if package not in sys.stdlib_module_names and package != member.package.name:
                    yield Imported(package, f"{file.relative_to(ROOT)}:{node.lineno}", id(node) in always)


def _packages(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    return [node.module.partition(".")[0]] if node.module and not node.level else []


def _providers(package: str) -> set[str]:
    """Return the distributions that may bring *package*: its owner, or those that are installed and of its name."""
    if package in OWNERS:
        return {OWNERS[package]}
    found = [*_installed().get(package, []), COMPANIONS.get(package, package)]
    return {canonicalize_name(one) for one in found}


@cache
def _installed() -> Mapping[str, list[str]]:
    return packages_distributions()


def _requirements(dist: Distribution) -> list[Requirement]:
    extras = dist.project.get("optional-dependencies", {}).values()
    return [Requirement(one) for one in (*dist.project["dependencies"], *(one for extra in extras for one in extra))]


def _names(requirements: Iterable[str]) -> set[str]:
    return {canonicalize_name(Requirement(one).name) for one in requirements}


def _constraint_lines() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def _constraints() -> dict[str, str]:
    return dict(line.split("==") for line in _constraint_lines())
