"""The reports of the official evaluation: what a patch did is told from what broke down around it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reflact_env_swebench.item import Gold
from reflact_env_swebench.judge.verdict import Results, Verdict, sort_out

MODEL = "reflact"
NOT_APPLIED = ">>>>> Patch Apply Failed"
TIMED_OUT = "tests_timed_out"


class Missing(Exception):
    """There is no report, or it cannot be read; nothing is known of the patch."""


def read(folder: Path, run_id: str, task_id: str, gold: Gold) -> Verdict:
    """Return what the evaluation *run_id* in *folder* says of *task_id*. Raises `Missing` when it says nothing.

    A broken environment makes a verdict with a fault. A patch that does not apply, and tests that do not end, count
    as errors there too, but are the patch's own.
    """
    summary = _json(folder / f"{MODEL}.{run_id}.json")
    logs = folder / "logs" / "run_evaluation" / run_id / MODEL / task_id
    output, log = _text(logs / "test_output.txt"), _text(logs / "run_instance.log")
    reason = str(summary.get("failure_reasons", {}).get(task_id, ""))
    report = _json(logs / "report.json")[task_id] if (logs / "report.json").is_file() else {}
    nothing = Verdict(target=sort_out(gold.target, ()), kept=sort_out(gold.kept, ()), output=output)
    if task_id in summary.get("resolved_ids", ()):
        return Verdict(target=Results(passed=gold.target), kept=Results(passed=gold.kept), output=output)
    if task_id in summary.get("infra_failure_ids", ()):
        return Verdict(fault=f"the evaluation's environment broke: {reason or 'no reason given'}", output=output)
    if report:
        status = report.get("tests_status") or {}
        return Verdict(
            applied=bool(report.get("patch_successfully_applied", True)),
            target=_tests(status, "FAIL_TO_PASS", nothing.target),
            kept=_tests(status, "PASS_TO_PASS", nothing.kept),
            output=output,
            trouble="" if status else reason or "no test ran",
        )
    if NOT_APPLIED in log:
        return replace(nothing, applied=False)
    if reason == TIMED_OUT:
        return replace(nothing, trouble="the tests did not end in time")
    raise Missing(f"it left no report on {task_id}{f' ({reason})' if reason else ''}\n{log[-2000:]}".strip())


def _tests(status: Mapping[str, Any], name: str, otherwise: Results) -> Results:
    found = status.get(name)
    if not found:
        return otherwise
    return Results(passed=tuple(found.get("success", ())), failed=tuple(found.get("failure", ())))


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Missing(f"there is no readable {file.name}") from error
    if not isinstance(found, dict):
        raise Missing(f"{file.name} holds no JSON object")
    return found


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
