"""What a run has reached, read from its folder alone: it may be running, finished or killed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact.data.batches import Plan
from reflact.engine.ledger import FILE as CALLS
from reflact.engine.ledger import spent
from reflact.errors import RunError
from reflact.store.files import in_use, read
from reflact.store.run import open_store

from reflact_cli.scores import baseline_score
from reflact_cli.session import command_line

STAGES = ("*", "*/*", "*/*/*", "*/*/*/*")
"""How deep rollouts lie: the baseline and the tests, stages of an epoch's end, a step's, those of its microbatches."""


def status(out: Path) -> dict[str, Any]:
    """Return step, epoch, scores, counts, spending, the last trouble and the next command of the run in *out*.

    Raises `RunError` when there is no run, or when its state cannot be read.
    """
    manifest_file = out / "run_manifest.json"
    if not manifest_file.is_file():
        raise RunError(f"{out} holds no run (run_manifest.json is not there)")
    manifest = json.loads(read(manifest_file))
    store = open_store(out)
    state = store.load()
    actions = [entry["action"] for entry in store.history(state.step)] if state else []
    phase = _phase(out)
    plan = _plan(manifest)
    return {
        "run": str(out),
        "env": manifest["config"]["env"],
        "phase": phase,
        "step": state.step if state else 0,
        "total_steps": plan.total_steps,
        "epoch": state.epoch if state else 0,
        "epochs": plan.epochs,
        "baseline_score": baseline_score(out, state) if state else None,
        "current_score": state.current.score if state else None,
        "best_score": state.best.score if state else None,
        "best_step": state.best_step if state else None,
        "accepted": sum(action.startswith("accept") for action in actions),
        "rejected": actions.count("reject"),
        "skipped": sum(action.startswith("skip") for action in actions),
        "under_way": None if phase == "finished" else _under_way(out),
        "last_error": _last_error(out),
        "spent": spent(out),
        "next": _next(out, phase),
    }


def _plan(manifest: Mapping[str, Any]) -> Plan:
    config = manifest["config"]
    return Plan(
        train_size=manifest["data"]["train"]["n"],
        epochs=config["num_epochs"],
        batch_size=config["batch_size"],
        accumulation=config["accumulation"],
        seed=config["seed"],
    )


def _phase(out: Path) -> str:
    if in_use(out):
        return "running"
    return "finished" if (out / "summary.json").is_file() else "stopped"


def _under_way(out: Path) -> dict[str, Any] | None:
    """Return the stage whose results are not complete: its folder and how many it has."""
    metas = [file for pattern in STAGES for file in out.glob(f"{pattern}/rollout_meta.json")]
    for meta in sorted(metas, key=lambda file: file.stat().st_mtime, reverse=True):
        if not json.loads(read(meta)).get("complete"):
            rows = list(_rows(meta.with_name("results.jsonl")))
            return {"folder": str(meta.parent.relative_to(out)), "results": len(rows)}
    return None


def _last_error(out: Path) -> str | None:
    """Return the last trouble on record: of a task whose stage is not complete, else of a model call."""
    under_way = _under_way(out)
    if under_way:
        errors = [row["error"] for row in _rows(out / under_way["folder"] / "results.jsonl") if row.get("error")]
        if errors:
            return f"{under_way['folder']}: {errors[-1]}"
    failed = [call for call in _rows(out / CALLS) if call.get("error")]
    return f"{failed[-1]['role']}, {failed[-1]['stage']}: {failed[-1]['error']}" if failed else None


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file that may be being written: a broken line is passed over."""
    for line in read(file).splitlines() if file.is_file() else ():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def _next(out: Path, phase: str) -> str:
    if phase == "running":
        return command_line("status", out)
    if phase == "finished":
        return command_line("eval", out / "run_config.json", "--skill", out / "best_skill.md", "--split", "test")
    return command_line("resume", out)
