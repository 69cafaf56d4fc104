"""What a call costs: the provider's word, else the price list, else nobody knows."""

import math

import pytest
from reflact import Usage
from reflact.config.spend import Prices
from reflact.llm.prices import PriceList

LIST = PriceList(
    prices={"m": Prices(prompt=2.0, completion=10.0, cached=0.5), "plain": Prices(prompt=2, completion=10)}
)
USAGE = Usage(calls=1, prompt=1_000_000, cached=400_000, completion=100_000, reasoning=50_000)


def test_cached_tokens_have_their_own_price_and_reasoning_is_not_paid_twice() -> None:
    assert LIST.usd(USAGE, None, "m") == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10)


def test_without_a_price_for_cached_tokens_they_cost_what_others_do() -> None:
    assert LIST.usd(USAGE, None, "plain") == pytest.approx(2 + 1)


@pytest.mark.parametrize("told", [0.25, 3, 0.0])
def test_what_the_provider_says_counts(told: float) -> None:
    assert LIST.usd(USAGE, told, "m") == told


@pytest.mark.parametrize("told", [True, math.nan, math.inf, -1.0, "0.5", None])
def test_nonsense_from_a_provider_is_neither_money_nor_nothing(told: object) -> None:
    assert LIST.usd(USAGE, told, "unheard of") is None
    assert LIST.usd(USAGE, told, "m") == LIST.usd(USAGE, None, "m")


def test_the_name_the_server_answers_with_helps_when_the_configured_one_has_no_price() -> None:
    assert LIST.usd(USAGE, None, "alias", "m") == LIST.usd(USAGE, None, "m")


def test_a_reply_without_token_counts_is_not_priced() -> None:
    assert LIST.usd(Usage(calls=1), None, "m") is None


def test_a_model_on_this_machine_costs_nothing() -> None:
    assert PriceList(free=True).usd(USAGE, None, "m") == 0.0


def test_a_server_that_counts_more_cached_tokens_than_tokens_never_makes_a_price_negative() -> None:
    assert LIST.usd(Usage(calls=1, prompt=10, cached=99), None, "m") == pytest.approx(10 * 0.5 / 1e6)
