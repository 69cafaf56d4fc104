"""A process that plays one game at a time: asked over pipes, with a time limit, and ended for certain."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from reflact import pool

from reflact_env_alfworld.game import GameFault, View

CHILD = Path(__file__).with_name("child.py")
LOOK_S = 0.25
"""Seconds between two looks whether the answer is still wanted."""
STARTING_S = 120.0
"""Seconds a process may take to import TextWorld."""
TAIL = 2000


class GameProcess:
    """Implements `Game`. Not for several threads at once."""

    def __init__(self, python: str = "", *, data_root: Path = Path(), timeout_s: float = 180.0) -> None:
        self._timeout_s = timeout_s
        self._errors = TemporaryFile()  # noqa: SIM115  (it lives as long as the process)
        self._unread = b""
        self.games = 0
        """How many games were loaded so far."""
        command = ["env", f"ALFWORLD_DATA={data_root.absolute()}", python or sys.executable, "-P", str(CHILD)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=0
        )

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def load(self, gamefile: Path) -> View:
        """Begin the game in *gamefile*. Raises `GameFault` when the process ends or takes too long."""
        return _view(self.begin(gamefile))

    def begin(self, gamefile: Path, *, plan: bool = False) -> Mapping[str, Any]:
        """Begin the game in *gamefile*; the answer's `plan` holds the planner's commands if one is asked for."""
        first = not self.games
        self.games += 1
        request = {"do": "load", "gamefile": str(gamefile.absolute()), "plan": plan}
        return self.ask(request, timeout_s=self._timeout_s + STARTING_S * first)

    def step(self, command: str) -> View:
        """Do *command*. Raises `GameFault` when the process ends or takes too long."""
        return _view(self.ask({"do": "step", "command": command}, timeout_s=self._timeout_s))

    def ask(self, request: Mapping[str, Any], *, timeout_s: float = STARTING_S) -> Mapping[str, Any]:
        """Return the answer to *request*; a process that gives none within *timeout_s* is of no use any more.

        Raises `GameFault`, and `reflact.pool.Stopped` when the work of this thread is not wanted any more.
        """
        try:
            self._pipe("stdin").write(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise self._ended() from error
        answer: Mapping[str, Any] = json.loads(self._line(request, timeout_s))
        return answer

    def close(self) -> None:
        """End the process at once, whatever it does, and wait for its end. May be called again."""
        self._process.kill()
        self._process.wait()
        for one in (self._process.stdin, self._process.stdout, self._errors):
            if one is not None:
                one.close()

    def _line(self, request: Mapping[str, Any], timeout_s: float) -> bytes:
        until = time.monotonic() + timeout_s
        source = self._pipe("stdout").fileno()
        poll = select.poll()
        poll.register(source, select.POLLIN)
        while b"\n" not in self._unread:
            pool.check()
            left = until - time.monotonic()
            if left <= 0:
                what = f"{request['do']} {request.get('command', '')}".strip()
                told = f"the game gave no answer to {what!r} within {timeout_s:g} s (env.action_timeout)"
                raise GameFault(told, outcome="timeout")
            if poll.poll(1000 * min(left, LOOK_S)):
                data = os.read(source, 1 << 20)
                if not data:
                    raise self._ended()
                self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _pipe(self, name: str) -> Any:
        return getattr(self._process, name)

    def _ended(self) -> GameFault:
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()[-TAIL:]
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return GameFault(f"the game's process ended {how}" + (f": {said}" if said else ""))


def _view(answer: Mapping[str, Any]) -> View:
    return View(text=answer["text"], commands=answer["commands"], won=answer["won"], done=answer["done"])
