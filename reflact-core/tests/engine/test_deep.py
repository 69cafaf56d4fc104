"""Deep reflect: telling tasks are run again with a question of the teacher's, as evidence and never for a score."""

import json
import re
from pathlib import Path
from typing import Any

from reflact import EnvSpec, Summary, Task, hookimpl
from reflact.config import resolve
from reflact.engine.train import train
from reflact.types import ChatRequest
from world import World, WorldConfig, insightful, obedient, world

DEEP = {"use_deep_reflect": True, "deep_reflect_failures": 2, "deep_reflect_successes": 1, "minibatch_size": 8}


def run(root: Path, teacher: Any, student: Any = obedient, plugin: Any = None, **sections: Any) -> Summary:
    resolved, plugins = world(student, teacher, gradient=DEEP, **sections)
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, root, observers=quiet)


def probing(instruction: str) -> Any:
    def teacher(request: ChatRequest) -> str:
        if request.stage == "deep_probe":
            return json.dumps({"reasoning": "", "probe_instruction": instruction})
        return insightful(request)

    return teacher


def test_the_student_is_asked_again_and_its_answer_reaches_the_analyst(tmp_path: Path) -> None:
    shown: list[str] = []

    def teacher(request: ChatRequest) -> str:
        if request.stage == "analyst":
            shown.append(request.messages[-1].text)
        return str(probing("Say which rule you looked for.")(request))

    def student(request: ChatRequest) -> str:
        said = obedient(request)
        return f"{said} I looked everywhere." if "which rule you looked for" in request.messages[-1].text else said

    run(tmp_path, teacher, student)
    assert any("I looked everywhere." in text for text in shown)
    probe = json.loads((tmp_path / "steps/step_0001/deep_reflect/probe.json").read_text())
    assert probe["probe_instruction"] == "Say which rule you looked for."
    rows = (tmp_path / "steps/step_0001/deep_reflect/rollout/results.jsonl").read_text().splitlines()
    assert len(rows) == 2


def test_a_probe_never_changes_a_score(tmp_path: Path) -> None:
    def student(request: ChatRequest) -> str:
        number = re.findall(r"task (\d+)", request.messages[-1].text)[0]
        return f"done {number}" if "PROBE" in request.messages[-1].text else "no idea"

    run(tmp_path, probing("PROBE"), student)
    first = json.loads((tmp_path / "history.json").read_text())[0]
    assert (first["rollout_hard"], first["rollout_n"]) == (0.0, 8)
    assert first["accumulation_batches"][0]["n_probes"] == 2


def test_a_probe_that_gives_an_answer_away_is_refused(tmp_path: Path) -> None:
    asked: list[str] = []

    def teacher(request: ChatRequest) -> str:
        if request.stage == "deep_probe":
            asked.append(request.messages[-1].text)
            number = re.findall(r"task (\d+) of", request.messages[1].text)[0]
            return json.dumps({"reasoning": "", "probe_instruction": f"Why is it done {number}?"})
        return insightful(request)

    seen: list[str] = []

    def student(request: ChatRequest) -> str:
        seen.append(request.messages[-1].text)
        return obedient(request)

    run(tmp_path, teacher, student)
    assert "gives away done" in asked[1]
    assert not [text for text in seen if "Why is it" in text]
    assert not (tmp_path / "steps/step_0001/deep_reflect/rollout").exists()


def test_a_hidden_reference_reaches_the_teacher_and_never_the_student(tmp_path: Path) -> None:
    class Taught(World):
        def reference(self, task: Task) -> str:
            return f"The secret worked solution of {task.id}."

    class Plugin:
        @hookimpl
        def reflact_envs(self) -> list[EnvSpec]:
            return [EnvSpec(name="taught", config=WorldConfig, build=Taught)]

    teacher_saw: list[str] = []
    student_saw: list[str] = []

    def teacher(request: ChatRequest) -> str:
        teacher_saw.append(request.messages[-1].text)
        return str(probing("Name the rule you used.")(request))

    def student(request: ChatRequest) -> str:
        student_saw.append("".join(message.text for message in request.messages))
        return obedient(request)

    resolved, plugins = world(student, teacher, gradient=DEEP)
    plugins.register(Plugin(), label="taught")
    resolved = resolve(
        {
            "model": {"student": {"backend": "scripted_student"}, "teacher": {"backend": "scripted_teacher"}},
            "train": {"num_epochs": 1, "batch_size": 8},
            "gradient": DEEP,
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {"name": "taught"},
        },
        plugins=plugins,
    )
    train(resolved, plugins, tmp_path, observers=plugins.observers(disabled=frozenset(plugins.names("observers"))))
    assert any("secret worked solution" in text for text in teacher_saw)
    assert not any("secret worked solution" in text for text in student_saw)
