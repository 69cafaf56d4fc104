"""Made-up MMRB items in the official layout, drawn here, and what is hard about markers, images and answers."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from reflact_env_mmrb.cases import DOT, PAIRS, Case, made_up

FOLDERS = {DOT: "001_Moving_Dot", PAIRS: "002_Spot_the_Difference"}


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* items, drawn by *seed*, to two sub-task folders below *out*, and one of them twice.

    Image k of item number i has the mark 32 i + k in its pixels (`reflact.kit.media.watermark`). Needs Pillow. All of
    it is made up here and free of rights (CC0).
    """
    from reflact_env_mmrb.drawing import draw

    dice = Random(seed)
    cases = [made_up(number, dice) for number in range(n)]
    for case in cases:
        folder = out / FOLDERS[case.subtask] / "images"
        folder.mkdir(parents=True, exist_ok=True)
        for place, cells in enumerate(case.images, start=1):
            draw(cells, case.mark(place), folder / _name(case, place))
    for subtask, name in FOLDERS.items():
        _write(out / name / f"{name}_human.json", [_item(one) for one in cases if one.subtask == subtask])


def _item(case: Case) -> dict[str, Any]:
    paths: list[Any] = [f"./images/{_name(case, place)}" for place in range(1, len(case.images) + 1)]
    if case.wrapped:
        paths = [{"path_index": place, "path": [one]} for place, one in reversed(list(enumerate(paths)))]
    seen = "; ".join(f"image {k}: {', '.join(map(str, cells))}" for k, cells in enumerate(case.images[:4], start=1))
    steps = [
        {
            "reasoning step": 1,
            "reasoning type": "Task Understanding",
            "rationale": "The dots matter, the grid does not.",
        },
        {
            "reasoning step": 2,
            "reasoning type": "Information Grounding",
            "rationale": case.draft or f"Cells with a dot: {seen}.",
            "rationale_fix": f"Cells with a dot: {seen}." if case.draft else "",
        },
    ]
    return {
        "source": "made up",
        "subtask": case.subtask,
        "index": case.number,
        "question": case.question,
        "options": list(case.options),
        "answer": case.answer,
        "question_type": case.question_type,
        "image_paths": paths,
        "reasoning_steps": [steps],
        "annotation_time": 30.0 + case.number,
    }


def _name(case: Case, place: int) -> str:
    return f"{'paar' if case.subtask == PAIRS else 'frame_é'}_{case.number}_{place}.png"


def _write(file: Path, items: Sequence[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps([*items, *items[:1]], ensure_ascii=False, indent=1)
    file.write_text(text + "\n", encoding="utf-8")
