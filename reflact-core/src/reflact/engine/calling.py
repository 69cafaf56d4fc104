"""How a run's calls are made, from its configuration: turns, retries, budget, prices and the reply cache."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from reflact.config import OPERATIONAL, Resolved, Role
from reflact.config.flat import WAYS
from reflact.config.secret import is_secret
from reflact.config.spend import Cache
from reflact.contracts import RoleName
from reflact.llm.budget import Purse, Spent, caps
from reflact.llm.hedge import Hedge
from reflact.llm.identity import model_key
from reflact.llm.limiter import Limiter
from reflact.llm.prices import PriceList
from reflact.llm.replies import Replies
from reflact.llm.replies_file import default_file
from reflact.llm.retry import Retry
from reflact.llm.router import Memo, Ways

MB = 1_000_000
Place = tuple[Hashable, ...]
"""Where calls go: the backend, its endpoint, the model, and what the environment says of the role alone."""


def all_ways(resolved: Resolved, before: Mapping[str, Spent]) -> tuple[Mapping[RoleName, Ways], tuple[str, ...]]:
    """Return how the calls of each role are made, and what the user should know about it.

    Roles that ask the same model at the same endpoint take turns together. *before* is what the run has spent so far.
    """
    purse = Purse(resolved.run.budget, before)
    replies, told = opened(resolved.run.cache)
    limiters = _limiters(resolved.roles)
    ways = {}
    for name, role in resolved.roles.items():
        limits = role.limits
        ways[name] = Ways(
            retry=Retry(retries=limits.max_retries, max_wait_s=limits.max_wait_s),
            limiter=limiters[place(role)],
            purse=purse,
            prices=PriceList(prices=resolved.run.prices, free=role.spec.free),
            hedge=Hedge(limits.hedge_after_s, most=_most(role)) if limits.hedge_after_s else None,
            memo=Memo(replies=replies, identity=identity(role)) if replies else None,
        )
    return ways, (*told, *unpriced(resolved))


def model_name(role: Role) -> str:
    """Return the name of the model that plays *role*; its backend's where it has none."""
    return str(getattr(role.settings, "model", "") or role.backend)


def place(role: Role) -> Place:
    """Return where the calls of *role* go."""
    settings = role.settings.model_dump(mode="json")
    ends = (f"{key}={value}" for key, value in settings.items() if key.endswith(("url", "endpoint")) and value)
    return (role.backend, *ends, model_name(role), role.said)


def identity(role: Role) -> str:
    """Return what a reply of *role* depends on besides the request: no secret, nothing that is only about how."""
    return model_key(role.backend, model_name(role), _settings(role, but=OPERATIONAL))


def lasting(role: Role) -> Mapping[str, Any]:
    """Return the settings of *role* that may not change while a run lasts."""
    return _settings(role, but=OPERATIONAL | WAYS)


def _settings(role: Role, *, but: Set[str]) -> dict[str, Any]:
    return {
        key: value
        for key, value in role.settings.model_dump(mode="json").items()
        if not is_secret(key) and f"model.{role.name}.{key}" not in but
    }


def opened(cache: Cache) -> tuple[Replies | None, tuple[str, ...]]:
    """Return the reply cache that is configured, if any, and what to tell when it cannot be used."""
    if not cache.enabled:
        return None, ()
    file = Path(cache.path).expanduser() if cache.path else default_file()
    try:
        return Replies(file, most=cache.max_mb * MB), ()
    except (sqlite3.Error, OSError) as error:
        return None, (
            f"the reply cache {file} cannot be used ({error}); the run goes on without it. "
            f"`reflact cache --clear` makes a new one, `cache.path` names another.",
        )


def unpriced(resolved: Resolved) -> Iterator[str]:
    """Yield a note for each model that a bound in dollars may not bind, as nobody may say what its calls cost."""
    for name, role in resolved.roles.items():
        bounds = [cap.key for cap in caps(resolved.run.budget) if cap.unit == "usd" and name in cap.roles]
        known = PriceList(prices=resolved.run.prices, free=role.spec.free).knows(model_name(role))
        if bounds and not known:
            yield (
                f"{' and '.join(bounds)} cannot count the {name}'s calls unless its provider says what they cost: "
                f"{model_name(role)} is not in `prices`. Bounds in `calls` and `tokens` count them."
            )


def too_small(resolved: Resolved, baseline: int) -> Iterator[str]:
    """Yield a note for each bound in calls that ends the run before its baseline, *baseline* tasks, is scored."""
    for cap in caps(resolved.run.budget):
        if cap.unit == "calls" and "student" in cap.roles and cap.most < baseline:
            yield f"{cap.key}={cap.most:g} does not buy the baseline, which takes at least {baseline} calls"


def _limiters(roles: Mapping[RoleName, Role]) -> dict[Place, Limiter]:
    most: dict[Place, int] = {}
    for role in roles.values():
        most[place(role)] = min(_most(role), most.get(place(role), _most(role)))
    return {where: Limiter(bound) for where, bound in most.items()}


def _most(role: Role) -> int:
    return role.limits.concurrency or role.spec.concurrency
