"""The whole loop over the sample: a planted rule is learnt, the right pictures arrive, the judge is asked apart."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reflact import ExecJob, ExecResult, Plugins, RunError, Summary
from reflact.agents.workspace import prepare
from reflact.config import load
from reflact.engine.train import train
from reflact.kit.media.watermark import read_mark
from reflact.testing import FakeModelServer, FakeReply, FakeRequest, scripted_backend
from reflact.testing.pictures import marks_of, pictures_of
from reflact_env_babyvision.config import BabyVisionConfig
from reflact_env_babyvision.env import BabyVision
from reflact_env_babyvision.sample import write_sample

RULE = "Check the picture twice before you box the answer."
CONFIG = Path(__file__).parents[3] / "configs" / "babyvision" / "default.yaml"


class World:
    """Plays student, teacher and judge, by the model's name, over the puzzles below *folder*."""

    def __init__(self, folder: Path) -> None:
        write_sample(folder / "data", 36, 5)
        env = BabyVision(BabyVisionConfig(data_path=str(folder / "data"), split_ratio="1:1:1"))
        tasks = [task for split in ("train", "val", "test") for task in env.tasks(split)]
        self.golds = {task.data["question"]: (int(task.id) - 9000, env.gold(task)) for task in tasks}
        self.wrong: list[str] = []

    def __call__(self, request: FakeRequest) -> FakeReply:
        if request.model == "teacher":
            return _teacher(request)
        if request.model == "judge":
            return FakeReply(text=json.dumps({"reason": "in words", "grade": "correct"}))
        return FakeReply(text=self.reply(request.text, marks_of(request), request.system))

    def reply(self, prompt: str, marks: tuple[int | None, ...], skill: str) -> str:
        """Answer well only with the right picture and the rule, every third puzzle in words."""
        question = next((one for one in self.golds if one in prompt), "")
        number, gold = self.golds.get(question, (-1, ""))
        if marks != (number,):
            self.wrong.append(f"{prompt[:60]}: picture {number}, shown {marks}")
        if marks != (number,) or RULE not in skill:
            return "I cannot tell."
        return r"\boxed{the very same, said in words}" if number % 3 == 0 else gold


def _teacher(request: FakeRequest) -> FakeReply:
    edit = {"op": "append", "target": "", "content": f"- {RULE}"}
    failure = {"failure_type": "haste", "count": 2, "description": "no boxed answer"}
    said: dict[str, Any] = {"failure_summary": [failure], "patch": {"reasoning": "form", "edits": [edit]}}
    if "sources" in json.dumps(request.body.get("response_format", {})):
        said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0, 1]}]}
    return FakeReply(text=json.dumps(said))


def run(folder: Path, plugins: Plugins, *overrides: str) -> Summary:
    given = [
        f"env.data_path={folder / 'data'}",
        "env.split_ratio=1:1:1",
        "env.workers=4",
        "train.num_epochs=1",
        "optimizer.use_slow_update=false",
        "optimizer.use_meta_skill=false",
        *overrides,
    ]
    resolved = load(CONFIG, overrides=given, plugins=plugins)
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, folder / "out", observers=silent)


def role(url: str, name: str, backend: str = "openai_chat") -> str:
    return f"model.{name}={{backend: {backend}, base_url: '{url}/v1', api_key: k, model: {name}, max_retries: 0}}"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.mark.parametrize("backend", ["openai_chat", "claude_chat"])
def test_a_planted_rule_lifts_the_score_and_the_judge_sees_only_what_no_rule_decides(
    tmp_path: Path, world: World, backend: str
) -> None:
    with FakeModelServer(world) as server:
        mixed = (role(server.url, "teacher"), role(server.url, "student", backend), role(server.url, "judge"))
        summary = run(tmp_path, Plugins(), *mixed)
        seen = server.requests
    assert not world.wrong
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
    calls = Counter(one.model for one in seen)
    assert 0 < calls["judge"] < calls["student"] / 4
    assert summary.values["spent"]["judge"]["usage"]["calls"] == calls["judge"]
    for request in (one for one in seen if one.model == "student"):
        (picture,) = pictures_of(request)
        assert (picture.media_type, picture.label) == ("image/png", "Image #1")
        assert not any(text in json.dumps(request.body) for text in (str(tmp_path), ".png", "coT", "which has a tail"))


@pytest.mark.parametrize(
    ("order", "types"), [("text_first", ("text", "image_url")), ("image_first", ("image_url", "text"))]
)
def test_the_picture_comes_before_or_after_the_question(
    tmp_path: Path, world: World, order: str, types: tuple[str, str]
) -> None:
    with FakeModelServer(world) as server:
        all_roles = [role(server.url, name) for name in ("teacher", "student", "judge")]
        run(tmp_path, Plugins(), *all_roles, f"env.image_order={order}", "env.limit=2")
        contents = [one.messages[-1]["content"] for one in server.requests if one.model == "student"]
    shown = {tuple(part["type"] for part in parts if part.get("text") != "[Image #1]") for parts in contents}
    assert shown == {types}
    assert not world.wrong


def test_an_agent_finds_the_picture_in_its_folder_and_nothing_that_gives_it_away(tmp_path: Path, world: World) -> None:
    """P7."""
    given_away: list[str] = []

    class Agent:
        """An agent that looks at the files of its workspace, and at nothing else."""

        def run(self, job: ExecJob) -> ExecResult:
            folder = prepare(job, skill_at="skill").folder
            marks = tuple(read_mark(file.read_bytes()) for file in sorted((folder / "attachments").iterdir()))
            texts = [file.read_text(encoding="utf-8") for file in folder.rglob("*.md")]
            secrets = (str(tmp_path), "meta_data", "images/", "which has a tail", "of the list is what")
            given_away.extend(one for one in secrets for text in texts if one in text)
            return ExecResult(answer=world.reply((folder / "task.md").read_text("utf-8"), marks, job.skill.text))

    plugins = Plugins()
    plugins.register(scripted_backend("seeing_agent", Agent()), label="test")
    with FakeModelServer(world) as server:
        agent = "model.student={backend: seeing_agent}"
        summary = run(tmp_path, plugins, role(server.url, "teacher"), role(server.url, "judge"), agent)
    assert not world.wrong and not given_away
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)


def test_deep_reflect_shows_the_solution_to_the_teacher_and_never_to_the_student(tmp_path: Path, world: World) -> None:
    def script(request: FakeRequest) -> FakeReply:
        if request.model == "teacher" and "probe_instruction" in request.system:
            return FakeReply(text=json.dumps({"reasoning": "", "probe_instruction": "Say which cells you compared."}))
        return world(request)

    with FakeModelServer(script) as server:
        all_roles = [role(server.url, name) for name in ("teacher", "student", "judge")]
        run(tmp_path, Plugins(), *all_roles, "gradient.use_deep_reflect=true")
        probes = [one for one in server.requests if one.model == "student" and "Say which cells" in one.text]
        asked = [one for one in server.requests if one.model == "teacher" and "probe_instruction" in one.system]
    assert (asked and "from the top of the list" in asked[0].text) or "of the list is what" in asked[0].text
    assert probes and all(marks_of(one) != (None,) and len(marks_of(one)) == 1 for one in probes)
    assert not any("of the list is what" in json.dumps(one.body) for one in probes)


def test_a_finished_run_asks_nobody_again_and_another_judge_needs_another_run(tmp_path: Path, world: World) -> None:
    """P1: results are not taken for those of a judge they do not come from."""
    with FakeModelServer(world) as server:
        players = [role(server.url, "teacher"), role(server.url, "student")]
        first = run(tmp_path, Plugins(), *players, role(server.url, "judge"))
        n = len(server.requests)
        again = run(tmp_path, Plugins(), *players, role(server.url, "judge"))
        with pytest.raises(RunError, match=r"model\.judge was judge, now judge-2"):
            run(tmp_path, Plugins(), *players, role(server.url, "judge").replace("model: judge", "model: judge-2"))
        assert len(server.requests) == n
    assert first.values["test_hard"] == again.values["test_hard"] == 1.0
