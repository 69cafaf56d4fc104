"""Rules of the house that no linter knows, read off the syntax tree of every file of the product."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from workspace import ROOT, members, repository_files

LONGEST = 300
VAGUE = re.compile(r"(?:Manager|Handler|Helper|Base|Utils?)$")
BOUNDARIES = (
    "stages/rollout.py",
    "stages/batch.py",
    "kit/actions.py",
    "reflact/plugins.py",
    "testing/server/app.py",
    "reflact_cli/main.py",
)
"""Where an exception of somebody else's code becomes data or a message; a backend's `model.py` is one too."""

Rule = Callable[[Path, ast.AST], bool]


def test_a_file_has_at_most_300_lines() -> None:
    assert not [_name(file) for file in _product() if file.read_text(encoding="utf-8").count("\n") > LONGEST]


def test_a_module_says_in_its_docstring_why_it_exists() -> None:
    assert not [_name(file) for file in _product() if not ast.get_docstring(_tree(file))]


def test_nothing_is_global() -> None:
    assert not _places(lambda file, node: isinstance(node, ast.Global))


def test_only_the_command_line_prints() -> None:
    def prints(file: Path, node: ast.AST) -> bool:
        allowed = "reflact_cli" in file.parts or file.name == "__main__.py"
        return not allowed and isinstance(node, ast.Call) and ast.unparse(node.func) == "print"

    assert not _places(prints)


def test_only_a_client_and_the_command_line_read_the_environment() -> None:
    def reads(file: Path, node: ast.AST) -> bool:
        its_own = file.name == "environment.py" and file.parent.name.startswith("reflact_env_")
        allowed = "reflact_cli" in file.parts or _backend_file(file, "client.py", "weights.py") or its_own
        return not allowed and isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.getenv")

    assert not _places(reads)


def test_only_a_boundary_catches_everything() -> None:
    def catches(file: Path, node: ast.AST) -> bool:
        allowed = file.as_posix().endswith(BOUNDARIES) or _backend_file(file, "model.py")
        return not allowed and isinstance(node, ast.ExceptHandler) and _is_broad(node) and not _passes_on(node)

    assert not _places(catches)


def test_a_boolean_argument_is_given_by_keyword() -> None:
    def is_positional(file: Path, node: ast.AST) -> bool:
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_") or node.decorator_list:
            return False
        arguments = (*node.args.posonlyargs, *node.args.args)
        return any(one.annotation is not None and ast.unparse(one.annotation) == "bool" for one in arguments)

    assert not _places(is_positional)


def test_a_class_is_named_for_what_it_is() -> None:
    assert not _places(lambda file, node: isinstance(node, ast.ClassDef) and bool(VAGUE.search(node.name)))
    assert not [_name(file) for file in _product() if VAGUE.search(file.stem.title())]


def test_tests_replace_nothing_inside_our_own_modules() -> None:
    patching = re.compile(
        r"^\s*(?:from unittest.mock|from unittest import mock|import mock)|\bmonkeypatch\.setattr\(", re.M
    )
    tests = [file for file in repository_files() if file.suffix == ".py" and "tests" in file.parts]
    found = [_name(file) for file in tests if file != Path(__file__) and patching.search(file.read_text("utf-8"))]
    assert not found


def _product() -> list[Path]:
    return [file for member in members() for file in member.modules() if "templates" not in file.parts]


def _places(broken: Rule) -> list[str]:
    return [f"{_name(file)}:{node.lineno}" for file in _product() for node in _nodes(file) if broken(file, node)]


def _nodes(file: Path) -> Iterator[ast.expr | ast.stmt | ast.ExceptHandler]:
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.expr | ast.stmt | ast.ExceptHandler):
            yield node


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _backend_file(file: Path, *names: str) -> bool:
    return file.name in names and file.parent.name.startswith("reflact_backend_")


def _is_broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return bool({ast.unparse(one) for one in caught} & {"Exception", "BaseException"})


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """True when the handler ends by raising again what it caught."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None
