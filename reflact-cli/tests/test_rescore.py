"""`reflact rescore`: what it says, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]

ECHO = '''
"""A model that answers in the right words but the wrong case."""
from reflact import BackendSpec, ChatReply, hookimpl
from reflact.config import Config


class Model:
    def chat(self, request):
        return ChatReply(text=request.messages[-1].text.upper(), model="echo")


@hookimpl
def reflact_backends():
    return [BackendSpec(name="echo", kind="chat", config=Config, build=lambda config: Model())]
'''


def test_a_scorer_that_forgives_more_is_told_by_folder_and_decision(reflact: Reflact) -> None:
    items = [{"id": f"q{n}", "question": f"say word{n}", "answer": f"say word{n}"} for n in range(12)]
    Path("items.json").write_text(json.dumps(items))
    Path("echo.py").write_text(ECHO)
    roles = ("model.teacher_backend=echo", "model.student_backend=echo", "train.num_epochs=1", "train.batch_size=4")
    data = ("env.name=qa", "env.data_path=items.json", "env.split_ratio=1:1:1")
    Path("qa.yaml").write_text("optimizer: {use_slow_update: false, use_meta_skill: false}\n")
    assert reflact("train", "qa.yaml", *roles, *data, "--plugin", "echo.py", "--out", "run").code == 0
    same = reflact("rescore", "run", "--plugin", "echo.py", "--dry-run")
    assert (same.code, "0 of" in same.out, Path("run/rescore.json").exists()) == (0, True, False)
    changed = reflact("rescore", "run", "env.normalize=true", "--plugin", "echo.py")
    assert changed.code == 0
    assert "selection_eval_baseline (val): hard 0.0000 -> 1.0000, soft 0.0000 -> 1.0000; 4 of 4 changed" in changed.out
    assert changed.out.splitlines()[-1] == "run/rescore.json"
    assert json.loads(Path("run/rescore.json").read_text())["n_changed"] > 4


def test_of_an_evaluation_old_and_new_scores_are_told_whether_or_not_they_differ(reflact: Reflact) -> None:
    items = [{"id": f"q{n}", "question": f"say word{n}", "answer": f"say word{n}"} for n in range(12)]
    Path("items.json").write_text(json.dumps(items))
    Path("echo.py").write_text(ECHO)
    roles = ("model.teacher_backend=echo", "model.student_backend=echo")
    data = ("env.name=qa", "env.data_path=items.json", "env.split_ratio=1:1:1")
    assert reflact("eval", *roles, *data, "--plugin", "echo.py", "--no-skill", "--out", "scored").code == 0
    summary = Path("scored/eval_summary.json").read_text()
    same = reflact("rescore", "scored", "--plugin", "echo.py")
    assert same.out.splitlines() == [
        "eval/test (test): hard 0.0000 -> 0.0000, soft 0.0000 -> 0.0000; 0 of 4 changed",
        "0 of 4 rollouts are worth something else now",
        "scored/rescore.json",
    ]
    changed = reflact("rescore", "scored", "env.normalize=true", "--plugin", "echo.py")
    assert "eval/test (test): hard 0.0000 -> 1.0000, soft 0.0000 -> 1.0000; 4 of 4 changed" in changed.out
    assert Path("scored/eval_summary.json").read_text() == summary


def test_a_folder_with_neither_a_run_nor_an_evaluation_is_refused(reflact: Reflact) -> None:
    Path("elsewhere").mkdir()
    refused = reflact("rescore", "elsewhere")
    assert (refused.code, refused.out) == (5, "")
    assert "elsewhere holds no run and no evaluation" in refused.err


def test_an_env_without_regrade_is_refused(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    refused = reflact("rescore", "run", "--plugin", DESKS)
    assert (refused.code, refused.out) == (2, "")
    assert "env 'desks' cannot grade again what is stored" in refused.err
