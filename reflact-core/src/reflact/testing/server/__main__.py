"""The fake server as a process of its own, for benchmarks: `python -m reflact.testing.server --latency 0.2`."""

import argparse
import sys
import threading

from reflact.testing.server import FakeModelServer, FakeReply


def main() -> None:
    """Serve one fixed answer until interrupted; the address is the first line on standard output."""
    parser = argparse.ArgumentParser(prog="python -m reflact.testing.server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--text", default="<answer>42</answer>", help="the answer")
    options = parser.parse_args()
    reply = FakeReply(text=options.text, latency_s=options.latency)
    with FakeModelServer(lambda _: reply, port=options.port, keep=100) as server:
        try:
            sys.stdout.write(f"{server.url}\n")
            sys.stdout.flush()
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write(f"at most {server.peak} calls at once\n")


if __name__ == "__main__":
    main()
