"""From a normalised record to a task, its choices in the order the student sees."""

from collections.abc import Mapping
from hashlib import sha256
from random import Random
from string import ascii_uppercase
from typing import Any

from reflact import Task

from reflact_env_livemathematicianbench.config import LiveMathConfig
from reflact_env_livemathematicianbench.item import is_meta


def to_task(raw: Mapping[str, Any], *, config: LiveMathConfig) -> Task:
    """Return the task of *raw*: data with question, choices by label, the right label, and what stands behind it."""
    choices = {choice["label"]: choice["text"] for choice in raw["choices"]}
    right = raw["correct_choice"]["label"]
    if config.shuffle_choices and not raw.get("fixed_order"):
        choices, right = shuffled(choices, right, seed=config.shuffle_seed, task_id=raw["id"])
    return Task(
        id=raw["id"],
        kind=next(iter(raw["theorem_type"]), "math_mcq"),
        data={
            "question": raw["question"],
            "choices": choices,
            "correct": right,
            "theorem": raw["theorem"],
            "sketch": raw["sketch"],
            "month": raw["month"],
            "meta": next((label for label, text in choices.items() if is_meta(text)), ""),
        },
    )


def shuffled(choices: Mapping[str, str], right: str, *, seed: int, task_id: str) -> tuple[dict[str, str], str]:
    """Return *choices* in another order under the labels A, B, C, …, and the label of the *right* one among them.

    The order depends on *seed* and *task_id* alone, the same on every machine.
    """
    order = list(choices)
    Random(int(sha256(f"{seed}:{task_id}".encode()).hexdigest()[:16], 16)).shuffle(order)
    moved = dict(zip(ascii_uppercase, (choices[label] for label in order), strict=False))
    return moved, ascii_uppercase[order.index(right)]
