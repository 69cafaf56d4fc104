"""Made-up BabyVision puzzles, drawn here, in the official layout and with its awkward cases."""

import json
from pathlib import Path
from random import Random

IMAGES = "images"


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* puzzles, drawn by *seed*, to `out/meta_data.jsonl`, and their pictures to `out/images`.

    The number of a puzzle is marked in its picture (`reflact.kit.media.watermark`) and is its `taskId` less 9000. Needs
    Pillow. All of it is made up here and free of rights (CC0).
    """
    from reflact_env_babyvision.puzzles import puzzle

    dice = Random(seed)
    (out / IMAGES).mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(n):
        image, record = puzzle(number, dice)
        image.save(out / IMAGES / f"{9000 + number}.png")
        folder = f"{IMAGES}/" if number % 2 else ""
        named = {"taskId": 9000 + number, **record, "image": f"{folder}{9000 + number}.png"}
        lines.append(json.dumps(named, ensure_ascii=False) + "\n")
    (out / "meta_data.jsonl").write_text("".join(lines), encoding="utf-8")
