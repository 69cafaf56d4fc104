"""What a run has cost."""

from collections.abc import Iterator, Mapping
from typing import Any

from reflact_cli.report.numbers import duration, table


def cost_lines(spent: Mapping[str, Mapping[str, Any]], seconds: float | None) -> Iterator[str]:
    """Yield calls and tokens by role, from `reflact.engine.ledger.spent`, and the wall time in *seconds*."""
    rows: list[tuple[str, ...]] = [
        ("cost", "calls", "failed", "prompt", "of it cached", "completion", "of it reasoning", "model time")
    ]
    for role, entry in spent.items():
        usage = entry["usage"]
        tokens = [f"{usage[key]:,}" for key in ("prompt", "cached", "completion", "reasoning")]
        name = f"  {role} {entry['model']}".rstrip()
        rows.append((name, f"{usage['calls']:,}", f"{entry['failed']:,}", *tokens, duration(entry["seconds"])))
    yield from table(rows, indent="")
    if not spent:
        yield "  no model was called"
    yield "  USD: not priced (no price list is configured)"
    if seconds is not None:
        yield f"  wall time of this process: {duration(seconds)}"
