"""What a run spends: bounded to the call, over all its processes, and counted honestly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ChatReply, ChatRequest, EnvSpec, Rollout, Skill, Student, Task, hookimpl
from reflact.config.spend import Budget, RoleBudget
from reflact.engine.evaluate import evaluate
from reflact.engine.ledger import Account, spent, writer
from reflact.engine.train import train
from reflact.errors import BudgetError
from reflact.llm.calls import Call
from reflact.types import Usage
from world import World, WorldConfig, artifacts, insightful, obedient, world


class SwallowingWorld(World):
    """An env that takes any error for a wrong answer."""

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        try:
            return super().run(task, skill=skill, student=student, workdir=workdir)
        except Exception:
            return Rollout(task_id=task.id, hard=0.0, soft=0.0, answer="it failed")


class Swallowing:
    @hookimpl
    def reflact_envs(self) -> list[EnvSpec]:
        return [EnvSpec(name="swallowing", config=WorldConfig, build=SwallowingWorld)]


def calls(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "calls.jsonl").read_text().splitlines()]


def counting(reply: Callable[[ChatRequest], Any], seen: list[str]) -> Callable[[ChatRequest], Any]:
    lock = threading.Lock()

    def counted(request: ChatRequest) -> Any:
        with lock:
            seen.append(request.stage)
        return reply(request)

    return counted


def test_a_run_stops_at_the_call_and_goes_on_under_a_larger_budget_as_if_nothing_had_been(tmp_path: Path) -> None:
    seen: list[str] = []

    def budgeted(most: int) -> None:
        resolved, plugins = world(student=counting(obedient, seen), budget={"calls": most})
        train(resolved, plugins, tmp_path / "run")

    for most in (5, 20, 40):
        with pytest.raises(BudgetError, match=f"budget.calls: the {most} calls that may be spent are spent"):
            budgeted(most)
        assert sum(call["usage"]["calls"] for call in calls(tmp_path / "run")) == most
        rows = list((tmp_path / "run").rglob("results.jsonl"))
        assert not any('"outcome": "infra_error"' in row.read_text() for row in rows)
    budgeted(10_000)
    resolved, plugins = world(budget={"calls": 10_000})
    train(resolved, plugins, tmp_path / "whole")
    in_parts, whole = artifacts(tmp_path / "run"), artifacts(tmp_path / "whole")
    assert {name for name in in_parts | whole if in_parts.get(name) != whole.get(name)} == {"run_manifest.json"}
    student = [call for call in calls(tmp_path / "run") if call["role"] == "student"]
    assert len(student) == len(seen)


def test_a_teachers_budget_stops_the_run_too(tmp_path: Path) -> None:
    resolved, plugins = world(budget={"teacher": {"calls": 1}})
    with pytest.raises(BudgetError) as caught:
        train(resolved, plugins, tmp_path)
    assert caught.value.key == "budget.teacher.calls"
    assert [call["role"] for call in calls(tmp_path)].count("teacher") == 1


def test_an_env_that_swallows_errors_has_nothing_graded_when_the_budget_is_spent(tmp_path: Path) -> None:
    resolved, plugins = world(env={"name": "world"}, budget={"calls": 5})
    plugins.register(Swallowing(), label="swallowing")
    (spec,) = Swallowing().reflact_envs()
    with pytest.raises(BudgetError):
        evaluate(replace(resolved, env_spec=spec), plugins, tmp_path, skill=None)
    rows = (tmp_path / "eval" / "test" / "results.jsonl").read_text()
    assert "it failed" not in rows


def test_an_attempt_that_failed_is_on_record_beside_the_one_that_did_not(tmp_path: Path) -> None:
    failed: list[str] = []

    def flaky(request: ChatRequest) -> str:
        if not failed:
            failed.append("once")
            raise BackendError("503", fault="unavailable")
        return obedient(request)

    resolved, plugins = world(student=flaky, env={"workers": 1})
    evaluate(resolved, plugins, tmp_path, skill=None)
    first, second, *rest = calls(tmp_path)
    assert (first["error"], first["attempt"], first["usd"]) == ("unavailable", 1, None)
    assert (first["usage"]["calls"], first["usage"]["prompt"]) == (1, 0)
    assert (second["error"], second["attempt"]) == ("", 2)
    assert len(rest) == 11
    table = spent(tmp_path)["student"]
    assert (table["usage"]["calls"], table["failed"], table["unpriced"], table["usd"]) == (13, 1, 12, None)


def test_prices_make_dollars_of_tokens_by_role(tmp_path: Path) -> None:
    def student(request: ChatRequest) -> ChatReply:
        return ChatReply(text=obedient(request), usage=Usage(calls=1, prompt=100, cached=40, completion=10))

    prices = {"scripted": {"prompt": 10, "completion": 20, "cached": 1}}
    resolved, plugins = world(student=student, prices=prices)
    evaluate(resolved, plugins, tmp_path, skill=None)
    each = (60 * 10 + 40 * 1 + 10 * 20) / 1e6
    assert [call["usd"] for call in calls(tmp_path)] == pytest.approx([each] * 12)
    assert spent(tmp_path)["student"]["usd"] == pytest.approx(12 * each)


def test_a_price_nobody_knows_is_none_and_not_nothing(tmp_path: Path) -> None:
    resolved, plugins = world(budget={"usd": 0.01})
    summary = train(resolved, plugins, tmp_path)
    assert {role: entry["usd"] for role, entry in summary.values["spent"].items()} == {"student": None, "teacher": None}
    assert {call["usd"] for call in calls(tmp_path)} == {None}
    assert any("scripted is not in `prices`" in note for note in summary.values["notes"])


def test_a_second_run_with_a_cache_pays_nothing_and_ends_the_same(tmp_path: Path) -> None:
    cache = {"enabled": True, "path": str(tmp_path / "replies.sqlite")}
    runs = {}
    for name in ("first", "second"):
        resolved, plugins = world(cache=cache, budget={"calls": 500})
        runs[name] = train(resolved, plugins, tmp_path / name).values
    assert runs["second"]["test_hard"] == runs["first"]["test_hard"]
    assert (tmp_path / "first/best_skill.md").read_bytes() == (tmp_path / "second/best_skill.md").read_bytes()
    totals = [sum(role["usage"]["calls"] for role in runs[name]["spent"].values()) for name in runs]
    assert totals[0] > 0 == totals[1]
    assert all(call["cached"] and call["usd"] == 0 for call in calls(tmp_path / "second"))


def test_repeats_of_the_gate_are_not_one_reply_read_twice(tmp_path: Path) -> None:
    seen: list[str] = []
    cache = {"enabled": True, "path": str(tmp_path / "replies.sqlite")}
    resolved, plugins = world(student=counting(obedient, seen), cache=cache, evaluation={"gate_repeats": 3})
    with pytest.raises(BudgetError):
        train(*_under(resolved, plugins, teacher_calls=1), tmp_path / "run")
    assert len([stage for stage in seen if "baseline" in stage]) == 36


def _under(resolved: Any, plugins: Any, *, teacher_calls: int) -> tuple[Any, Any]:
    budget = Budget(teacher=RoleBudget(calls=teacher_calls))
    return replace(resolved, run=resolved.run.model_copy(update={"budget": budget})), plugins


def test_a_line_that_a_kill_cut_short_does_not_spoil_the_next(tmp_path: Path) -> None:
    call = Call(role="student", stage="s", model="m", usage=Usage(calls=1, prompt=3), seconds=0.1, usd=0.5)
    writer(tmp_path)(call)
    with (tmp_path / "calls.jsonl").open("a") as file:
        file.write('{"role": "stud')
    writer(tmp_path)(call)
    assert (Account(tmp_path).spent()["student"].calls, spent(tmp_path)["student"]["usd"]) == (2, 1.0)


def test_a_skill_scored_with_another_student_than_it_was_trained_with_is_told(tmp_path: Path) -> None:
    resolved, plugins = world(teacher=insightful)
    train(resolved, plugins, tmp_path / "run")
    skill = tmp_path / "run" / "best_skill.md"
    same = evaluate(resolved, plugins, tmp_path / "same", skill=skill)
    assert (same["student"], same["notes"]) == ("scripted_student:scripted", [])
    other, plugins = world(model={"student": {"backend": "scripted_student", "model": "newer"}})
    told = evaluate(other, plugins, tmp_path / "other", skill=tmp_path / "run" / "skills" / "skill_v0000.md")
    assert "was trained with scripted_student:scripted; the student now is scripted_student:newer" in told["notes"][0]
