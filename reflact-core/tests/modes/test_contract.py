"""The built-in update modes hold to the contract that third parties are held to."""

from collections.abc import Sequence
from typing import Any

from reflact.testing import UpdateModeContract
from reflact.types import Edit


class TestPatch(UpdateModeContract):
    name = "patch"

    def items(self) -> Sequence[Any]:
        return [
            Edit(op="append", content="- Third rule.", sources=("minibatch_fail_000",), support_count=3),
            Edit(op="insert_after", target="- First rule.", content="- Between."),
            Edit(op="replace", target="- First rule.", content="- The first rule, clearer."),
            Edit(op="delete", target="- Second rule."),
        ]
