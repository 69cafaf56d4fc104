"""What a call costs in US dollars: what the provider says, else what the price list makes of its tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType

from reflact.config.spend import Prices
from reflact.types import Usage

PER = 1_000_000
NO_PRICES: Mapping[str, Prices] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """The prices of the models a role may get its replies from; `free` for one that costs nothing."""

    prices: Mapping[str, Prices] = field(default_factory=lambda: NO_PRICES)
    free: bool = False

    def knows(self, model: str) -> bool:
        """Return whether calls of *model* are priced, whatever the provider says."""
        return self.free or model in self.prices

    def usd(self, usage: Usage, told: object, *models: str) -> float | None:
        """Return the price of a call in US dollars, and None when nobody knows it.

        *told* is what the provider says; it counts when it is a finite number that is not negative. Else the first of
        *models* that has prices decides. A reply without token counts has no price.
        """
        if isinstance(told, (int, float)) and not isinstance(told, bool) and isfinite(told) and told >= 0:
            return float(told)
        if self.free:
            return 0.0
        prices = next((self.prices[model] for model in models if model in self.prices), None)
        if prices is None or not (usage.prompt or usage.completion):
            return None
        cached = min(usage.cached, usage.prompt)
        again = prices.prompt if prices.cached is None else prices.cached
        total = (usage.prompt - cached) * prices.prompt + cached * again + usage.completion * prices.completion
        return total / PER
