"""spreadsheetbench keeps what every env promises; of its own sample each gold is right and each input is not."""

from pathlib import Path
from shutil import which
from typing import Any

import pytest
from reflact.kit.scripted import EchoStudent
from reflact.testing import EnvContract
from reflact.types import Skill
from reflact_env_spreadsheetbench.config import SpreadsheetConfig
from reflact_env_spreadsheetbench.env import SpreadsheetBench
from reflact_env_spreadsheetbench.recipes import RECIPES
from reflact_env_spreadsheetbench.sample import write_sample

pytestmark = [
    pytest.mark.skipif(which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.filterwarnings("ignore:.*are taken for one case:RuntimeWarning"),
]
COPY = "```python\nimport shutil\nshutil.copyfile(INPUT_PATH, OUTPUT_PATH)\n```"


@pytest.mark.slow
class TestSpreadsheetBench(EnvContract):
    name = "spreadsheetbench"
    tasks_per_split = 1

    def settings(self, folder: Path) -> dict[str, Any]:
        return {**super().settings(folder), "recalc": "off", "max_turns": 2}


@pytest.mark.slow
def test_of_every_sample_task_the_gold_scores_one_and_the_untouched_input_nothing(tmp_path: Path) -> None:
    write_sample(tmp_path, len(RECIPES), 3)
    config = SpreadsheetConfig(data_path=str(tmp_path), split_ratio="1:1:1", recalc="off", mode="single")
    env = SpreadsheetBench(config)
    for task in (task for split in ("train", "val", "test") for task in env.tasks(split)):
        for reply, due in ((env.gold(task), 1.0), (COPY, 0.0)):
            rollout = env.run(task, skill=Skill(""), student=EchoStudent(reply), workdir=tmp_path / "w" / task.id)
            assert (task.id, rollout.hard, rollout.scored) == (task.id, due, True), rollout.feedback


def test_a_sample_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_sample(tmp_path / name, 8, 5)
    files = [path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file()]
    assert len(files) == 1 + 2 * sum(recipe.cases for recipe in RECIPES.values())
    assert all((tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes() for file in files)
