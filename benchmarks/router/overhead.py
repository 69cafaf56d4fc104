"""What the router adds to a call: time per call with a model that answers at once, by what is switched on."""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from reflact import ChatReply, ChatRequest, Message, Usage
from reflact.config.spend import Budget, Prices
from reflact.contracts import ChatModel
from reflact.engine.ledger import writer
from reflact.llm.budget import Purse
from reflact.llm.limiter import Limiter
from reflact.llm.prices import PriceList
from reflact.llm.replies import Replies
from reflact.llm.retry import Retry
from reflact.llm.router import Bound, Ledger, Memo, Ways

REPLY = ChatReply(text="an answer", usage=Usage(calls=1, prompt=900, completion=100))
REQUEST = ChatRequest(messages=(Message(role="user", content="a question " * 200),), stage="rollout")
PRICES = {"m": Prices(prompt=1.0, completion=2.0)}


class AtOnce:
    """A model that does nothing."""

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the one reply."""
        return REPLY


def bound(ways: Ways, ledger: Ledger, model: ChatModel) -> Bound:
    """Return the model as a role has it."""
    return Bound(role="student", backend="b", model_name="m", kind="chat", model=model, ledger=ledger, ways=ways)


def cases(folder: Path) -> Mapping[str, Bound]:
    """Return what is measured, by name. *folder* takes the files."""
    model = AtOnce()
    usual = Ways(retry=Retry(), limiter=Limiter(256))
    bounded = replace(usual, purse=Purse(Budget(calls=10**9, usd=1e9)), prices=PriceList(prices=PRICES))
    memo = Memo(replies=Replies(folder / "replies.sqlite"), identity="m")
    return {
        "in memory": bound(usual, Ledger(), model),
        "with calls.jsonl": bound(usual, Ledger(writer(folder / "a")), model),
        "with calls.jsonl, a budget and prices": bound(bounded, Ledger(writer(folder / "b")), model),
        "from the reply cache": bound(replace(usual, memo=memo), Ledger(writer(folder / "c")), model),
    }


def seconds_per_call(call: Callable[[], object], n: int) -> tuple[float, float]:
    """Return wall and CPU seconds per call of *n*."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(n):
        call()
    return (time.perf_counter() - wall) / n, (time.process_time() - cpu) / n


def main() -> None:
    """Print the median of some rounds for each case, in milliseconds, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000, help="calls in a round")
    parser.add_argument("--rounds", type=int, default=7, help="rounds, of which the median is taken")
    asked = parser.parse_args()
    bare = AtOnce()
    with tempfile.TemporaryDirectory() as folder:
        measured = {"the model alone": _median(lambda: bare.chat(REQUEST), asked)}
        for name, role in cases(Path(folder)).items():
            measured[name] = _median(lambda role=role: role.chat(REQUEST), asked)  # type: ignore[misc]
    print(json.dumps(measured, indent=2))


def _median(call: Callable[[], object], asked: argparse.Namespace) -> Mapping[str, float]:
    rounds = [seconds_per_call(call, asked.calls) for _ in range(asked.rounds)]
    wall, cpu = (statistics.median(column) for column in zip(*rounds, strict=True))
    return {"wall_ms": round(1000 * wall, 4), "cpu_ms": round(1000 * cpu, 4)}


if __name__ == "__main__":
    main()
