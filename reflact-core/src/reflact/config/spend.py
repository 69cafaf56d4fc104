"""How calls are made and what they may cost: a role's limits, and the sections `budget`, `prices` and `cache`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from reflact.config.schema import Config, Count, Positive

Amount = Annotated[float, Field(gt=0)]
Price = Annotated[float, Field(ge=0)]


class Limits(Config):
    """How a role's calls are made. Every role has these beside the settings of its backend."""

    max_retries: Count = 4
    """Further attempts after a connection error, a timeout or an overloaded server."""
    max_wait_s: Annotated[float, Field(ge=0)] = 120.0
    """The longest `Retry-After` that is waited for, in seconds; a longer one ends the call at once."""
    concurrency: Positive | None = None
    """Most calls at once; fewer while the server says it is too much. Empty takes what the backend can do."""
    hedge_after_s: Amount | None = None
    """Seconds after which a call without a reply is made a second time, the first reply counts. Empty never does."""


class RoleBudget(Config):
    """What may be spent; an empty key sets no bound."""

    calls: Positive | None = None
    """Most model calls."""
    tokens: Positive | None = None
    """Most tokens, prompt and completion together."""
    usd: Amount | None = None
    """Most US dollars. Calls of a model without a price count nothing here; `calls` and `tokens` bind them."""


class Budget(RoleBudget):
    """What a run may spend over all its processes. When it is spent the run stops; it goes on under a larger one."""

    minutes: Amount | None = None
    """Most minutes one process may take."""
    teacher: RoleBudget = RoleBudget()
    """What the teacher may spend of it."""
    student: RoleBudget = RoleBudget()
    """What the student may spend of it."""


class Prices(Config):
    """US dollars per million tokens of one model."""

    prompt: Price
    """Tokens read."""
    completion: Price
    """Tokens written, reasoning included."""
    cached: Price | None = None
    """Tokens read from the provider's cache; empty takes the price of `prompt`."""


class Cache(Config):
    """Replies kept from run to run."""

    enabled: bool = False
    """Whether a request that was answered before gets that answer, unpaid."""
    path: str = ""
    """The cache's file; empty takes `reflact/replies.sqlite` in `$XDG_CACHE_HOME`, or in `~/.cache`."""
    max_mb: Count = 2048
    """How much of the file may be in use, in MB; beyond it the least recently used replies are removed, down to nine
    tenths of it. 0 sets no bound."""


def _given(value: Any) -> Any:
    return {} if value in (None, "") else value


PriceTable = Annotated[dict[str, Prices], BeforeValidator(_given)]
