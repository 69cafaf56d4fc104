"""One issue, one agent: from the task to the patch that is handed in."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from reflact import Skill, Student

from reflact_env_swebench.agent.mini import Mini
from reflact_env_swebench.agent.model import RouterModel
from reflact_env_swebench.config import SWEBenchConfig

PROMPTS = files("reflact_env_swebench") / "prompts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How it went: why it ended, the patch (empty when none was handed in), replies of the student, US dollars."""

    exit_status: str
    patch: str
    turns: int
    usd: float


def play(
    issue: str, skill: Skill, *, student: Student, place: Any, tools: Mini, config: SWEBenchConfig, record: Path
) -> Played:
    """Let *student* work on *issue* in *place*, an environment of mini-swe-agent's; the trajectory goes to *record*.

    The skill is a variable of the template, so that braces in it are text. Raises `BackendError` without a reply.
    """
    model = RouterModel(student=student, malformed=tools.malformed, max_tokens=config.max_completion_tokens)
    agent = tools.agent(
        model,
        place,
        system_template=(PROMPTS / "student.md.j2").read_text(encoding="utf-8"),
        instance_template=(PROMPTS / "issue.md.j2").read_text(encoding="utf-8"),
        step_limit=config.step_limit,
        cost_limit=config.cost_limit,
        wall_time_limit_seconds=config.timeout_per_instance,
        output_path=record,
    )
    ended = agent.run(issue, skill=skill.text)
    return Played(
        exit_status=str(ended.get("exit_status", "")),
        patch=str(ended.get("submission") or ""),
        turns=int(agent.n_calls),
        usd=float(agent.cost),
    )
