"""The whole loop over the sample: a planted rule is learnt, and the right page reaches the model each time."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from reflact import ExecJob, ExecResult, Plugins, Summary
from reflact.agents.workspace import prepare
from reflact.config import load
from reflact.engine.train import train
from reflact.kit.media.watermark import read_mark
from reflact.testing import FakeModelServer, FakeReply, FakeRequest, scripted_backend
from reflact.testing.pictures import marks_of, pictures_of
from reflact_env_docvqa.sample import write_sample

RULE = "Copy amounts with their sign and both decimals."
CONFIG = Path(__file__).parents[3] / "configs" / "docvqa" / "default.yaml"


@dataclass(frozen=True, slots=True)
class Pages:
    """What stands on the sample's pages, by question, and what was shown for it."""

    answers: dict[str, tuple[int, str]]
    wrong: list[str] = field(default_factory=list)

    def reply(self, question: str, marks: tuple[int | None, ...], skill: str) -> str:
        """Answer well only with the right page and the rule; half of the text without the rule."""
        number, answer = self.answers[question]
        if marks != (number,):
            self.wrong.append(f"{question}: page {number}, shown {marks}")
            return "I see no such page"
        return f"<answer>{answer if RULE in skill else answer[: len(answer) // 2]}</answer>"


def teacher(request: FakeRequest) -> FakeReply:
    edit = {"op": "append", "target": "", "content": f"- {RULE}"}
    failure = {"failure_type": "cut", "count": 2, "description": "half of the text is missing"}
    said: dict[str, Any] = {"failure_summary": [failure], "patch": {"reasoning": "form", "edits": [edit]}}
    if "sources" in json.dumps(request.body.get("response_format", {})):
        said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0, 1]}]}
    return FakeReply(text=json.dumps(said))


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    write_sample(tmp_path / "data", 48, 5)
    items = json.loads((tmp_path / "data" / "items.json").read_text(encoding="utf-8"))["data"]
    return Pages({one["question"]: (one["docId"] - 70_000, one["answers"][0]) for one in items})


def run(folder: Path, plugins: Plugins, *overrides: str) -> Summary:
    given = [
        f"env.data_path={folder / 'data'}",
        "env.split_mode=ratio",
        "env.split_ratio=1:1:1",
        "env.workers=4",
        "env.image_max_side=1200",
        "train.num_epochs=1",
        "optimizer.use_slow_update=false",
        "optimizer.use_meta_skill=false",
        *overrides,
    ]
    resolved = load(CONFIG, overrides=given, plugins=plugins)
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, folder / "out", observers=silent)


@contextmanager
def server(pages: Pages) -> Iterator[FakeModelServer]:
    def script(request: FakeRequest) -> FakeReply:
        if request.model == "teacher":
            return teacher(request)
        return FakeReply(text=pages.reply(request.text.partition("\n")[0], marks_of(request), request.system))

    with FakeModelServer(script) as serving:
        yield serving


def role(url: str, name: str, backend: str = "openai_chat") -> str:
    return f"model.{name}={{backend: {backend}, base_url: '{url}/v1', api_key: k, model: {name}, max_retries: 0}}"


@pytest.mark.parametrize("backend", ["openai_chat", "claude_chat"])
def test_a_planted_rule_lifts_the_mean_anls_and_is_accepted(tmp_path: Path, pages: Pages, backend: str) -> None:
    with server(pages) as serving:
        summary = run(tmp_path, Plugins(), role(serving.url, "teacher"), role(serving.url, "student", backend))
        seen = [one for one in serving.requests if one.model == "student"]
    assert not pages.wrong
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
    for request in seen:
        (picture,) = pictures_of(request)
        assert (picture.media_type, picture.label) == ("image/png", "Image #1")
        assert str(tmp_path) not in json.dumps(request.body) and "made00" not in request.text


def test_the_gate_compares_mean_anls_and_not_hits(tmp_path: Path, pages: Pages) -> None:
    """S2: with the shipped configuration a candidate that only comes nearer is accepted."""
    nearer: Callable[[str], str] = lambda answer: answer[: max(1, len(answer) * 3 // 4)] if len(answer) > 3 else "?"  # noqa: E731
    shortened = Pages({question: (page, nearer(answer)) for question, (page, answer) in pages.answers.items()})
    with server(shortened) as serving:
        summary = run(tmp_path, Plugins(), role(serving.url, "teacher"), role(serving.url, "student"))
    assert not shortened.wrong
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 0.0)
    assert summary.values["test_soft"] > summary.values["baseline_test_soft"] + 0.1
    history = json.loads((tmp_path / "out" / "history.json").read_text(encoding="utf-8"))
    assert "accept" in history[0]["action"].lower()


def test_an_agent_finds_the_page_in_its_folder_and_nothing_that_gives_it_away(tmp_path: Path, pages: Pages) -> None:
    """P7."""
    given_away: list[str] = []

    class Agent:
        """An agent that looks at the files of its workspace, and at nothing else."""

        def run(self, job: ExecJob) -> ExecResult:
            folder = prepare(job, skill_at="skill").folder
            marks = tuple(read_mark(file.read_bytes()) for file in sorted((folder / "attachments").iterdir()))
            question = (folder / "task.md").read_text(encoding="utf-8").partition("\n")[0]
            texts = [file.read_text(encoding="utf-8") for file in folder.rglob("*.md")]
            secrets = (str(tmp_path), "made00", "documents/", pages.answers[question][1])
            given_away.extend(one for one in secrets for text in texts if one in text)
            return ExecResult(answer=pages.reply(question, marks, job.skill.text))

    plugins = Plugins()
    plugins.register(scripted_backend("seeing_agent", Agent()), label="test")
    with server(pages) as serving:
        summary = run(tmp_path, plugins, role(serving.url, "teacher"), "model.student={backend: seeing_agent}")
    assert not pages.wrong
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"]) == (0.0, 1.0)
    assert not given_away
