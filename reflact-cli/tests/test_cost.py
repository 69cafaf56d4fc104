"""What a run costs, told honestly; and what happens when it may not cost more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact_cli.report.cost import cost_lines
from reflact_cli.report.numbers import dollars, many, size

DESKS = Path(__file__).parent / "plugins" / "desks.py"
USAGE = {"calls": 41, "prompt": 1000, "cached": 10, "completion": 100, "reasoning": 0}
Reflact = Callable[..., Any]


def entry(**values: Any) -> dict[str, Any]:
    counts = {"failed": 1, "from_cache": 0, "usage": USAGE, "usd": None, "unpriced": 0, "seconds": 3.0, "stages": {}}
    return {"model": "m", **counts, **values}


def told(**roles: dict[str, Any]) -> str:
    return "\n".join(cost_lines(roles, None))


@pytest.mark.parametrize(
    ("amount", "text"), [(0.0, "$0.00"), (0.004, "$0.0040"), (0.00001, "less than $0.0001"), (1234.5, "$1,234.50")]
)
def test_little_money_is_never_shown_as_none(amount: float, text: str) -> None:
    assert dollars(amount) == text


def test_what_is_not_priced_is_said_to_be_so_beside_what_is() -> None:
    out = told(student=entry(usd=1.0, unpriced=40), teacher=entry(usd=0.23))
    assert "USD: $1.23 + 40 calls not priced" in out
    assert "$1.00 + 40 calls not priced" in out.splitlines()[1]


def test_nothing_priced_is_not_zero_dollars() -> None:
    out = told(student=entry(unpriced=41))
    assert "USD: not priced" in out
    assert "$" not in out


def test_a_model_on_this_machine_costs_zero_dollars() -> None:
    assert "USD: $0.00" in told(student=entry(usd=0.0))


def test_replies_from_the_cache_are_told() -> None:
    assert "3 replies from the cache, unpaid" in told(student=entry(usd=0.0, from_cache=3))


def test_plurals_and_sizes() -> None:
    assert (many(1, "reply"), many(2, "reply")) == ("1 reply", "2 replies")
    assert (size(812), size(14_200), size(2_300_000)) == ("812", "14 k", "2.3 M")


def test_a_spent_budget_ends_the_run_with_6_and_says_how_to_go_on(train: Reflact, reflact: Reflact) -> None:
    ran = train("budget.calls=20")
    assert ran.code == 6
    assert "budget.calls: the 20 calls that may be spent are spent (" in ran.err
    assert f"Go on under a larger budget: reflact resume run --plugin {DESKS} budget.calls=MORE" in ran.err
    assert "Traceback" not in ran.err
    again = reflact("resume", "run", "--plugin", DESKS)
    assert (again.code, "budget.calls" in again.err) == (6, True)
    assert reflact("resume", "run", "budget.calls=1000", "--plugin", DESKS).code == 0
    assert json.loads(Path("run/run_config.json").read_text())["budget"]["calls"] == 1000


def test_prices_make_the_report_say_dollars(train: Reflact) -> None:
    out = train("--no-preflight", "train.num_epochs=1", "prices={scripted: {prompt: 1000, completion: 2000}}").out
    line = next(line for line in out.splitlines() if line.startswith("  USD: $"))
    assert "not priced" not in line
    spent = json.loads(Path("run/usage.json").read_text())["spent"]
    assert line == f"  USD: {dollars(sum(role['usd'] for role in spent.values()))}"


def test_a_bound_in_dollars_without_prices_is_warned_of(train: Reflact) -> None:
    assert "note: budget.usd cannot count the student's calls" in train("budget.usd=5", "train.num_epochs=1").out


def test_an_evaluation_that_spends_its_budget_says_how_to_go_on_too(reflact: Reflact) -> None:
    words = ("eval", "desks.yaml", "--plugin", DESKS, "--out", "scored", "--no-skill", "--no-preflight")
    ran = reflact(*words, "budget.calls=3")
    assert (ran.code, "--out scored, a larger budget.calls" in ran.err) == (6, True)
    assert reflact(*words, "budget.calls=8").code == 0
    assert len(Path("scored/calls.jsonl").read_text().splitlines()) == 8
