"""The env docvqa with students that say what they are told."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from reflact import Image, Skill, Split
from reflact.kit.media.watermark import read_mark
from reflact.kit.scripted import EchoStudent
from reflact.kit.templates import Templates
from reflact.llm.prompts import Prompts
from reflact.stages.trajectories import trajectories
from reflact_env_docvqa.config import DocVQAConfig
from reflact_env_docvqa.env import DocVQA
from reflact_env_docvqa.sample import write_sample

SPLITS: tuple[Split, ...] = ("train", "val", "test")


@dataclass(frozen=True, slots=True)
class SeeingStudent(EchoStudent):
    """Keeps the images it was shown."""

    images: list[tuple[Image, ...]] = field(default_factory=list)

    def answer(self, prompt: str, *, images: Sequence[Image] = (), **more: Any) -> str:
        self.images.append(tuple(images))
        return EchoStudent.answer(self, prompt, **more)


def docvqa(folder: Path, **config: Any) -> DocVQA:
    write_sample(folder / "sample", 24, 7)
    return DocVQA(DocVQAConfig(data_path=str(folder / "sample"), split_ratio="1:1:1", **config))


def test_every_task_is_shown_its_own_page_and_nothing_else(tmp_path: Path) -> None:
    env = docvqa(tmp_path, image_max_side=1024)
    for task in (one for split in SPLITS for one in env.tasks(split)):
        student = SeeingStudent("<answer>x</answer>")
        rollout = env.run(task, skill=Skill("s"), student=student, workdir=tmp_path)
        (images,) = student.images
        assert [read_mark(one.data) for one in images] == [int(task.data["page"].split(":")[0]) - 70_000]
        assert [one.label for one in images] == ["Image #1"]
        assert student.prompts == [task.data["question"]]
        (told,) = rollout.extra["images"]
        assert max(told["width"], told["height"]) <= 1024
        assert str(tmp_path) not in repr(rollout)


def test_the_rollout_tells_the_teacher_question_golds_and_why(tmp_path: Path) -> None:
    env = docvqa(tmp_path)
    task = env.tasks("train")[0]
    rollout = env.run(task, skill=Skill(""), student=EchoStudent("<answer>q</answer>"), workdir=tmp_path)
    assert (rollout.question, rollout.expected) == (task.data["question"], tuple(task.data["answers"]))
    assert rollout.feedback.startswith("anls=")


def test_further_turns_show_the_page_again_and_end_with_a_tag(tmp_path: Path) -> None:
    """P10."""
    env = docvqa(tmp_path, max_turns=9)
    replies = iter(["I am not sure", "perhaps <answer>Ans", "<answer>Ansel</answer>", "never asked"])
    student = SeeingStudent(lambda _: next(replies))
    rollout = env.run(env.tasks("train")[0], skill=Skill(""), student=student, workdir=tmp_path)
    assert (rollout.extra["n_turns"], rollout.answer) == (3, "Ansel")
    assert [len(one) for one in student.images] == [1, 1, 1]
    assert "## Previous attempt 1\n\nI am not sure" in student.prompts[2]


def test_a_stored_rollout_is_graded_again_from_what_it_holds(tmp_path: Path) -> None:
    env = docvqa(tmp_path)
    task = env.tasks("train")[0]
    rollout = env.run(task, skill=Skill(""), student=EchoStudent("x"), workdir=tmp_path)
    said = {"role": "assistant", "content": env.gold(task)}
    (tmp_path / "sample" / "documents").rename(tmp_path / "gone")
    again = env.regrade(task, replace(rollout, trace=(said,)))
    assert (rollout.hard, again.hard, again.extra["images"]) == (0.0, 1.0, rollout.extra["images"])


def test_the_reference_holds_every_spelling_and_the_kind(tmp_path: Path) -> None:
    env = docvqa(tmp_path)
    task = env.tasks("train")[0]
    assert all(text in env.reference(task) for text in (*task.data["answers"], task.kind))


@pytest.mark.parametrize("skill", ["", " \n"])
def test_a_blank_skill_leaves_no_heading(skill: str) -> None:
    assert "## Skill" not in system(skill)


def test_a_skill_gets_into_the_system_prompt_unchanged() -> None:
    skill = "{x} {{y}} {% z %} $w \\n \r\n</answer> 東"
    assert system(skill).endswith(f"## Skill\n\n{skill}")


@pytest.mark.parametrize("name", ["deep_probe", "deep_probe_steps"])
def test_the_env_s_own_templates_of_the_probe_can_be_filled(tmp_path: Path, name: str) -> None:
    """P11: an env's own template is found, for agents too."""
    env = docvqa(tmp_path)
    rollout = env.run(env.tasks("train")[0], skill=Skill(""), student=EchoStudent("x"), workdir=tmp_path)
    prompts = Prompts((files("reflact_env_docvqa") / "prompts", files("reflact.prompts") / "default"))
    values = {"skill": "- A rule.", "memory": "", "evidence": "", "trajectories": trajectories((rollout,))}
    told, asked = prompts.messages(name, **values)
    assert "region" in told.text and "- A rule." in asked.text and rollout.question in asked.text


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ({}, "split_dir"),
        ({"data_path": "x.json"}, "ratio"),
        ({"data_path": "x.json", "split_dir": "y"}, "split_dir"),
        ({"split_mode": "ratio"}, "ratio"),
    ],
)
def test_raw_data_imply_a_ratio_split(given: dict[str, Any], mode: str) -> None:
    assert DocVQAConfig(**given).split_mode == mode


def test_the_defaults_are_those_that_were_promised() -> None:
    config = DocVQAConfig()
    assert (config.split_dir, config.max_turns, config.max_completion_tokens) == ("data/docvqa_split", 1, 16384)
    assert (config.anls_variant, config.hard_threshold, config.image_detail) == ("rrc", 0.999, "auto")


def system(skill: str) -> str:
    return Templates(files("reflact_env_docvqa") / "prompts").render("student.md.j2", skill=skill)
