"""Write made-up games in the layout of the real ones; each is played through by the planner's plan before it counts."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from reflact import RunError

from reflact_env_alfworld.game import GameFault
from reflact_env_alfworld.games.installed import require_games
from reflact_env_alfworld.games.process import GameProcess
from reflact_env_alfworld.kinds import TASK_TYPES
from reflact_env_alfworld.places import GAME_FILE, NATIVE, PARTS, TRAJECTORY
from reflact_env_alfworld.sample.problem import problem, words
from reflact_env_alfworld.sample.rooms import PLACES, TARGETS, Room, furnish

SCENE = 900
"""Scene numbers of made-up rooms start here; the real ones end before."""


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* games, drawn by *seed*, below `out/json_2.1.1`: every kind of task, dealt over the three native splits.

    With 18 or more, every split has all six kinds. No two have the same task sentence while there are others left.
    Raises `DataError` when TextWorld is not installed, and `RunError` when no solvable room is found.
    """
    require_games()
    process = GameProcess(data_root=out)
    try:
        texts = process.ask({"do": "texts"})
        for number, room in enumerate(_rooms(n, Random(seed))):
            part = PARTS[(number + number // len(TASK_TYPES)) % len(PARTS)]
            mrecep = {"pick_clean": "SinkBasin", "pick_heat_": "Microwave", "pick_cool_": "Fridge"}.get(room.task[:10])
            name = f"{room.task}-{room.target}-{mrecep or 'None'}-{room.place}-{SCENE + number}"
            _write(out / NATIVE / part / name / f"trial_T{number:04d}", room, dict(texts), process)
    except GameFault as error:
        raise RunError(f"no game could be made: {error}") from error
    finally:
        process.close()


def _rooms(n: int, dice: Random) -> Iterator[Room]:
    choices = {task: list(product(TARGETS[task], PLACES[task])) for task in TASK_TYPES}
    for pairs in choices.values():
        dice.shuffle(pairs)
    for number in range(n):
        task = TASK_TYPES[number % len(TASK_TYPES)]
        target, place = choices[task][number // len(TASK_TYPES) % len(choices[task])]
        yield furnish(task, target, place, dice)


def _write(folder: Path, room: Room, texts: dict[str, Any], process: GameProcess) -> None:
    folder.mkdir(parents=True)
    game = {
        "pddl_domain": texts["domain"],
        "grammar": texts["grammar"].replace("UNKNOWN GOAL", words(room)),
        "pddl_problem": problem(room),
        "solvable": True,
    }
    file = folder / GAME_FILE
    file.write_text(json.dumps(game), encoding="utf-8")
    file.write_text(json.dumps({**game, "walkthrough": _plan(process, file)}), encoding="utf-8")
    (folder / TRAJECTORY).write_text(json.dumps(_told(room), indent=1) + "\n", encoding="utf-8")


def _plan(process: GameProcess, file: Path) -> list[str]:
    """Return the planner's commands, which were tried: they win the game, and only the last one does."""
    begun = process.begin(file, plan=True)
    plan = list(begun["plan"])
    views = [begun, *(process.ask({"do": "step", "command": command}) for command in plan)]
    if not plan or [view["won"] for view in views] != [*[False] * len(plan), True]:
        raise RunError(f"{file}: the planner's plan {plan} does not win this game; a fault of the generator")
    return plan


def _told(room: Room) -> dict[str, Any]:
    """Return what `traj_data.json` holds, as far as a made-up game has it: nobody has described it in words."""
    lit = room.task == "look_at_obj_in_light"
    return {
        "task_type": room.task,
        "pddl_params": {
            "object_target": room.target,
            "parent_target": "" if lit else room.place,
            "mrecep_target": "",
            "toggle_target": "DeskLamp" if lit else "",
            "object_sliced": False,
        },
        "scene": {"floor_plan": "made up", "scene_num": SCENE},
    }
