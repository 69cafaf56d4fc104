"""One epoch on made-up problems: a planted rule is learnt from pictures that really arrive, by chat and by an agent."""

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from reflact import DataError, Plugins, Summary
from reflact.config import resolve
from reflact.engine.train import train
from reflact.kit.media.watermark import read_mark
from reflact.testing import FakeModelServer, FakeRequest, ScriptedTeacher, scripted_backend
from reflact.testing.pictures import marks_of
from reflact.types import ExecJob, ExecResult
from reflact_env_mathverse.config import MathVerseConfig
from reflact_env_mathverse.env import MathVerse

RULE = "Look for the small print in the corner of the diagram."
EDIT = {"op": "append", "target": "", "content": f"- {RULE}"}
ANALYSIS = {
    "failure_summary": [{"failure_type": "misread", "count": 2, "description": "the corner was not looked at"}],
    "patch": {"reasoning": "one habit", "edits": [EDIT]},
}
MERGED = {"reasoning": "one rule", "edits": [{**EDIT, "sources": [0, 1]}]}
PROBE = {"reasoning": "did it look", "probe_instruction": "Say in one line which corner you looked at."}


def golds(sample: Path) -> dict[int, str]:
    """Return a right reply by the mark of each problem's picture."""
    env = MathVerse(MathVerseConfig(data_root=str(sample)))
    tasks = [*env.tasks("train"), *env.tasks("val"), *env.tasks("test")]
    return {3 * (int(task.data["problem"]) - 1000): env.gold(task) for task in tasks}


def answered(prompt: str, skill: str, marks: tuple[int | None, ...], known: dict[int, str]) -> str:
    """Return the right reply where the skill has the rule, and the one picture is that of the problem asked about."""
    number = int(re.findall(r"\bP(\d+)\b", prompt)[0])
    right = marks == (3 * number,) and RULE in skill
    return known[3 * number] if right else "<answer>I cannot tell</answer>"


def scripted(known: dict[int, str]) -> Callable[[FakeRequest], str]:
    """Return what plays teacher, judge and student, by the model's name; the student knows what is *known*."""

    def script(request: FakeRequest) -> str:
        if request.model == "teacher":
            merges = "sources" in json.dumps(request.body.get("response_format", {}))
            return json.dumps(PROBE if "Problems to look into" in request.text else MERGED if merges else ANALYSIS)
        if "Which colour" in request.text or "Reply with OK" in request.text:
            return "red"
        if request.model == "judge":
            return '{"reason": "it gives no value", "grade": "incorrect"}'
        return answered(request.text, request.system, marks_of(request), known)

    return script


def roles(url: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return student, teacher and judge at *url*."""
    common = {"backend": "openai_chat", "base_url": f"{url}/v1", "max_retries": 0}
    return {**common, "model": "student"}, {**common, "model": "teacher"}, {**common, "model": "judge"}


def run(
    student: dict[str, Any],
    teacher: dict[str, Any],
    judge: dict[str, Any],
    sample: Path,
    out: Path,
    *more: Any,
    sections: Mapping[str, Any] = MappingProxyType({}),
    config: Mapping[str, Any] = MappingProxyType({}),
) -> Summary:
    plugins = Plugins()
    for plugin in more:
        plugins.register(plugin, label="test")
    env = {"name": "mathverse", "data_root": str(sample), "split_ratio": "1:1:1", "workers": 4, **config}
    resolved = resolve(
        {
            "model": {"teacher": teacher, "student": student, "judge": judge},
            "train": {"num_epochs": 1, "batch_size": 4},
            "gradient": {"minibatch_size": 2},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": env,
            **sections,
        },
        plugins=plugins,
    )
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, out, observers=silent)


def test_a_planted_rule_is_learnt_by_a_chat_student(sample: Path, tmp_path: Path) -> None:
    pytest.importorskip("reflact_backend_openai")
    with FakeModelServer(scripted(golds(sample))) as server:
        summary = run(*roles(server.url), sample, tmp_path / "out")
        judged = [request for request in server.requests if request.model == "judge" and "begin" in request.text]
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
    assert judged
    assert summary.values["spent"]["judge"]["usage"]["calls"] >= len(judged)


def test_a_planted_rule_is_learnt_by_an_agent(sample: Path, tmp_path: Path) -> None:
    known = golds(sample)

    class Agent:
        def run(self, job: ExecJob) -> ExecResult:
            if "word of the day" in job.prompt:
                return ExecResult(answer="kestrel")
            marks = tuple(read_mark(image.data) for image in job.images)
            return ExecResult(answer=answered(job.prompt, job.skill.text, marks, known))

    judge = '{"reason": "no value", "grade": "incorrect"}'
    teacher = ScriptedTeacher({"analyst": ANALYSIS, "merge": MERGED, "judge": judge})
    backends = scripted_backend("fake_agent", Agent()), scripted_backend("fake_teacher", teacher)
    named = {"backend": "fake_teacher"}
    summary = run({"backend": "fake_agent"}, named, named, sample, tmp_path / "out", *backends)
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")


def test_what_only_the_teacher_may_know_never_reaches_the_student(sample: Path, tmp_path: Path) -> None:
    """P7 and S12: answers, wordings and paths lay open; deep reflection shows the teacher the wordiest version."""
    pytest.importorskip("reflact_backend_openai")
    sections = {"gradient": {"minibatch_size": 2, "use_deep_reflect": True}}
    config = {"use_text_dominant_reference": True, "question_type": "multi-choice"}
    with FakeModelServer(scripted(golds(sample))) as server:
        run(*roles(server.url), sample, tmp_path / "out", sections=sections, config=config)
        seen = {
            name: [one.system + one.text for one in server.requests if one.model == name]
            for name in ("student", "teacher")
        }
    assert any(PROBE["probe_instruction"] in text for text in seen["student"])
    assert any("In triangle P" in text for text in seen["teacher"])
    hidden = ("In triangle P", "The parabola P", "question_for_eval", ".png", str(sample))
    assert not [text for text in seen["student"] if any(part in text for part in hidden)]


def test_a_missing_picture_ends_a_run_before_it_begins(sample: Path, tmp_path: Path) -> None:
    """P5: an item without its picture vanished, or failed when it was paid for."""
    copy = Path(shutil.copytree(sample, tmp_path / "copy"))
    (copy / "images" / "images_version_1-4" / "image_1003.png").unlink()
    with FakeModelServer(lambda _: "red") as server:
        role = {"backend": "openai_chat", "base_url": f"{server.url}/v1", "model": "m"}
        with pytest.raises(DataError, match=r"image_1003\.png' not found"):
            run(role, role, role, copy, tmp_path / "out")
        assert not server.requests
