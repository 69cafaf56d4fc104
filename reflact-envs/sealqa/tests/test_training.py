"""Whole runs: a student that really searches and opens, behind a real client; a judge; an agent in a folder."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from reflact import ExecJob, ExecResult, Plugins, ToolCall
from reflact.agents.workspace import prepare
from reflact.config import Resolved, resolve
from reflact.engine.evaluate import evaluate
from reflact.engine.rescore import rescore
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply, FakeRequest, scripted_backend
from reflact_env_sealqa.sample import write_sample

RULE = "Trust the newest survey, not the talk."


def tool(name: str, **arguments: Any) -> FakeReply:
    return FakeReply(tool_calls=(ToolCall(id="c1", name=name, arguments=json.dumps(arguments)),))


def student(request: FakeRequest) -> FakeReply:
    """Search, open what is trusted, answer with the count in it."""
    if not request.results:
        return tool("search", query=request.text.split("\n")[2], k=10)
    trusted = "Survey of" if RULE in request.system else "Talk about"
    (number,) = re.findall(rf"^\[(\d+)\] {trusted}", request.results[0], re.MULTILINE)
    if len(request.results) == 1:
        return tool("open", doc_id=number)
    return FakeReply(text=f"So it is <answer>{counted(request.results[1])}</answer>")


def counted(text: str) -> str:
    return re.findall(r" has (\w+) \w+[.!]", text)[0]


def judge(request: FakeRequest) -> FakeReply:
    gold = re.findall(r"^- (\w+)$", request.text, re.MULTILINE)[0]
    said = re.findall(r"--- begin \w+ ---\n(.*)\n--- end", request.text)[0]
    return FakeReply(text=json.dumps({"reason": "read", "grade": "correct" if said == gold else "incorrect"}))


def teacher(request: FakeRequest) -> FakeReply:
    edit = {"op": "append", "target": "", "content": f"- {RULE}"}
    failure = {"failure_type": "wrong source", "count": 2, "description": "believed the talk"}
    said: dict[str, Any] = {"failure_summary": [failure], "patch": {"reasoning": "source", "edits": [edit]}}
    if "sources" in json.dumps(request.body.get("response_format", {})):
        said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0]}]}
    return FakeReply(text=json.dumps(said))


def answer(request: FakeRequest) -> FakeReply:
    return {"teacher": teacher, "judge": judge, "student": student}[request.model](request)


def configured(
    url: str,
    folder: Path,
    plugins: Plugins,
    backend: str = "openai_chat",
    *,
    env: Mapping[str, Any] = MappingProxyType({}),
    cache: Mapping[str, Any] = MappingProxyType({}),
    **roles: Any,
) -> Resolved:
    write_sample(folder / "raw", 18, 7)
    common = {"backend": "openai_chat", "base_url": f"{url}/v1", "api_key": "k", "max_retries": 0}
    models = {name: {**common, "model": name} for name in ("teacher", "student", "judge")}
    models["student"] = {**models["student"], "backend": backend}
    models |= roles
    return resolve(
        {
            "model": models,
            "env": {"name": "sealqa", "data_path": str(folder / "raw"), "split_ratio": "1:1:1", "workers": 4, **env},
            "cache": dict(cache),
            "train": {"num_epochs": 1, "batch_size": 6},
            "gradient": {"minibatch_size": 6},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
        },
        plugins=plugins,
    )


def trained(folder: Path, script: Callable[[FakeRequest], FakeReply], plugins: Plugins, **roles: Any) -> Any:
    with FakeModelServer(script) as server:
        resolved = configured(server.url, folder, plugins, **roles)
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        values = train(resolved, plugins, folder / "out", observers=silent).values
        return values, server.requests


@pytest.mark.parametrize("backend", ["openai_chat", "claude_chat"])
def test_a_planted_rule_is_learnt_by_a_student_that_uses_the_tools(tmp_path: Path, backend: str) -> None:
    plugins = Plugins()
    values, requests = trained(tmp_path, answer, plugins, backend=backend)
    assert (values["baseline_test_hard"], values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text(encoding="utf-8")
    seen = [json.dumps(one.body) for one in requests]
    assert not [text for text in seen if "made-up-canary" in text]
    assert {name for one in requests if one.model == "student" for name in tool_names(one)} == {"search", "open"}
    again = rescore(tmp_path / "out", plugins)
    assert again["n_changed"] == 0 and again["n_rollouts"] > 15


def tool_names(request: FakeRequest) -> list[str]:
    return [one.get("function", one)["name"] for one in request.body.get("tools", ())]


def test_an_evaluation_tells_the_shares_of_the_grades(tmp_path: Path) -> None:
    plugins = Plugins()

    def hesitant(request: FakeRequest) -> FakeReply:
        shy = request.model == "student" and "moons" in request.text
        return FakeReply(text="I cannot say. <answer></answer>") if shy else answer(request)

    with FakeModelServer(hesitant) as server:
        resolved = configured(server.url, tmp_path, plugins)
        values = evaluate(resolved, plugins, tmp_path / "out", skill=None, split="all")
    grades = {name: one["total"] for name, one in values["by_group"]["grade"].items()}
    assert sum(grades.values()) == 18 and set(grades) == {"incorrect", "not_attempted"}
    assert values["by_group"]["attempted"]["yes"]["total"] == grades["incorrect"]


@pytest.mark.filterwarnings("ignore:.*judge=string compares words:RuntimeWarning")
def test_a_run_that_compares_words_needs_no_judge_and_asks_none(tmp_path: Path) -> None:
    plugins = Plugins()
    with FakeModelServer(answer) as server:
        resolved = configured(server.url, tmp_path, plugins, env={"judge": "string"}, judge={})
        silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
        with pytest.warns(RuntimeWarning, match=r"env\.judge=string compares words") as told:
            values = train(resolved, plugins, tmp_path / "out", observers=silent).values
        again = rescore(tmp_path / "out", plugins)
        asked = {one.model for one in server.requests}
    assert len([one for one in told if "compares words" in str(one.message)]) == 1
    assert "judge" not in resolved.roles and asked == {"student", "teacher"}
    assert (values["baseline_test_hard"], values["test_hard"], again["n_changed"]) == (0.0, 1.0, 0)


def test_what_the_judge_said_in_an_earlier_run_is_not_asked_again_with_a_cache(tmp_path: Path) -> None:
    plugins = Plugins()
    cache = {"enabled": True, "path": str(tmp_path / "replies.sqlite")}
    counts = []
    with FakeModelServer(answer) as server:
        for name in ("first", "second"):
            resolved = configured(server.url, tmp_path, plugins, cache=cache)
            evaluate(resolved, plugins, tmp_path / name, skill=None, split="all")
            counts.append(len([one for one in server.requests if "--- begin" in one.text]))
    assert counts == [18, 18]


class Agent:
    """An agent that reads the documents in its folder."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def run(self, job: ExecJob) -> ExecResult:
        folder = prepare(job, skill_at="skill").folder
        self.found |= {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        texts = [file.read_text(encoding="utf-8") for file in sorted((folder / "docs").iterdir())]
        trusted = "# Survey of" if RULE in job.skill.text else "# Talk about"
        return ExecResult(answer=f"<answer>{counted(next(one for one in texts if one.startswith(trusted)))}</answer>")


def test_a_planted_rule_is_learnt_by_an_agent_that_finds_the_documents_as_files(tmp_path: Path) -> None:
    plugins, agent = Plugins(), Agent()
    plugins.register(scripted_backend("reading_agent", agent), label="test")
    values, _ = trained(tmp_path, answer, plugins, student={"backend": "reading_agent"})
    assert (values["baseline_test_hard"], values["test_hard"]) == (0.0, 1.0)
    assert {name for name in agent.found if not name.startswith("docs/")} == {"task.md", "skill/SKILL.md"}
