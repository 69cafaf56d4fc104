"""What a call costs the client: processor time and throughput, side by side with the makers' SDKs.

`python benchmarks/calls/run.py --help`; see the README beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from clients import CLIENTS

HERE = Path(__file__).parent


@contextmanager
def server(latency_s: float) -> Iterator[str]:
    """Run the fake model server in a process of its own; yields its address."""
    command = [sys.executable, "-m", "reflact.testing.server", "--latency", str(latency_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main() -> None:
    """Measure each client in turn, round by round, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1280)
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds the server takes for an answer")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found: dict[str, list[dict[str, float]]] = {name: [] for name in CLIENTS}
    with server(options.latency) as url:
        for _ in range(options.rounds):
            for name, runs in found.items():
                words = (name, url, options.calls, options.workers, options.latency)
                command = [sys.executable, str(HERE / "measure.py"), *map(str, words)]
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                runs.append(json.loads(done.stdout))
    load = os.getloadavg()[0]
    print(f"{options.calls} calls, {options.workers} workers, {options.latency} s per answer, load {load:.1f}")
    print(f"{'client':24} {'CPU ms per call':>20} {'of ideal throughput':>24}")
    for name, runs in found.items():
        columns = [sorted(run[column] for run in runs) for column in ("cpu_ms", "efficiency")]
        cpu, share = (f"{median(one):.2f} ({one[0]:.2f} to {one[-1]:.2f})" for one in columns)
        print(f"{name:24} {cpu:>20} {share:>24}")


if __name__ == "__main__":
    main()
