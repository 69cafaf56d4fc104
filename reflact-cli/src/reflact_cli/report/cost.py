"""What a run has cost."""

from collections.abc import Iterator, Mapping
from typing import Any

from reflact_cli.report.numbers import dollars, duration, many, table


def cost_lines(spent: Mapping[str, Mapping[str, Any]], seconds: float | None) -> Iterator[str]:
    """Yield calls, tokens and dollars by role, from `reflact.engine.ledger.spent`, and the wall time in *seconds*."""
    rows: list[tuple[str, ...]] = [
        ("cost", "calls", "failed", "prompt", "of it cached", "completion", "of it reasoning", "model time", "USD")
    ]
    for role, entry in spent.items():
        usage = entry["usage"]
        tokens = [f"{usage[key]:,}" for key in ("prompt", "cached", "completion", "reasoning")]
        name = f"  {role} {entry['model']}".rstrip()
        counts = (f"{usage['calls']:,}", f"{entry['failed']:,}")
        rows.append((name, *counts, *tokens, duration(entry["seconds"]), priced([entry])))
    yield from table(rows, indent="")
    if not spent:
        yield "  no model was called"
    else:
        yield f"  USD: {priced(spent.values())}"
    kept = sum(entry["from_cache"] for entry in spent.values())
    if kept:
        yield f"  {many(kept, 'reply')} from the cache, unpaid"
    if seconds is not None:
        yield f"  wall time of this process: {duration(seconds)}"


def priced(entries: Any) -> str:
    """Return what *entries* of `spent` cost: `$1.23`, `not priced`, or `$1.23 + 40 calls not priced`."""
    known = [entry["usd"] for entry in entries if entry["usd"] is not None]
    unknown = sum(entry["unpriced"] for entry in entries)
    if not known:
        return "not priced"
    return dollars(sum(known)) + (f" + {many(unknown, 'call')} not priced" if unknown else "")
