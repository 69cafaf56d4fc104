"""The web of a run: what may be opened, what is kept, how often a server is asked. Pages come from the loopback."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError
from reflact.kit.web import Fetcher, Refused, Search
from reflact.testing.pages import Asked, PageServer, Served
from reflact_env_sealqa.kept import Kept
from reflact_env_sealqa.online import Visit, Web


def answers(asked: Asked) -> Served:
    if asked.method == "POST":
        host = asked.headers["host"]
        query = json.loads(asked.body)["query"]
        hits = [{"title": "Survey", "url": f"http://{host}/{query}", "date": "2019", "snippet": "s" * 400}] * 2
        return Served(parts=(json.dumps({"results": hits}).encode(),), kind="application/json")
    if asked.path == "/inside":
        return Served(status=302, headers={"location": "http://127.0.0.1/latest"})
    return Served(parts=(f"<title>{asked.path}</title>Seven rings.{'x' * 7000 * (asked.path == '/long')}".encode(),))


@pytest.fixture
def server() -> Iterator[PageServer]:
    with PageServer(answers) as serving:
        yield serving


def web(server: PageServer, **options: Any) -> Web:
    fetch = Fetcher(own_hosts=frozenset({server.host}))
    search = Search(url=f"{server.url}/find", token="t")
    return Web(**{"fetch": fetch, "search": search, "kept": Kept(), "pause": 0.0, **options})


def visit(server: PageServer, **options: Any) -> Visit:
    return Visit(web(server, **options), set())


def call(visit: Visit, name: str, **arguments: Any) -> tuple[str, bool]:
    return next(one for one in visit.actions() if one.name == name)(json.dumps(arguments))


def test_a_search_gives_numbered_results_that_can_then_be_opened(server: PageServer) -> None:
    looking = visit(server)
    said, _ = call(looking, "web_search", query="rings", k=1)
    assert said.startswith(f"1. Survey 2019\n{server.url}/rings\nsss") and "\n\n2." not in said
    said, worked = call(looking, "web_fetch", url=f"{server.url}/rings")
    assert (said, worked) == ("/rings\nSeven rings.", True)
    assert list(looking.opened) == [f"{server.url}/rings"]


def test_an_address_that_no_search_gave_is_not_opened(server: PageServer) -> None:
    looking = Visit(web(server, fetch=Fetcher()), set())
    said, worked = call(looking, "web_fetch", url="https://example.org/")
    assert not worked and "only addresses that a search gave" in said
    assert server.asked == []


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://169.254.169.254/latest/", "http://[::1]/", "file:///etc/passwd", "http://10.0.0.1/"],
)
def test_a_search_result_that_leads_into_the_network_is_refused(server: PageServer, url: str) -> None:
    looking = Visit(web(server, fetch=Fetcher()), {url})
    said, worked = call(looking, "web_fetch", url=url)
    assert not worked and said.startswith("[web_fetch failed: Refused: ")


def test_a_redirect_into_the_network_is_refused(server: PageServer) -> None:
    looking = visit(server)
    looking.known.add(f"{server.url}/inside")
    said, worked = call(looking, "web_fetch", url=f"{server.url}/inside")
    assert not worked and "127.0.0.1 is not on the public internet" in said


def test_a_server_of_ones_own_is_reached_only_where_it_is_named(server: PageServer) -> None:
    unnamed = Visit(web(server, fetch=Fetcher()), {f"{server.url}/a"})
    assert not call(unnamed, "web_fetch", url=f"{server.url}/a")[1]
    assert call(visit(server), "web_fetch", url=f"{server.url}/a")[1]


def test_a_long_page_comes_in_pieces(server: PageServer) -> None:
    looking = visit(server)
    first, _ = call(looking, "web_fetch", url=f"{server.url}/long")
    assert first.endswith("[1012 characters omitted; go on with start=6000]")
    rest, _ = call(looking, "web_fetch", url=f"{server.url}/long", start=6000)
    assert rest.startswith("/long\n[6000 characters omitted]\nxxx")
    assert len(server.asked) == 1


def test_all_tasks_of_a_run_see_the_same_page_and_the_same_results(server: PageServer) -> None:
    shared = web(server)
    for _ in range(2):
        one = Visit(shared, set())
        call(one, "web_search", query="rings")
        call(one, "web_fetch", url=f"{server.url}/rings")
    assert [one.method for one in server.asked] == ["POST", "GET"]


def test_a_folder_keeps_them_for_later_runs(server: PageServer, tmp_path: Path) -> None:
    first = web(server, kept=Kept(tmp_path / "kept")).page(f"{server.url}/a")
    again = web(server, kept=Kept(tmp_path / "kept")).page(f"{server.url}/a")
    assert first == again and len(server.asked) == 1
    (file,) = (tmp_path / "kept").iterdir()
    file.write_text("broken")
    assert web(server, kept=Kept(tmp_path / "kept")).page(f"{server.url}/a").text == "Seven rings."


def test_a_failure_is_not_kept(server: PageServer) -> None:
    shared = web(server)
    for _ in range(2):
        with pytest.raises(Refused):
            shared.page(f"{server.url}/inside")
    assert len(server.asked) == 2


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"env\.page_cache"):
        Kept(tmp_path / "file" / "x").get("asked", dict)


def test_one_server_is_not_asked_more_often_than_agreed(server: PageServer) -> None:
    slept: list[float] = []
    shared = web(server, pause=2.0, clock=lambda: 10.0, sleep=slept.append)
    for name in "abc":
        shared.page(f"{server.url}/{name}")
    assert slept == [2.0, 4.0]
