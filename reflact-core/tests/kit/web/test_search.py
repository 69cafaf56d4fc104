"""Searches at the user's endpoint: what is sent, what is understood, what is tried again."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError
from reflact import ConfigError
from reflact.kit.web import Hit, Refused, Search, SearchConfig
from reflact.testing.pages import Asked, PageServer, Served

HITS = [{"title": "A", "url": "https://a.example/"}, {"name": "B", "link": "https://b.example/", "content": "b" * 400}]


def served(content: Any, status: int = 200) -> Served:
    return Served(parts=(json.dumps(content).encode(),), status=status, kind="application/json")


def searching(*replies: Served) -> tuple[list[Asked], list[float], Any]:
    """Return what was asked, how long was waited, and the outcome of one search against *replies*."""
    left: Iterator[Served] = iter(replies)
    waited: list[float] = []
    with PageServer(lambda asked: next(left)) as web:
        search = Search(url=f"{web.url}/find?x=1", token="Bearer secret", provider="p", sleep=waited.append)
        try:
            found: Any = search("rings of Oruna", 2)
        except Refused as error:
            found = str(error)
    return web.asked, waited, found


def test_query_number_provider_and_token_are_sent() -> None:
    (asked,), _, _ = searching(served(HITS))
    assert (asked.method, asked.path, asked.headers["authorization"]) == ("POST", "/find?x=1", "Bearer secret")
    assert json.loads(asked.body) == {"query": "rings of Oruna", "max_num_results": 2, "provider": "p"}


@pytest.mark.parametrize(
    "content", [HITS, {"results": HITS}, {"data": HITS}, {"web": {"results": HITS}}, {"items": [*HITS, "x", {}]}]
)
def test_results_are_understood_in_their_usual_forms(content: Any) -> None:
    _, _, found = searching(served(content))
    assert found[0] == Hit(title="A", url="https://a.example/")
    assert (found[1].title, found[1].url) == ("B", "https://b.example/")
    assert found[1].snippet.startswith("b" * 300 + "…")


def test_no_more_than_asked_for_are_taken() -> None:
    _, _, found = searching(served([*HITS, *HITS]))
    assert len(found) == 2


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_passing_failure_is_tried_again_after_longer_and_longer(status: int) -> None:
    asked, waited, found = searching(served({}, status), served({}, status), served({}, status), served(HITS))
    assert (len(asked), waited, len(found)) == (4, [1.0, 2.0, 4.0], 2)


def test_a_failure_that_stays_is_told_after_four_tries() -> None:
    asked, waited, found = searching(*[served({}, 503)] * 4)
    assert (len(asked), waited, found) == (4, [1.0, 2.0, 4.0], "the search endpoint answered 503")


@pytest.mark.parametrize("status", [400, 401, 302])
def test_any_other_is_told_at_once_and_no_redirect_takes_the_token_along(status: int) -> None:
    asked, waited, found = searching(served({}, status))
    assert (len(asked), waited, found) == (1, [], f"the search endpoint answered {status}")


@pytest.mark.parametrize("content", [{"answer": "x"}, "text", 7])
def test_an_answer_without_a_list_is_told(content: Any) -> None:
    assert "no list of results" in searching(served(content))[2]


def test_the_token_is_not_in_what_is_printed() -> None:
    assert "secret" not in repr(Search(url="https://s.example/", token="secret"))


@pytest.mark.parametrize(
    "url", ["http://s.example/", "ftp://s.example/", "s.example", "https:///x", "http://10.0.0.1/"]
)
def test_a_token_is_only_sent_encrypted_or_on_this_machine(url: str) -> None:
    with pytest.raises(ValidationError, match="https://"):
        SearchConfig(search_api_url=url)
    assert SearchConfig(search_api_url="http://localhost:8080/find").search_api_url


def test_there_is_no_endpoint_unless_one_is_named_and_no_search_without_a_token() -> None:
    with pytest.raises(ConfigError, match=r"env\.search_api_url is not set"):
        SearchConfig().search("token")
    named = SearchConfig(search_api_url="https://s.example/", search_auth_env="MY_TOKEN")
    with pytest.raises(ConfigError, match="MY_TOKEN is not set"):
        named.search("")
    assert named.search("token").seconds == 20
