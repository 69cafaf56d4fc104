"""A hook that nobody tests or explains is not one; a public name that is not listed is not public."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

import pytest
import reflact
from reflact import hookspecs
from workspace import ROOT, repository_files

HOOKS = {
    node.name: node
    for node in ast.parse(inspect.getsource(hookspecs)).body
    if isinstance(node, ast.FunctionDef) and any(ast.unparse(one) == "hookspec" for one in node.decorator_list)
}
EACH = pytest.mark.parametrize("hook", sorted(HOOKS))


def test_there_are_nine_hooks() -> None:
    assert len(HOOKS) == 9


@EACH
def test_a_hook_has_a_heading_with_its_arguments(hook: str) -> None:
    page = (ROOT / "docs" / "reference" / "hooks.md").read_text(encoding="utf-8")
    assert f"\n### `{hook}({ast.unparse(HOOKS[hook].args)})`\n" in page


@EACH
def test_a_hook_says_what_it_is_for(hook: str) -> None:
    assert ast.get_docstring(HOOKS[hook])


@EACH
def test_a_hook_has_a_test_that_is_named_for_it(hook: str) -> None:
    tests = [file.read_text(encoding="utf-8") for file in repository_files() if file.name.startswith("test_")]
    assert any(f"def test_{hook}_" in text for text in tests)


def test_what_is_exported_is_listed_and_the_list_is_sorted() -> None:
    exported = {
        name for name, value in vars(reflact).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert set(reflact.__all__) == exported
    assert list(reflact.__all__) == sorted(reflact.__all__)


def test_every_public_class_says_what_it_is() -> None:
    classes = [getattr(reflact, name) for name in reflact.__all__ if inspect.isclass(getattr(reflact, name))]
    assert not [one.__name__ for one in classes if not one.__doc__ or one.__doc__.startswith(f"{one.__name__}(")]
