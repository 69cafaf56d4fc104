"""The tools for the web: search at the user's endpoint, open pages that were found. One set for each task."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field
from reflact.kit.actions import RESULT_CHARS, Action, Arguments
from reflact.kit.text import shorten
from reflact.kit.web import Fetcher, Hit, Page, Refused, Search

from reflact_env_sealqa.kept import Kept
from reflact_env_sealqa.slices import ROOM, SLICE, sliced

MOST = 10


class WebSearch(Arguments):
    """What to look for."""

    query: str
    k: int | None = Field(None, description=f"how many results, at most {MOST}")


class WebFetch(Arguments):
    """Which page."""

    url: str = Field(description="an address that a search gave")
    start: int = Field(0, description="the character to go on from")


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """The web as all tasks of a run see it: what was found once is kept, and one server is not asked too often."""

    fetch: Fetcher
    search: Search | None
    kept: Kept
    pause: float = 1.0
    results: int = 5
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _free_at: dict[str, float] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def page(self, url: str) -> Page:
        """Return the page at *url*. Raises `Refused`."""
        return Page(**self.kept.get(f"page {url}", lambda: asdict(self._fetched(url))))

    def hits(self, query: str, k: int) -> list[Hit]:
        """Return what the endpoint finds. Raises `Refused`."""
        if self.search is None:
            raise Refused("there is no search")
        asked = self.search
        found = self.kept.get(f"search {k} {query}", lambda: {"hits": [asdict(one) for one in asked(query, k)]})
        return [Hit(**one) for one in found["hits"]]

    def _fetched(self, url: str) -> Page:
        host = urlsplit(url).netloc
        with self._lock:
            now = self.clock()
            turn = max(now, self._free_at.get(host, now))
            self._free_at[host] = turn + self.pause
        if turn > now:
            self.sleep(turn - now)
        return self.fetch(url)


@dataclass(frozen=True, slots=True)
class Visit:
    """One task's use of the web: which addresses it may open, and what it has opened, with the time (UTC)."""

    web: Web
    known: set[str]
    opened: dict[str, str] = field(default_factory=dict)

    def actions(self) -> list[Action[Any]]:
        """Return the tools: `web_search`, where there is an endpoint, and `web_fetch`."""
        fetch = Action(
            name="web_fetch",
            description=f"Shows a page as text, {SLICE} characters at a time.",
            arguments=WebFetch,
            run=lambda asked: self.fetched(asked.url, asked.start),
            max_chars=ROOM,
        )
        search = Action(
            name="web_search",
            description="Searches the web.",
            arguments=WebSearch,
            run=lambda asked: self.found(asked.query, asked.k or self.web.results),
        )
        return [search, fetch] if self.web.search else [fetch]

    def found(self, query: str, k: int) -> str:
        """Return numbered results for *query*; their addresses may be opened from then on."""
        hits = self.web.hits(query, min(max(k, 1), MOST))
        self.known.update(hit.url for hit in hits)
        lines = (
            f"{number}. {hit.title} {hit.date}".rstrip() + f"\n{hit.url}\n{hit.snippet}"
            for number, hit in enumerate(hits, start=1)
        )
        return shorten("\n\n".join(lines), RESULT_CHARS) or "[nothing found]"

    def fetched(self, url: str, start: int) -> str:
        """Return a piece of the page at *url*, which a search must have given. Raises `Refused`."""
        wanted = url.strip()
        if wanted not in self.known and urlsplit(wanted).netloc not in self.web.fetch.own_hosts:
            raise Refused("only addresses that a search gave, or the question, can be opened")
        page = self.web.page(wanted)
        self.opened[wanted] = page.retrieved
        cut = " (the page is longer than what is read of it)" if page.truncated else ""
        return sliced(page.text, start, head=f"{page.title}{cut}")
