"""Whole runs: a chat student behind a real client and a loopback server, and an agent in a folder of its own."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendSpec, ExecJob, ExecResult, Plugins, hookimpl
from reflact.config import Config, Resolved, resolve
from reflact.engine.evaluate import evaluate
from reflact.engine.rescore import rescore
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply
from reflact_env_livemathematicianbench.sample import write_sample

pytestmark = pytest.mark.filterwarnings("ignore:livemathematicianbench. one choice says:RuntimeWarning")
RULE = "Prefer the claim about parity."
SETTINGS: dict[str, dict[str, Any]] = {
    "train": {"num_epochs": 1, "batch_size": 4},
    "gradient": {"minibatch_size": 2},
    "optimizer": {"use_slow_update": False, "use_meta_skill": False},
}


def right_label(text: str) -> str:
    """Return the label a mathematician would give: that of the meta-option, else of the claim about parity."""
    choices: dict[str, str] = dict(re.findall(r"^([A-Z])\. (.+)$", text, re.MULTILINE))
    wanted = [label for label, claim in choices.items() if "stronger one can be shown" in claim]
    return (wanted or [label for label, claim in choices.items() if "-even" in claim])[0]


def proposed(stage: str) -> str:
    edit = {"op": "append", "target": "", "content": f"- {RULE}"}
    if stage == "verdict_merge":
        return json.dumps({"reasoning": "one rule", "edits": [{**edit, "sources": [0]}]})
    failure = {"failure_type": "wrong claim", "count": 1, "description": "took the bound"}
    return json.dumps({"failure_summary": [failure], "patch": {"reasoning": "parity", "edits": [edit]}})


def teacher(request: Any) -> FakeReply:
    asked = json.dumps(request.body.get("response_format", {}))
    if "probe_instruction" in asked:
        return FakeReply(text=json.dumps({"reasoning": "why", "probe_instruction": "List what you ruled out."}))
    return FakeReply(text=proposed("verdict_merge" if "sources" in asked else "analyst"))


def student(request: Any) -> FakeReply:
    label = right_label(request.text)
    return FakeReply(
        text=f"So <answer>{label}</answer>" if RULE in request.system else "I would say <answer>?</answer>"
    )


def reply(request: Any) -> FakeReply:
    return teacher(request) if request.model == "teacher" else student(request)


def silent(plugins: Plugins) -> Any:
    return plugins.observers(disabled=frozenset(plugins.names("observers")))


def configured(url: str, folder: Path, plugins: Plugins, **changes: Any) -> Resolved:
    write_sample(folder / "raw", 24, 7)
    common = {"backend": "openai_chat", "base_url": f"{url}/v1", "max_retries": 0}
    roles = {"teacher": {**common, "model": "teacher"}, "student": {**common, "model": "student"}}
    env = {"name": "livemathematicianbench", "data_path": str(folder / "raw"), "split_ratio": "1:1:1", "workers": 4}
    env |= {"exec_timeout": 300}
    sections = {key: {**SETTINGS[key], **changes.pop(key, {})} for key in SETTINGS}
    return resolve({"model": {**roles, **changes}, "env": env, **sections}, plugins=plugins)


def test_an_epoch_over_http_learns_the_rule_and_can_be_scored_again(tmp_path: Path) -> None:
    plugins = Plugins()
    with FakeModelServer(reply) as server:
        resolved = configured(server.url, tmp_path, plugins)
        values = train(resolved, plugins, tmp_path / "out", observers=silent(plugins)).values
        seen = [one.text + one.system for one in server.requests if one.model == "student"]
    assert (values["baseline_test_hard"], values["test_hard"]) == (0.0, 1.0)
    assert not [text for text in seen if "is even." in text or "Count the ends" in text]
    again = rescore(tmp_path / "out", plugins)
    assert (again["n_changed"], again["n_rollouts"] > 20) == (0, True)
    assert all(one["now"] == one["was"] for one in again["decisions"])


def test_an_evaluation_tells_scores_by_type_month_and_meta_option(tmp_path: Path) -> None:
    plugins = Plugins()
    with FakeModelServer(reply) as server:
        resolved = configured(server.url, tmp_path, plugins)
        values = evaluate(resolved, plugins, tmp_path / "out", skill=None, split="all")
    assert (values["n_items"], values["hard"]) == (24, 0.0)
    assert {month: one["total"] for month, one in values["by_group"]["month"].items()} == {"202511": 12, "202512": 12}
    assert values["by_group"]["meta_option"]["with"]["total"] == 3
    assert {"Bound", "Universal"} < set(values["by_kind"])


class Agent:
    """An agent that reads the task, works in its folder, and answers; it keeps the jobs it was given."""

    def __init__(self) -> None:
        self.jobs: list[ExecJob] = []

    def run(self, job: ExecJob) -> ExecResult:
        self.jobs.append(job)
        workspace = job.workdir / "workspace"
        workspace.mkdir(parents=True, exist_ok=True)
        (workspace / "notes.md").write_text(job.prompt)
        answer = right_label(job.prompt) if RULE in job.skill.text else "?"
        step = {"role": "agent", "step": 1, "kind": "command", "content": "cat task.md", "output": "…", "exit_code": 0}
        return ExecResult(answer=f"<answer>{answer}</answer>", trace=(step,), workspace=workspace)


class AgentPlugin:
    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @hookimpl
    def reflact_backends(self) -> Iterator[BackendSpec]:
        yield BackendSpec(name="tiny_agent", kind="exec", config=Config, build=lambda config: self._agent)


def test_an_agent_is_trained_and_probed_within_its_time_and_without_the_theorem(tmp_path: Path) -> None:
    plugins, agent = Plugins(), Agent()
    plugins.register(AgentPlugin(agent), label="tiny agent")
    with FakeModelServer(reply) as server:
        resolved = configured(
            server.url,
            tmp_path,
            plugins,
            student={"backend": "tiny_agent"},
            gradient={"use_deep_reflect": True, "deep_reflect_failures": 1, "deep_reflect_successes": 0},
        )
        values = train(resolved, plugins, tmp_path / "out", observers=silent(plugins)).values
        probes = [one.text for one in server.requests if "probe_instruction" in json.dumps(one.body)]
    assert (values["baseline_test_hard"], values["test_hard"]) == (0.0, 1.0)
    probing = [job for job in agent.jobs if "List what you ruled out." in job.prompt]
    assert probes and probing
    assert all("Proof sketch: Count the ends" in text for text in probes)
    assert {job.timeout_s for job in agent.jobs} == {300.0}
    assert not [job for job in agent.jobs if "Count the ends" in job.prompt]
