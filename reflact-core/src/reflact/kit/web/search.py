"""A search at an endpoint the user has configured: one POST, in JSON, with a token."""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from reflact.kit.text import shorten
from reflact.kit.web.address import Refused

TRIES = 4
SNIPPET = 300
_MOST_BYTES = 1_000_000
_PASSING = frozenset((408, 429))
_LISTS = ("results", "items", "data", "organic", "web")
_NAMES = {
    "title": ("title", "name"),
    "url": ("url", "link", "href"),
    "date": ("date", "published", "published_date", "age"),
    "snippet": ("snippet", "content", "description", "text", "body"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something that was found; the snippet has at most 300 characters."""

    title: str
    url: str
    date: str = ""
    snippet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Searches through the endpoint at *url*, which is the user's own choice and therefore not checked like a page's.

    Sends `{"query", "max_num_results", "provider"}` with *token* as the header `Authorization`; takes a list of
    objects, at the top or under one of a few usual names. 408, 429 and 5xx are tried again after 1, 2 and 4 seconds.
    """

    url: str
    token: str = field(repr=False)
    provider: str = ""
    seconds: float = 20.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def __call__(self, query: str, k: int) -> tuple[Hit, ...]:
        """Return at most *k* hits for *query*. Raises `Refused` when the endpoint gives none that can be read."""
        asked = {"query": query, "max_num_results": k, "provider": self.provider}
        for attempt in range(TRIES):
            status, said = self._posted(json.dumps(asked).encode())
            if status == 200:
                return tuple(_hits(said))[:k]
            if attempt == TRIES - 1 or not (status in _PASSING or status >= 500 or status == 0):
                raise Refused(f"the search endpoint answered {status or said}")
            self.sleep(2.0**attempt)
        raise Refused("the search endpoint was not asked")

    def _posted(self, body: bytes) -> tuple[int, str]:
        """Return the status and the text of the answer; 0 and the reason where there is none."""
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.seconds)
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Authorization": self.token}
        try:
            connection.request("POST", f"{parts.path or '/'}{'?' * bool(parts.query)}{parts.query}", body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(_MOST_BYTES).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            return 0, f"nothing ({type(error).__name__}: {error})"
        finally:
            connection.close()


def _hits(said: str) -> Iterator[Hit]:
    for one in _listed(said):
        fields = {name: _text(one, keys) for name, keys in _NAMES.items()}
        if fields["url"]:
            yield Hit(**{**fields, "snippet": shorten(fields["snippet"], SNIPPET)})


def _listed(said: str) -> list[Mapping[str, Any]]:
    try:
        found = json.loads(said)
    except (ValueError, RecursionError) as error:
        raise Refused("the search endpoint answered something that is no JSON") from error
    for _ in range(2):
        if isinstance(found, Mapping):
            found = next((found[name] for name in _LISTS if isinstance(found.get(name), list | Mapping)), found)
    if not isinstance(found, list):
        raise Refused(f"the search endpoint answered no list of results (looked under {', '.join(_LISTS)})")
    return [one for one in found if isinstance(one, Mapping)]


def _text(one: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    value = next((one[key] for key in keys if isinstance(one.get(key), str) and one[key].strip()), "")
    return " ".join(value.split())
