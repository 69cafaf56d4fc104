"""What is kept of a job beside its workspace, for people, for a resume, and for finding out what went wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reflact.agents.secrets import Secrets
from reflact.agents.steps import Step
from reflact.agents.summary import transcript
from reflact.types import ExecResult

EVENTS = "events.jsonl"
RESULT = "agent_result.json"
STDERR = "stderr.txt"


def keep(
    workdir: Path,
    label: str,
    *,
    agent: str,
    prompt: str,
    result: ExecResult,
    steps: Sequence[Step],
    events: bytes,
    stderr: bytes,
    details: Mapping[str, Any],
    secrets: Secrets,
) -> None:
    """Write `<label>_raw.txt`, `<label>_trace_summary.txt`, `events.jsonl`, `agent_result.json`, `stderr.txt`.

    *details* go into `agent_result.json`: path and version of the program, exit code, session. No secret gets into any
    file, and those the agent wrote into its workspace are masked there.
    """
    handles = {str(number): step.handle for number, step in enumerate(steps, start=1) if step.handle}
    told = {
        "agent": agent,
        "outcome": result.outcome,
        "error": result.error,
        "answer": result.answer,
        "usage": asdict(result.usage),
        "usd": result.usd,
        "steps": len(steps),
        "handles": handles,
        **details,
    }
    texts = {
        f"{label}_raw.txt": transcript(steps, agent=agent, prompt=prompt, answer=result.answer),
        f"{label}_trace_summary.txt": result.summary,
        EVENTS: secrets.masked_lines(events),
        RESULT: json.dumps(secrets.masked(told), indent=2, ensure_ascii=False, default=str) + "\n",
        STDERR: stderr.decode("utf-8", "replace"),
    }
    for name, text in texts.items():
        (workdir / name).write_text(secrets.masked(text), encoding="utf-8", errors="replace", newline="")
    if result.workspace is not None:
        secrets.scrub(result.workspace)
