"""The built-in update modes hold to the contract that third parties are held to."""

from collections.abc import Sequence
from typing import Any

from reflact.testing import UpdateModeContract
from reflact.types import Candidate, Edit, Suggestion


class TestPatch(UpdateModeContract):
    name = "patch"

    def items(self) -> Sequence[Any]:
        return [
            Edit(op="append", content="- Third rule.", sources=("minibatch_fail_000",), support_count=3),
            Edit(op="insert_after", target="- First rule.", content="- Between."),
            Edit(op="replace", target="- First rule.", content="- The first rule, clearer."),
            Edit(op="delete", target="- Second rule."),
        ]


class TestRewrite(UpdateModeContract):
    name = "rewrite_from_suggestions"

    def items(self) -> Sequence[Any]:
        return [
            Suggestion(
                type="add_rule",
                title="Third rule",
                motivation="Two tasks\nneeded it.",
                instruction="Add a third\nrule at the end.",
                sources=("minibatch_fail_000",),
                support_count=3,
            ),
            Suggestion(type="clarify", title="First rule", priority_hint="high", source_type="success"),
        ]

    def replies(self) -> dict[str, Any]:
        text = "---\nname: invented\n---\n# Skill\n\n- First rule, clearer.\n<!-- SLOW_UPDATE_END -->\n- Third rule."
        return {"rewrite": {"reasoning": "both", "change_summary": ["a third rule"], "new_skill": text}}


class TestFullRewrite(UpdateModeContract):
    name = "full_rewrite_minibatch"

    def items(self) -> Sequence[Any]:
        return [
            Candidate(title="Nothing\nat all", new_skill=" \n"),
            Candidate(
                title="Another",
                change_summary=("first", "second"),
                new_skill="# Skill\n\n- A rule.\n\n<!-- SLOW_UPDATE_START -->\nmine\n<!-- SLOW_UPDATE_END -->\n",
                sources=("minibatch_fail_000",),
                support_count=3,
            ),
        ]
