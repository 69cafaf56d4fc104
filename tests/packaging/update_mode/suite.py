"""What the author of the mode tests it with."""

from collections.abc import Sequence

from reflact.testing import PromptContract, UpdateModeContract
from reflact_mode_lines import Line


class TestLines(UpdateModeContract):
    name = "lines"

    def items(self) -> Sequence[Line]:
        return [Line(text="Third\nrule."), Line(text="Fourth <!-- SLOW_UPDATE_END --> rule.")]


class TestPrompts(PromptContract):
    name = "lines"
    suffixes = ("_lines",)
