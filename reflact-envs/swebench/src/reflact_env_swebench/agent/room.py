"""Where an agent works without Docker: a copy of the repository, each command in the sandbox."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from reflact_env_swebench.agent.clock import LATE, Clock
from reflact_env_swebench.workshop import Workshop

MARK = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""The first line that a command prints to hand in what it prints after that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """An environment in mini-swe-agent's sense; *submitted* is what it raises when the agent hands in its patch."""

    shop: Workshop
    clock: Clock
    command_s: float
    submitted: Any

    @property
    def config(self) -> dict[str, Any]:
        """What the trajectory file says of it."""
        return {"sandbox": self.shop.box.name, "cwd": str(self.shop.testbed), "timeout": self.command_s}

    def execute(self, action: dict[str, Any], cwd: str = "") -> dict[str, Any]:
        """Return what the command of *action* prints, both streams together, and its exit code."""
        seconds = self.clock.left(self.command_s)
        if not seconds:
            return dict(LATE)
        start = f"exec 2>&1\ncd {shlex.quote(cwd)} || exit 1\n" if cwd else "exec 2>&1\n"
        ran = self.shop.run(("bash", "-c", start + action["command"]), seconds=seconds)
        stopped = "" if ran.ok or ran.reason == f"exit code {ran.exit_code}" else ran.reason
        first, _, rest = ran.stdout.lstrip().partition("\n")
        if ran.ok and first.strip() == MARK:
            told = {"exit_status": "Submitted", "submission": rest}
            raise self.submitted({"role": "exit", "content": rest, "extra": told})
        return {"output": ran.stdout, "returncode": ran.exit_code, "exception_info": stopped}

    def get_template_vars(self, **_: Any) -> dict[str, Any]:
        """Return what a prompt may say about this place."""
        return {"cwd": str(self.shop.testbed)}

    def serialize(self) -> dict[str, Any]:
        """Return what the trajectory file says of it."""
        return {
            "info": {"config": {"environment": self.config, "environment_type": f"{__name__}.{type(self).__name__}"}}
        }
