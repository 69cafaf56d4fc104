"""Made-up DocVQA pages, drawn here, and the answers that are hard to read or to keep as they are."""

import json
from pathlib import Path
from random import Random
from typing import Any

from reflact_env_docvqa.pages import Page, made_up

PER_PAGE = 4
FOLDER = "documents"


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* questions, drawn by *seed*, to `out/items.json` in the competition's shape, and their pages.

    Four questions share a page. The number of a page is marked in its pixels (`reflact.kit.media.watermark`) and is
    its `docId` less 70000. Needs Pillow. All of it is made up here and free of rights (CC0).
    """
    from reflact_env_docvqa.drawing import draw

    dice = Random(seed)
    pages = [made_up(number, dice) for number in range(-(-n // PER_PAGE))]
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    for page in pages:
        draw(page, out / FOLDER / page.file)
    items = [item for page in pages for item in _items(page)][:n]
    wrapped = {"dataset_name": "made-up docvqa", "dataset_split": "val", "dataset_version": "1.0", "data": items}
    (out / "items.json").write_text(json.dumps(wrapped, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _items(page: Page) -> list[dict[str, Any]]:
    return [
        {
            "questionId": 900_000 + page.number * PER_PAGE + place,
            "question": asked.question,
            "image": f"{FOLDER}/{page.file}",
            "docId": 70_000 + page.number,
            "ucsf_document_id": f"made{page.number:04d}",
            "ucsf_document_page_no": "1",
            "answers": list(asked.answers),
            "question_types": [page.kind],
        }
        for place, asked in enumerate(page.asked)
    ]
