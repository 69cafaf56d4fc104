"""One epoch on made-up items: a planted rule is learnt from images that arrive in order, by chat and by an agent."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Plugins, Summary
from reflact.config import resolve
from reflact.engine.train import train
from reflact.kit.media.watermark import read_mark
from reflact.testing import FakeModelServer, FakeRequest, ScriptedTeacher, scripted_backend
from reflact.testing.pictures import marks_of, pictures_of
from reflact.types import ExecJob, ExecResult
from reflact_env_mmrb.config import MMRBConfig
from reflact_env_mmrb.env import MMRB

pytestmark = pytest.mark.filterwarnings("ignore:.*items are left out:RuntimeWarning")
RULE = "Count the cells from the top left corner."
EDIT = {"op": "append", "target": "", "content": f"- {RULE}"}
ANALYSIS = {
    "failure_summary": [{"failure_type": "miscounted", "count": 2, "description": "cells were counted anyhow"}],
    "patch": {"reasoning": "one habit", "edits": [EDIT]},
}
MERGED = {"reasoning": "one rule", "edits": [{**EDIT, "sources": [0, 1]}]}
PROBE = {"reasoning": "did it look", "probe_instruction": "Say in one line how you counted."}
Known = dict[int, tuple[str, dict[str, int]]]


def known(sample: Path) -> Known:
    """Return, by the number in a question, a right reply and the marks of its images by label."""
    env = MMRB(MMRBConfig(data_path=str(sample)))
    found: Known = {}
    for task in (*env.tasks("train"), *env.tasks("val"), *env.tasks("test")):
        number = int(task.id.rpartition(":")[2])
        marks = {f"Image #{k}": 32 * number + k for k in range(1, len(task.data["images"]) + 1)}
        found[number] = (env.gold(task), marks)
    return found


def answered(prompt: str, skill: str, marks: list[tuple[str, int | None]], truth: Known) -> str:
    """Return the right reply where the skill has the rule and every image is the right one under its right name."""
    reply, wanted = truth[int(re.findall(r"Case (\d+):", prompt)[0])]
    right = dict(marks) == wanted and len(marks) == len(wanted) and RULE in skill
    return reply if right else "<answer>I cannot tell which</answer>"


def scripted(truth: Known) -> Callable[[FakeRequest], str]:
    """Return what plays teacher and student, by the model's name; the student knows the *truth*."""

    def script(request: FakeRequest) -> str:
        if request.model == "teacher":
            merges = "sources" in json.dumps(request.body.get("response_format", {}))
            return json.dumps(PROBE if "Questions to look into" in request.text else MERGED if merges else ANALYSIS)
        if "Which colour" in request.text or "Reply with OK" in request.text:
            return "red"
        labels = [picture.label for picture in pictures_of(request)]
        return answered(request.text, request.system, list(zip(labels, marks_of(request), strict=True)), truth)

    return script


def roles(url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return student and teacher at *url*."""
    common = {"backend": "openai_chat", "base_url": f"{url}/v1", "max_retries": 0}
    return {**common, "model": "student"}, {**common, "model": "teacher"}


def run(
    student: dict[str, Any], teacher: dict[str, Any], sample: Path, out: Path, *more: Any, deep: bool = False
) -> Summary:
    plugins = Plugins()
    for plugin in more:
        plugins.register(plugin, label="test")
    resolved = resolve(
        {
            "model": {"teacher": teacher, "student": student},
            "train": {"num_epochs": 1, "batch_size": 4},
            "gradient": {"minibatch_size": 2, "use_deep_reflect": deep},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {"name": "mmrb", "data_path": str(sample), "split_ratio": "1:1:1", "workers": 4},
        },
        plugins=plugins,
    )
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, out, observers=silent)


@pytest.mark.parametrize(("backend", "path"), [("openai_chat", "/v1"), ("claude_chat", "")])
def test_a_planted_rule_is_learnt_by_a_chat_student(sample: Path, tmp_path: Path, backend: str, path: str) -> None:
    """B1: every rollout by chat ended in an error and scored 0."""
    for package in ("openai", "anthropic" if backend == "claude_chat" else "openai"):
        pytest.importorskip(f"reflact_backend_{package}")
    with FakeModelServer(scripted(known(sample))) as server:
        student, teacher = roles(server.url)
        student = {**student, "backend": backend, "base_url": f"{server.url}{path}", "api_key": "any"}
        summary = run(student, teacher, sample, tmp_path / "out")
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")


def test_what_only_the_teacher_may_know_never_reaches_the_student(sample: Path, tmp_path: Path) -> None:
    """P7 and S12: solutions and paths lay open; deep reflection shows the teacher the authors' solutions."""
    pytest.importorskip("reflact_backend_openai")
    with FakeModelServer(scripted(known(sample))) as server:
        run(*roles(server.url), sample, tmp_path / "out", deep=True)
        seen = {
            name: [one.system + one.text for one in server.requests if one.model == name]
            for name in ("student", "teacher")
        }
    assert any(PROBE["probe_instruction"] in text for text in seen["student"])
    assert any("Cells with a dot" in text for text in seen["teacher"])
    hidden = ("Cells with a dot", "It never moves", ".png", str(sample))
    assert not [text for text in seen["student"] if any(part in text for part in hidden)]


def test_a_missing_image_ends_a_run_before_it_begins(sample: Path, tmp_path: Path) -> None:
    """P5: a missing image was left out, and the markers named others."""
    copy = Path(shutil.copytree(sample, tmp_path / "copy"))
    (copy / "002_Spot_the_Difference" / "images" / "paar_3_1.png").unlink()
    with FakeModelServer(lambda _: "red") as server:
        with pytest.raises(DataError, match=r"image 1 of 2: image .*paar_3_1\.png' not found"):
            run(*roles(server.url), copy, tmp_path / "out")
        assert not server.requests


def test_a_planted_rule_is_learnt_by_an_agent(sample: Path, tmp_path: Path) -> None:
    truth = known(sample)

    class Agent:
        def run(self, job: ExecJob) -> ExecResult:
            if "word of the day" in job.prompt:
                return ExecResult(answer="kestrel")
            marks = [(image.label, read_mark(image.data)) for image in job.images]
            return ExecResult(answer=answered(job.prompt, job.skill.text, marks, truth))

    teacher = ScriptedTeacher({"analyst": ANALYSIS, "merge": MERGED})
    backends = scripted_backend("fake_agent", Agent()), scripted_backend("fake_teacher", teacher)
    summary = run({"backend": "fake_agent"}, {"backend": "fake_teacher"}, sample, tmp_path / "out", *backends)
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
