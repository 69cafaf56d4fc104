"""A teacher and an agent for a run with every mechanism switched on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from reflact.types import ChatRequest, ExecJob, ExecResult
from world import insightful

AT_ONCE = "everything at once, with an agent"
"""What such a run is called."""

EVERYTHING: Mapping[str, Mapping[str, Any]] = {
    "train": {"batch_size": 8, "accumulation": 2, "num_epochs": 2},
    "gradient": {"use_deep_reflect": True, "deep_reflect_failures": 1, "deep_reflect_successes": 1},
    "optimizer": {
        "use_slow_update": True,
        "slow_update_samples": 4,
        "use_meta_skill": True,
        "use_meta_reflect": True,
        "use_skill_aware_reflection": True,
        "skill_aware_consolidate_threshold": 1,
        "lr_control_mode": "autonomous",
        "candidates_per_step": 2,
        "screen_size": 4,
    },
    "evaluation": {"gate_repeats": 2, "gate_metric": "mixed", "sel_env_num": 6},
}


class Walker:
    """An agent that obeys the skill in two steps, and keeps its session; it can be asked to go on after the first."""

    def run(self, job: ExecJob) -> ExecResult:
        job.workdir.mkdir(parents=True, exist_ok=True)
        (job.workdir / "session.txt").write_text(job.prompt, encoding="utf-8")
        if job.resume:
            earlier = (job.resume.workdir / "session.txt").read_text(encoding="utf-8")
            return ExecResult(answer=f"I had read: {earlier}", trace=(_step(job.resume.after_step + 1),))
        number, rule = re.findall(r"\d+", job.prompt)[:2]
        answer = f"done {number}" if f"RULE {rule}." in job.skill.text else "no idea"
        return ExecResult(answer=answer, trace=(_step(1), _step(2)))


def thorough(request: ChatRequest) -> str:
    """Answer every stage that a run with everything switched on has."""
    text = request.messages[-1].text
    if request.stage == "deep_probe":
        return json.dumps({"reasoning": "", "probe_instruction": "What did you look for?", "probe_after_step": 1})
    if request.stage == "lr_autonomous":
        return json.dumps({"learning_rate": 1, "reasoning": "one thing at a time"})
    if request.stage == "appendix_consolidate":
        return json.dumps({"appendix_notes": ["Read the rules before you begin."]})
    said = json.loads(insightful(request))
    if request.stage == "analyst":
        kinds = sorted(set(re.findall(r"of rule (\d+)", text)))
        said["appendix_notes"] = [f"Mind the rule for tasks of kind {kind}." for kind in kinds]
    return json.dumps(said)


def _step(number: int) -> dict[str, Any]:
    return {
        "role": "agent",
        "step": number,
        "kind": "command",
        "content": f"look {number}",
        "output": "",
        "exit_code": 0,
    }
