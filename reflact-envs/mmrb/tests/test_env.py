"""The env mmrb with students that say what they are told."""

from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from reflact import EnvSpec, Plugins, Skill, Task
from reflact.kit.media.watermark import read_mark
from reflact.kit.scripted import EchoStudent
from reflact.kit.templates import Templates
from reflact.llm.prompts import Prompts
from reflact.types import ChatReply, ChatRequest, Image, Text
from reflact_env_mmrb.cases import DOT, PAIRS
from reflact_env_mmrb.config import MMRBConfig
from reflact_env_mmrb.env import MMRB

pytestmark = pytest.mark.filterwarnings("ignore:.*items are left out:RuntimeWarning")


@dataclass(frozen=True, slots=True)
class SeeingStudent(EchoStudent):
    """An `EchoStudent` that keeps the parts of the messages, or the images of the jobs, it was given."""

    parts: list[tuple[Text | Image, ...]] = field(default_factory=list)

    def chat(self, request: ChatRequest) -> ChatReply:
        content = request.messages[-1].content
        self.parts.append(content if isinstance(content, tuple) else (Text(content),))
        return EchoStudent.chat(self, request)

    def answer(self, prompt: str, *, images: Any = (), **more: Any) -> str:
        self.parts.append((Text(prompt), *images))
        return EchoStudent.answer(self, prompt, **more)


def mmrb(sample: Path, **config: Any) -> MMRB:
    return MMRB(MMRBConfig(data_path=str(sample), split_ratio="1:1:1", **config))


def the(env: MMRB, subtask: str, number: int) -> Task:
    found = [*env.tasks("train"), *env.tasks("val"), *env.tasks("test")]
    return next(task for task in found if task.id == f"made up:{subtask}:{number}")


def run(env: MMRB, task: Task, student: EchoStudent, folder: Path) -> Any:
    return env.run(task, skill=Skill("s"), student=student, workdir=folder)


def shown(part: Text | Image) -> Any:
    """Return a text as it is, an image as its label and mark."""
    return part.text if isinstance(part, Text) else (part.label, read_mark(part.data))


def test_each_image_stands_where_the_question_names_it(sample: Path, tmp_path: Path) -> None:
    """B1: every rollout by chat ended in an error and scored 0."""
    env, student = mmrb(sample), SeeingStudent("<answer>-3</answer>")
    rollout = run(env, the(env, PAIRS, 1), student, tmp_path)
    texts = [shown(part) for part in student.parts[0]]
    assert texts[:4] == ["Case 1:", ("Image #1", 33), ("Image #2", 34), texts[3]]
    assert texts[3].startswith("By how much does the number of dots change?")
    assert (rollout.hard, rollout.kind, rollout.extra["n_turns"]) == (1.0, PAIRS, 1)
    assert rollout.question == "Case 1: [Image #1] [Image #2] By how much does the number of dots change?"


def test_an_image_named_twice_is_sent_once_and_others_follow(sample: Path, tmp_path: Path) -> None:
    env, student = mmrb(sample), SeeingStudent("<answer>A</answer>")
    assert run(env, the(env, DOT, 4), student, tmp_path).hard == 1.0
    texts = [shown(part) for part in student.parts[0]]
    assert [one for one in texts if isinstance(one, tuple)] == [(f"Image #{k}", 128 + k) for k in (2, 1, 3, 4)]
    assert "seen again: [Image #2]?" in texts[2]
    assert texts[2].endswith("Additional image #1:")


def test_a_marker_beyond_the_images_stays_text_and_options_are_listed_where_the_question_lacks_them(
    sample: Path, tmp_path: Path
) -> None:
    env, student = mmrb(sample), SeeingStudent("<answer>B</answer>")
    task = the(env, DOT, 6)
    assert run(env, task, student, tmp_path).hard == 1.0
    text = student.prompts[0]
    assert "{image#9} In which cell" in text
    assert "## Choices\n\n" + "\n".join(f"({label}) {cell}" for label, cell in task.data["options"].items()) in text
    assert "## Choices" not in asked_of(env, the(env, DOT, 0), tmp_path)


def test_twenty_one_images_all_arrive_in_order(sample: Path, tmp_path: Path) -> None:
    env, student = mmrb(sample), SeeingStudent("<answer>no</answer>")
    rollout = run(env, the(env, DOT, 7), student, tmp_path)
    marks = [read_mark(part.data) for part in student.parts[0] if isinstance(part, Image)]
    assert marks == [224 + place for place in range(1, 22)]
    assert len(rollout.extra["images"]) == 21
    assert str(sample) not in str(rollout)


def test_equal_images_are_both_kept(sample: Path, tmp_path: Path) -> None:
    env, student = mmrb(sample), SeeingStudent("<answer>yes, they are alike</answer>")
    task = the(env, PAIRS, 8)
    twice = replace(task, data={**task.data, "images": [task.data["images"][0]] * 2})
    assert run(env, twice, student, tmp_path).hard == 1.0
    assert [read_mark(part.data) for part in student.parts[0] if isinstance(part, Image)] == [257, 257]


def test_an_agent_gets_the_images_in_order_and_the_markers_in_its_text(sample: Path, tmp_path: Path) -> None:
    """P7 (paths and solutions lay open to an agent) and P8 (its images were never sent)."""
    env, student = mmrb(sample), SeeingStudent("<answer>A</answer>", kind="exec")
    assert run(env, the(env, DOT, 4), student, tmp_path).hard == 1.0
    prompt, *images = student.parts[0]
    assert isinstance(prompt, Text)
    assert [shown(image) for image in images] == [(f"Image #{k}", 128 + k) for k in (1, 2, 3, 4)]
    assert "Where was the dot in [Image #2], seen again: [Image #2]?" in prompt.text
    assert not any(hidden in prompt.text for hidden in (str(sample), ".png", "human", "Cells with a dot"))


def test_further_turns_refine_until_an_answer_is_marked(sample: Path, tmp_path: Path) -> None:
    replies = iter(["The dots in the first image are many, so I have to think.", "<answer>-3</answer>", "never asked"])
    env, student = mmrb(sample, max_turns=5), SeeingStudent(lambda _: next(replies))
    rollout = run(env, the(env, PAIRS, 1), student, tmp_path)
    assert (rollout.hard, rollout.extra["n_turns"]) == (1.0, 2)
    assert "## Previous attempt 1\n\nThe dots in the first" in student.prompts[1]
    assert sum(isinstance(part, Image) for part in student.parts[1]) == 2


def test_a_reply_without_an_answer_is_wrong_and_says_so(sample: Path, tmp_path: Path) -> None:
    """S16: what went wrong could not be told from a wrong answer."""
    env = mmrb(sample)
    rollout = run(env, the(env, PAIRS, 5), EchoStudent("I see two grids, and they do not look the same."), tmp_path)
    assert (rollout.hard, rollout.outcome, rollout.extra["extraction"]) == (0.0, "ok", "none")
    assert rollout.feedback == "answer=0: no answer, got '', expected 'no'"


@pytest.mark.parametrize(("verdict", "hard"), [("true", 1.0), ("false", 0.0)])
def test_the_judge_of_the_run_is_asked_where_it_is_wanted(
    sample: Path, tmp_path: Path, verdict: str, hard: float
) -> None:
    """P15: the judge went past the configured backends."""
    env = mmrb(sample, judge_mode="auto")
    reply = "<answer>three fewer</answer>"
    rollout = run(env, the(env, PAIRS, 1), EchoStudent(reply, verdict=verdict), tmp_path)
    assert (rollout.hard, rollout.extra["decided_by"]) == (hard, "judge")
    stored = replace(rollout, hard=0.5, trace=({"role": "assistant", "content": reply},))
    assert env.regrade(the(env, PAIRS, 1), stored).hard == hard


@pytest.mark.parametrize("said", ["It is not true", "untrue", ""])
def test_a_verdict_that_is_no_verdict_leaves_the_task_unscored(sample: Path, tmp_path: Path, said: str) -> None:
    """S13: a word in a sentence was a verdict."""
    env = mmrb(sample, judge_mode="auto")
    rollout = run(env, the(env, PAIRS, 1), EchoStudent("<answer>three fewer</answer>", verdict=said), tmp_path)
    assert rollout.outcome == "judge_error"


def test_its_own_probe_prompt_is_the_one_that_is_used() -> None:
    """P11: an env's own template for deep reflection was never found."""
    spec: EnvSpec = Plugins().get("envs", "mmrb")
    assert spec.prompts is not None
    core = files("reflact.prompts") / "default"
    probe = Prompts((spec.prompts, core)).text("deep_probe", skill="s", memory="", evidence="", trajectories=())
    assert "one line for each image" in probe


@pytest.mark.parametrize("skill", ["", " \n"])
def test_a_blank_skill_leaves_no_heading(skill: str) -> None:
    assert "## Skill" not in system(skill)


def test_a_skill_gets_into_the_system_prompt_unchanged() -> None:
    skill = "{x} {{y}} {% z %} $w [Image #1] \r\n</answer> 東"
    assert system(skill).endswith(f"## Skill\n\n{skill}")


def system(skill: str) -> str:
    return Templates(files("reflact_env_mmrb") / "prompts").render("student.md.j2", skill=skill)


def asked_of(env: MMRB, task: Task, folder: Path) -> str:
    student = EchoStudent("")
    run(env, task, student, folder)
    return student.prompts[0]
