"""Plays games in a process of its own, told by JSON lines on stdin. A script: it needs TextWorld, and nothing of ours.

One answer per request goes to what was stdout; whatever the libraries print goes to stderr. The process ends with its
stdin, also while a game hangs, so that none outlives the program that started it. Ctrl-C is that program's to heed.
"""

import json
import os
import signal
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import Any


def main() -> None:
    """Answer requests until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.dup(1)
    os.dup2(2, 1)
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    game = stack()
    while True:
        request = requests.get()
        line = json.dumps(answer(game, request)) + "\n"
        _write(answers, line.encode())


def listen(requests: "SimpleQueue[dict[str, Any]]") -> None:
    """Put what stdin tells into *requests*; end the process with it, whatever else it is doing."""
    for line in sys.stdin:
        requests.put(json.loads(line))
    os._exit(0)


def answer(game: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Return what becomes of *request*: `load` a game file, take a `step`, or tell the `texts` of the domain."""
    if request["do"] == "texts":
        return texts()
    if request["do"] == "step":
        state, _, done = game.step(request["command"])
        return view(state, done=bool(done))
    game.load(request["gamefile"])
    game.request_infos.policy_commands = bool(request.get("plan"))
    state = game.reset()
    game.request_infos.policy_commands = False
    return {**view(state, done=False), "plan": list(state.get("policy_commands") or ())}


def view(state: Any, *, done: bool) -> dict[str, Any]:
    """Return what a player may see of *state*, and whether the game is won."""
    commands = list(state["admissible_commands"])
    return {"text": state["feedback"], "commands": commands, "won": bool(state["won"]), "done": done}


def texts() -> dict[str, Any]:
    """Return the rules and the grammar of all games, as alfworld brings them."""
    spec = find_spec("alfworld")
    folder = Path(next(iter(spec.submodule_search_locations or ()))) / "data" if spec else Path()
    names = {"domain": "alfred.pddl", "grammar": "alfred.twl2"}
    return {key: (folder / name).read_text(encoding="utf-8") for key, name in names.items()}


def stack() -> Any:
    """Return a game without one loaded. Jericho, which plays Z-machine files, is neither needed nor waited for."""
    jericho = ModuleType("jericho")
    vars(jericho)["__getattr__"] = lambda _: Warning
    sys.modules["jericho"] = jericho
    import textworld
    from alfworld.agents.environment.alfred_tw_env import AlfredDemangler, AlfredInfos
    from textworld.envs.pddl import PddlEnv

    wanted = textworld.EnvInfos(won=True, admissible_commands=True, extras=["gamefile"])
    return AlfredInfos(AlfredDemangler(PddlEnv(wanted), shuffle=False))


def _write(channel: int, data: bytes) -> None:
    while data:
        data = data[os.write(channel, data) :]


if __name__ == "__main__":
    main()
