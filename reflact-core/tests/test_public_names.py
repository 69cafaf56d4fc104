"""What `import reflact` gives, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest
import reflact
import reflact.testing
import reflact.types


@pytest.mark.parametrize("module", [reflact, reflact.types, reflact.testing], ids=lambda module: module.__name__)
def test_all_names_only_what_is_there_and_nothing_twice(module: ModuleType) -> None:
    assert all(hasattr(module, name) for name in module.__all__)
    assert len(module.__all__) == len(set(module.__all__))


def test_the_public_names_are_sorted() -> None:
    assert list(reflact.__all__) == sorted(reflact.__all__)


@pytest.mark.parametrize("module", [reflact, reflact.types], ids=lambda module: module.__name__)
def test_all_names_everything_that_is_public(module: ModuleType) -> None:
    public = {
        name for name, value in vars(module).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public == set(module.__all__)


def test_every_error_of_the_tree_is_public() -> None:
    def below(kind: type[Exception]) -> set[type[Exception]]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__()))

    own = {kind.__name__ for kind in below(reflact.ReflactError) if kind.__module__ == "reflact.errors"}
    assert own <= set(reflact.__all__)


def test_importing_it_loads_no_library_that_takes_long() -> None:
    heavy = ("pydantic", "jinja2", "yaml", "asyncio", "json_repair", "openai", "rich", "click")
    code = f"import reflact, sys; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
