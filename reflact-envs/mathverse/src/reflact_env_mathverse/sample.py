"""Made-up MathVerse problems in all versions, drawn here, and the golds that are hard to get right."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from reflact_env_mathverse.figures import Figure, made_up
from reflact_env_mathverse.layout import DOMINANT, TEXT_ONLY, VERSIONS, VISION_ONLY

LITE, INTENSIVE, VISION_DOMINANT = "Text Lite", "Vision Intensive", "Vision Dominant"
FOLDERS = {VISION_DOMINANT: "images_version_5", VISION_ONLY: "images_version_6"}
MARKS = {"images_version_1-4": 0, "images_version_5": 1, "images_version_6": 2}
"""What is added to three times a problem's number in the mark of its picture."""


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* problems, drawn by *seed*, to *out* in the official layout: five versions each, and Text Only.

    Pictures carry a mark in their pixels (`reflact.kit.media.watermark`): three times the problem's number, plus 0, 1
    or 2 for its three pictures. Needs Pillow. All of it is made up here and free of rights (CC0).
    """
    from reflact_env_mathverse.drawing import draw

    dice = Random(seed)
    figures = [made_up(number, dice) for number in range(n)]
    for folder, offset in MARKS.items():
        (out / "images" / folder).mkdir(parents=True, exist_ok=True)
        for figure in figures:
            told = _lines(figure, folder)
            draw(figure.shape, told, 3 * figure.number + offset, out / "images" / folder / _file(figure))
    _write(out / "testmini.json", [item for figure in figures for item in _versions(figure)])
    _write(out / "testmini_text_only.json", [_item(figure, TEXT_ONLY, figure.full, "") for figure in figures])


def _versions(figure: Figure) -> Iterator[dict[str, Any]]:
    worded = {DOMINANT: figure.full, LITE: figure.lite, INTENSIVE: figure.lite, VISION_DOMINANT: figure.lite}
    for version, question in {**worded, VISION_ONLY: ""}.items():
        yield _item(figure, version, question, f"{FOLDERS.get(version, 'images_version_1-4')}/{_file(figure)}")


def _item(figure: Figure, version: str, stem: str, image: str) -> dict[str, Any]:
    question = "\n".join(filter(None, (stem, figure.block))) if stem else ""
    return {
        "sample_index": f"{6 * figure.number + VERSIONS.index(version)}",
        "problem_index": f"{1000 + figure.number}",
        "problem_version": version,
        "question": question,
        "image": image,
        "answer": figure.answer,
        "question_type": figure.question_type,
        "metadata": {
            "split": "testmini",
            "source": "made up",
            "subject": figure.subject,
            "subfield": figure.subfield,
        },
        "query_wo": question,
        "query_cot": question,
        "question_for_eval": "\n".join(filter(None, (figure.full, figure.block))),
    }


def _lines(figure: Figure, folder: str) -> list[str]:
    asked = [figure.full, *figure.block.split("\n")] if folder == FOLDERS[VISION_ONLY] else []
    return [*figure.notes, *(line[start : start + 46] for line in asked for start in range(0, len(line), 46))]


def _file(figure: Figure) -> str:
    return f"image_{1000 + figure.number}.png"


def _write(file: Path, items: list[dict[str, Any]]) -> None:
    file.write_text(json.dumps(items, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
