"""What the end of an epoch has brought, in a line for each stage."""

from reflact_cli.epochs import StageResult
from reflact_cli.report.step import verdict

QUIET = frozenset({"inject_placeholder", "skip_first_epoch"})
NAMES = {"slow_update": "slow update", "meta_skill": "meta skill", "meta_reflect": "meta reflect"}
WORDS = {
    "no_content": "the teacher wrote nothing",
    "write_meta_skill": "the teacher renewed its notes on how to edit this skill",
}


def stage_line(result: StageResult, *, before: float | None) -> str:
    """Return the line of *result*, empty when there is nothing to tell; *before* is the score it had to beat."""
    action = str(result.values.get("action", ""))
    if action in QUIET:
        return ""
    return f"{NAMES[result.stage]}: {WORDS.get(action) or verdict(result.values, before)}"
