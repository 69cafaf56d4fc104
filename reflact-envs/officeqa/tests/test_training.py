"""Whole runs: a student that really uses the tools, behind a real client; and an agent in a folder of its own."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ConfigError, ExecJob, ExecResult, Plugins, ToolCall
from reflact.agents.workspace import prepare
from reflact.config import Resolved, resolve
from reflact.engine.rescore import rescore
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply, FakeRequest, scripted_backend
from reflact_env_officeqa.sample import write_sample

RULE = "Take the revised figure, not the preliminary one."
LOOKED_FOR = {
    "harbor dues": ["Harbor dues"],
    "salt tax": ["Salt tax"],
    "lighthouse fund": ["Balance of the lighthouse fund"],
    "stamps, the lottery and tolls": ["Stamps", "Lottery", "Tolls"],
    "canal loan": ["first issued in "],
    "the mint": ["moved to "],
    "ferry company": ["ferry company: "],
    "floating debt": ["floating debt: "],
}
"""What a question is about -> what its lines begin with."""


def looked_for(question: str) -> list[str]:
    return next(found for about, found in LOOKED_FOR.items() if about in question)


def answer_from(lines: Sequence[str], skill: str) -> str:
    """Return the answer from the lines that were found: a figure of the table's last column only with the rule."""
    cells = [line.split(" | ") for line in lines]
    figures = [row[2 if RULE in skill else 1] if len(row) == 3 else row[0] for row in cells]
    found = [
        re.sub(r"^\d+: |.*(?:first issued in|moved to|company:|debt:) | percent\.$|\.$", "", one) for one in figures
    ]
    return f"<answer>{found[0] if len(found) == 1 else '[' + ', '.join(found) + ']'}</answer>"


def student(request: FakeRequest) -> FakeReply:
    """Grep in the document that is named, then answer from what was found."""
    (path,) = re.findall(r"^- (\S+\.txt)$", request.text, re.MULTILINE)
    if request.results:
        assert not [one for one in request.results if one.startswith("[")], request.results
        return FakeReply(text=answer_from(request.results, request.system))
    wanted = looked_for(request.text)
    calls = (json.dumps({"pattern": one, "path": path}) for one in wanted)
    return FakeReply(tool_calls=tuple(ToolCall(id=f"c{n}", name="grep", arguments=one) for n, one in enumerate(calls)))


def teacher(request: FakeRequest) -> FakeReply:
    edit = {"op": "append", "target": "", "content": f"- {RULE}"}
    failure = {"failure_type": "wrong column", "count": 2, "description": "took the preliminary figure"}
    said: dict[str, Any] = {"failure_summary": [failure], "patch": {"reasoning": "column", "edits": [edit]}}
    if "sources" in json.dumps(request.body.get("response_format", {})):
        said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0]}]}
    return FakeReply(text=json.dumps(said))


def configured(url: str, folder: Path, plugins: Plugins, backend: str, **env: Any) -> Resolved:
    write_sample(folder / "raw", 24, 7)
    common = {"base_url": f"{url}/v1", "api_key": "k", "max_retries": 0}
    over_http = {**common, "model": "student"} if backend.endswith("_chat") else {}
    roles = {
        "teacher": {**common, "backend": "openai_chat", "model": "teacher"},
        "student": {**over_http, "backend": backend},
    }
    return resolve(
        {
            "model": roles,
            "env": {"name": "officeqa", "data_path": str(folder / "raw"), "split_ratio": "1:1:1", "workers": 4, **env},
            "train": {"num_epochs": 1, "batch_size": 8},
            "gradient": {"minibatch_size": 8},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
        },
        plugins=plugins,
    )


def trained(
    folder: Path, backend: str, script: Callable[[FakeRequest], FakeReply], plugins: Plugins, **env: Any
) -> Any:
    with FakeModelServer(script) as server:
        resolved = configured(server.url, folder, plugins, backend, **env)
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        values = train(resolved, plugins, folder / "out", observers=silent).values
        return values, server.requests


@pytest.mark.parametrize("backend", ["openai_chat", "claude_chat"])
def test_a_planted_rule_is_learnt_by_a_student_that_uses_the_tools(tmp_path: Path, backend: str) -> None:
    plugins = Plugins()
    values, requests = trained(
        tmp_path, backend, lambda one: teacher(one) if one.model == "teacher" else student(one), plugins
    )
    assert 0.0 < values["baseline_test_hard"] < 0.8
    assert values["test_hard"] == 1.0
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
    seen = [json.dumps(one.body) for one in requests if one.model == "student"]
    assert seen and not [text for text in seen if str(tmp_path) in text]
    again = rescore(tmp_path / "out", plugins)
    assert again["n_changed"] == 0 and again["n_rollouts"] > 20


def searching(request: FakeRequest) -> FakeReply:
    """Answer at once, from pages that the server has found for the question."""
    (tool,) = request.body["tools"]
    assert tool["type"].startswith("web_search")
    question, *lines = [line.strip("| ") for line in request.text.splitlines()][2:]
    found = [next(line for line in lines if wanted in line) for wanted in looked_for(question)]
    return FakeReply(text=answer_from(found, request.system), searches=("bulletin",), sources=("https://example.org/",))


@pytest.mark.parametrize("backend", ["openai_chat", "claude_chat"])
def test_a_planted_rule_is_learnt_by_a_student_whose_provider_searches(tmp_path: Path, backend: str) -> None:
    plugins = Plugins()
    env = {"search_mode": "azure_search", "evidence_mode": "oracle_pages"}
    values, requests = trained(
        tmp_path, backend, lambda one: teacher(one) if one.model == "teacher" else searching(one), plugins, **env
    )
    assert 0.0 < values["baseline_test_hard"] < 0.8 and values["test_hard"] == 1.0
    asked = [one for one in requests if one.model == "student"]
    assert {one.api for one in asked} == {"responses" if backend == "openai_chat" else "messages"}
    results = next((tmp_path / "out").rglob("results.jsonl")).read_text(encoding="utf-8").splitlines()
    assert {tuple(json.loads(line)["extra"]["cited_urls"]) for line in results} == {("https://example.org/",)}
    assert [one for one in requests if one.model == "teacher" and "web_search" in one.text]


def test_a_student_whose_provider_does_not_search_is_refused_by_the_configuration(tmp_path: Path) -> None:
    def refused(backend: str, **student: Any) -> str:
        write_sample(tmp_path / "raw", 6, 7)
        env = {"name": "officeqa", "data_path": str(tmp_path / "raw"), "search_mode": "azure_search"}
        with pytest.raises(ConfigError) as caught:
            resolve({"model": {"student": {"backend": backend, **student}}, "env": env}, plugins=Plugins())
        return str(caught.value)

    assert "'local_chat' has none; use one of: claude_chat, openai_chat" in refused("local_chat")
    assert "needs Responses, and `api` is `chat`" in refused("openai_chat", api="chat")
    assert "env.search_mode=azure_search is for chat students" in refused("codex_exec")


@pytest.mark.parametrize("backend", ["openai_chat", "claude_chat"])
def test_a_server_that_does_not_search_ends_a_run_before_it_begins(tmp_path: Path, backend: str) -> None:
    def offline(request: FakeRequest) -> FakeReply:
        refusal = FakeReply(status=400, message="Hosted tool 'web_search' is not supported with this model.")
        return refusal if request.body.get("tools") else FakeReply(text="OK")

    plugins, told = Plugins(), rf"^student \({backend}\): cannot have its provider search the web, and the env needs it"
    with FakeModelServer(offline) as server:
        resolved = configured(server.url, tmp_path, plugins, backend, search_mode="azure_search")
        with pytest.raises(BackendError, match=told) as caught:
            train(resolved, plugins, tmp_path / "out", observers=plugins.observers(), preflight=True)
        asked = [bool(one.body.get("tools")) for one in server.requests if one.model == "student"]
    assert asked == [False, True] and "Hosted tool 'web_search'" in str(caught.value)
    assert not list((tmp_path / "out").rglob("results.jsonl"))


class Agent:
    """An agent that reads the documents in its folder, and looks for anything that gives an answer away."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def run(self, job: ExecJob) -> ExecResult:
        folder = prepare(job, skill_at="skill").folder
        task = (folder / "task.md").read_text(encoding="utf-8")
        self.found |= {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        (path,) = re.findall(r"^- (docs/\S+\.txt)$", task, re.MULTILINE)
        lines = (folder / path).read_text(encoding="utf-8").splitlines()
        found = [next(line for line in lines if wanted in line) for wanted in looked_for(task)]
        return ExecResult(answer=answer_from(found, job.skill.text))


def test_a_planted_rule_is_learnt_by_an_agent_that_finds_the_documents_as_files(tmp_path: Path) -> None:
    plugins, agent = Plugins(), Agent()
    plugins.register(scripted_backend("reading_agent", agent), label="test")
    values, _ = trained(tmp_path, "reading_agent", teacher, plugins)
    assert 0.0 < values["baseline_test_hard"] < 0.8
    assert values["test_hard"] == 1.0
    assert {name for name in agent.found if not name.startswith("docs/treasury_bulletin_")} == {
        "task.md",
        "skill/SKILL.md",
    }


@pytest.mark.parametrize("number", [8, 24])
def test_every_answer_of_the_sample_stands_in_its_bulletin(tmp_path: Path, number: int) -> None:
    write_sample(tmp_path, number, 3)
    texts = [file.read_text(encoding="utf-8") for file in (tmp_path / "docs" / "transformed").iterdir()]
    assert len(texts) == number // 4
    assert all(2000 < len(text) < 4500 for text in texts)
