"""How a run's calls are made, from its configuration."""

from __future__ import annotations

from pathlib import Path

from reflact.config import Resolved
from reflact.config.spend import Limits
from reflact.engine.calling import all_ways, identity, opened, too_small
from world import world


def resolved(**sections: object) -> Resolved:
    return world(**sections)[0]  # type: ignore[arg-type]


def test_a_roles_limits_reach_its_calls() -> None:
    limits = {"max_retries": 7, "max_wait_s": 3, "concurrency": 5, "hedge_after_s": 2}
    ways, _ = all_ways(resolved(model={"student": {"backend": "scripted_student", **limits}}), {})
    student = ways["student"]
    assert (student.retry.retries, student.retry.max_wait_s, student.limiter.limit) == (7, 3.0, 5)
    assert student.hedge is not None
    assert (ways["teacher"].retry.retries, ways["teacher"].limiter.limit) == (Limits().max_retries, 256)
    assert ways["teacher"].hedge is None


def test_roles_that_ask_the_same_model_take_turns_together_under_the_smaller_limit() -> None:
    both = {"teacher": {"backend": "scripted_student", "concurrency": 3}, "student": {"backend": "scripted_student"}}
    ways, _ = all_ways(resolved(model=both), {})
    assert ways["teacher"].limiter is ways["student"].limiter
    assert ways["student"].limiter.limit == 3


def test_another_model_has_turns_of_its_own() -> None:
    both = {"teacher": {"backend": "scripted_student", "model": "other"}, "student": {"backend": "scripted_student"}}
    ways, _ = all_ways(resolved(model=both), {})
    assert ways["teacher"].limiter is not ways["student"].limiter


def test_a_bound_in_dollars_on_a_model_without_a_price_is_told() -> None:
    _, notes = all_ways(resolved(budget={"usd": 5, "teacher": {"usd": 1}}), {})
    assert [note.split(" cannot")[0] for note in notes] == ["budget.usd and budget.teacher.usd", "budget.usd"]
    prices = {"scripted": {"prompt": 1, "completion": 2}}
    assert all_ways(resolved(budget={"usd": 5}, prices=prices), {})[1] == ()


def test_a_budget_that_does_not_even_buy_the_baseline_is_told() -> None:
    short = resolved(budget={"calls": 11, "student": {"calls": 5}, "teacher": {"calls": 1}})
    assert [note.split(" does")[0] for note in too_small(short, 12)] == ["budget.calls=11", "budget.student.calls=5"]
    assert list(too_small(resolved(budget={"calls": 12}), 12)) == []


def test_how_a_call_is_made_and_secrets_are_no_part_of_what_a_reply_depends_on() -> None:
    plain = resolved().roles["student"]
    hurried = resolved(model={"student": {"backend": "scripted_student", "max_retries": 9}}).roles["student"]
    other = resolved(model={"student": {"backend": "scripted_student", "model": "other"}}).roles["student"]
    assert identity(plain) == identity(hurried) != identity(other)


def test_a_cache_that_cannot_be_opened_is_told_and_done_without(tmp_path: Path) -> None:
    (tmp_path / "r.sqlite").write_text("a diary, " * 500)
    cache = resolved(cache={"enabled": True, "path": str(tmp_path / "r.sqlite")}).run.cache
    replies, notes = opened(cache)
    assert replies is None
    assert "cannot be used" in notes[0] and "goes on without it" in notes[0]
    assert (tmp_path / "r.sqlite").read_text().startswith("a diary")


def test_no_cache_is_made_unless_it_is_asked_for(tmp_path: Path) -> None:
    cache = resolved(cache={"path": str(tmp_path / "r.sqlite")}).run.cache
    assert opened(cache) == (None, ())
    assert list(tmp_path.iterdir()) == []
