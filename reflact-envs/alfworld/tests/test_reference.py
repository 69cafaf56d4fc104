"""What the teacher reads of a game, and the student never."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reflact.contracts import SupportsBatch, SupportsReference

Build = Callable[..., Any]
TOLD = {
    "task_type": "pick_and_place_simple",
    "pddl_params": {"object_target": "Mug", "parent_target": "Shelf", "mrecep_target": "", "object_sliced": False},
    "turk_annotations": {"anns": [{"task_desc": f"Shelve it, {n}.", "high_descs": ["Go."] * 20} for n in range(5)]},
    "plan": {"high_pddl": [{"discrete_action": {"action": "GotoLocation", "args": ["shelf"]}}] * 20},
    "scene": {"floor_plan": "FloorPlan9", "scene_num": 9, "object_poses": [{}]},
}


def test_it_is_what_people_said_the_plan_and_the_commands(build: Build, root: Path) -> None:
    env = build()
    task = env.tasks("train")[0]
    (root / task.data["gamefile"]).with_name("traj_data.json").write_text(json.dumps(TOLD), encoding="utf-8")
    text = env.reference(task)
    assert text.startswith("Task type:\n- pick_and_place_simple\n\nDescribed by people as:\n- Shelve it, 0.\n")
    assert "Shelve it, 2." in text and "Shelve it, 3." not in text
    assert text.count("- Go.") == text.count("- GotoLocation shelf") == 12
    assert "- object_target: Mug\n- parent_target: Shelf" in text and "mrecep_target" not in text
    assert "- scene_num: 9" in text and "object_poses" not in text
    assert "Commands that win it:\n- go to desk 1\n" in text


def test_without_annotations_it_is_type_and_walkthrough(build: Build) -> None:
    env = build()
    text = env.reference(env.tasks("train")[0])
    assert text.startswith("Task type:\n- pick_and_place_simple\n\nCommands that win it:\n- go to desk 1\n")


def test_the_engine_sees_what_the_env_can_do(build: Build) -> None:
    assert isinstance(build(), SupportsReference)
    assert isinstance(build(), SupportsBatch)
