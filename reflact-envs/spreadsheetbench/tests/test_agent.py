"""A command-line agent as student: in mode single, with the input in its folder and no gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendSpec, ExecJob, ExecResult, Plugins, hookimpl
from reflact.config import Config, resolve
from reflact.errors import ConfigError
from reflact.types import Rollout

CASE = ({"S": [[21]]}, {"S": [[21, 42]]})
PROGRAM = """import openpyxl
book = openpyxl.load_workbook(INPUT_PATH)
book["S"]["B1"] = book["S"]["A1"].value * 2
book.save(OUTPUT_PATH)
"""


@dataclass
class Agent:
    """A student that does in its workspace what it is told to do."""

    does: Callable[[Path], str]
    kind: str = "exec"
    timeout_s: float = 77.0
    jobs: list[ExecJob] = field(default_factory=list)

    def run(self, job: ExecJob) -> ExecResult:
        self.jobs.append(job)
        workspace = job.workdir / "workspace"
        workspace.mkdir(parents=True, exist_ok=True)
        for name, content in job.files.items():
            raw = content.read_bytes() if isinstance(content, Path) else content
            (workspace / name).write_bytes(raw if isinstance(raw, bytes) else raw.encode())
        return ExecResult(answer=self.does(workspace), workspace=workspace)


def test_the_program_it_leaves_counts(one: Any, say: Callable[..., Rollout], tmp_path: Path) -> None:
    env, task = one(CASE)

    def works(workspace: Path) -> str:
        assert sorted(path.name for path in workspace.iterdir()) == ["input.xlsx", "run_solution.py"]
        (workspace / "solution.py").write_text(PROGRAM)
        return "```python\nraise ValueError\n```"

    agent = Agent(works)
    rollout = say(env, task, "", skill="A rule.", student=agent)
    assert (rollout.hard, rollout.answer) == (1.0, PROGRAM)
    (job,) = agent.jobs
    assert (job.skill.text, job.timeout_s) == ("A rule.", 77.0)
    assert "python run_solution.py solution.py input.xlsx output.xlsx" in job.prompt


def test_else_the_program_in_its_last_message_does(one: Any, say: Callable[..., Rollout]) -> None:
    env, task = one(CASE)
    assert say(env, task, "", student=Agent(lambda workspace: f"```python\n{PROGRAM}```")).hard == 1.0


def test_a_link_it_leaves_is_not_followed(one: Any, say: Callable[..., Rollout], tmp_path: Path) -> None:
    env, task = one(CASE)
    (tmp_path / "elsewhere.py").write_text(PROGRAM)

    def links(workspace: Path) -> str:
        (workspace / "solution.py").symlink_to(tmp_path / "elsewhere.py")
        return "Done."

    assert say(env, task, "", student=Agent(links)).extra["fail_reason"] == "empty-code-block"


class AgentPlugin:
    @hookimpl
    def reflact_backends(self) -> Iterator[BackendSpec]:
        yield BackendSpec(name="tiny_agent", kind="exec", config=Config, build=lambda config: Agent(lambda work: ""))


@pytest.mark.parametrize("mode", ["multi", "react", "single"])
def test_in_another_mode_it_is_refused_when_the_config_is_read(mode: str) -> None:
    plugins = Plugins()
    plugins.register(AgentPlugin(), label="tiny agent")
    data = {"model": {"student": {"backend": "tiny_agent"}}, "env": {"name": "spreadsheetbench", "mode": mode}}
    if mode == "single":
        assert resolve(data, plugins=plugins).roles["student"].backend == "tiny_agent"
        return
    with pytest.raises(ConfigError, match=rf"env\.mode: a command-line agent .*mode '{mode}'.* Set env\.mode=single"):
        resolve(data, plugins=plugins)


@pytest.mark.parametrize(("mode", "wanted"), [("react", {"tools"}), ("multi", set()), ("single", set())])
def test_a_chat_student_needs_tools_in_mode_react_alone(mode: str, wanted: set[str]) -> None:
    spec = Plugins().get("envs", "spreadsheetbench")
    assert spec.needs(spec.config(mode=mode)) == wanted
