"""`reflact config`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


def test_each_value_is_shown_with_its_origin(reflact: Reflact) -> None:
    ran = reflact("config", "desks.yaml", "env.workers=3", "--origin", "--plugin", DESKS)
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in ran.out.splitlines()}
    assert rows["env.workers"] == ["3", "command line"]
    assert rows["train.batch_size"] == ["4", "desks.yaml:6"]
    assert rows["model.teacher.backend"] == ["coach", "desks.yaml:2"]
    assert rows["train.seed"] == ["42", "default"]


def test_what_is_shown_is_a_config_again(reflact: Reflact) -> None:
    first = reflact("config", "desks.yaml", "--plugin", DESKS).out
    Path("again.yaml").write_text(first, encoding="utf-8")
    assert reflact("config", "again.yaml", "--plugin", DESKS).out == first


def test_a_secret_is_never_shown(reflact: Reflact) -> None:
    words = ("model.student_backend=openai_chat", "model.student.api_key=sk-very-secret-0")
    for form in ((), ("--origin",)):
        ran = reflact("config", "desks.yaml", *words, "--plugin", DESKS, *form)
        assert ran.code == 0, ran.err
        assert "sk-very-secret-0" not in ran.out + ran.err
        assert "**********" in ran.out


def test_older_names_are_told_on_stderr_so_that_the_output_stays_yaml(reflact: Reflact) -> None:
    ran = reflact("config", "desks.yaml", "--edit_budget", "5", "--plugin", DESKS)
    assert yaml.safe_load(ran.out)["optimizer"]["learning_rate"] == 5
    assert "--edit_budget is an old name; write optimizer.learning_rate" in ran.err


def test_the_schema_needs_no_config(reflact: Reflact) -> None:
    schema = json.loads(reflact("config", "--schema").out)
    assert {"model", "train", "env"} <= schema["properties"].keys()


def test_a_setting_of_a_role_is_shown_with_the_key_that_set_it(reflact: Reflact) -> None:
    words = ("model.student_backend=openai_chat", "model.reasoning_effort=high", "--target_model", "little")
    ran = reflact("config", "desks.yaml", *words, "model.student.timeout_s=7", "--origin", "--plugin", DESKS)
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in ran.out.splitlines()}
    assert rows["model.student.effort"] == ["high", "command line"]
    assert rows["model.student.model"] == ["little", "command line"]
    assert rows["model.student.timeout_s"] == ["7.0", "command line"]
    assert rows["model.student.max_retries"] == ["4", "default"]
