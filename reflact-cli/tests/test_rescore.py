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
    written = json.loads(Path("run/run_config.json").read_text())
    written["env"]["normalize"] = True
    Path("run/run_config.json").write_text(json.dumps(written))
    changed = reflact("rescore", "run", "--plugin", "echo.py")
    assert changed.code == 0
    assert "selection_eval_baseline (val): hard 0.0000 -> 1.0000, soft 0.0000 -> 1.0000; 4 of 4 changed" in changed.out
    assert changed.out.splitlines()[-1] == "run/rescore.json"
    assert json.loads(Path("run/rescore.json").read_text())["n_changed"] > 4


def test_an_env_without_regrade_is_refused(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    refused = reflact("rescore", "run", "--plugin", DESKS)
    assert (refused.code, refused.out) == (2, "")
    assert "env 'desks' cannot grade again what is stored" in refused.err
