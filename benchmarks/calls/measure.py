"""Measure one client in a process of its own: `python measure.py CLIENT URL CALLS WORKERS LATENCY`; prints JSON."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from math import ceil

from clients import CLIENTS

ANSWER = "<answer>42</answer>"


def cpu_s() -> float:
    """Return the processor time of this process, in seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(name: str, url: str, *, calls: int, workers: int, latency_s: float) -> dict[str, float]:
    """Return processor milliseconds per call, and the share of the ideal throughput: nothing but the latency."""
    call = CLIENTS[name](url)
    with ThreadPoolExecutor(workers) as pool:
        for said in pool.map(lambda _: call(), range(workers)):  # opens the connections
            assert said == ANSWER, said
        wall, cpu = time.monotonic(), cpu_s()
        answers = list(pool.map(lambda _: call(), range(calls)))
        wall, cpu = time.monotonic() - wall, cpu_s() - cpu
    assert answers == [ANSWER] * calls
    return {"cpu_ms": 1000 * cpu / calls, "efficiency": ceil(calls / workers) * latency_s / wall}


if __name__ == "__main__":
    name, url, calls, workers, latency = sys.argv[1:]
    found = measure(name, url, calls=int(calls), workers=int(workers), latency_s=float(latency))
    sys.stdout.write(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # some clients take a while to let go of their connections
