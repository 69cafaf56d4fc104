"""The keys of an env whose student may use the web: `class MyConfig(SearchConfig, FetchConfig, SplitConfig)`."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from reflact.config.schema import Config
from reflact.errors import ConfigError
from reflact.kit.web.fetch import Fetcher
from reflact.kit.web.search import Search

LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))


class SearchConfig(Config):
    """Where searches are sent. No endpoint is built in."""

    search_api_url: str = ""
    """The endpoint that searches are posted to; https, unless it is on this machine."""
    search_auth_env: str = ""
    """The environment variable whose value is sent to the endpoint as the header `Authorization`."""
    search_provider: str = "duckduckgo"
    """What the endpoint is told to search with."""
    search_max_num_results: Annotated[int, Field(ge=1, le=10)] = 4
    """How many results a search gives unless the student asks for another number."""
    search_timeout_seconds: Annotated[float, Field(gt=0)] = 20.0
    """Seconds the endpoint may take over a search."""

    @field_validator("search_api_url")
    @classmethod
    def _safe_for_a_token(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (
            parts.hostname and (parts.scheme == "https" or (parts.scheme, parts.hostname in LOCAL) == ("http", True))
        ):
            raise ValueError("must be an https:// address (http:// only on this machine): a token is sent there")
        return url

    def search(self, token: str) -> Search:
        """Return the search these keys describe. Raises `ConfigError` without an endpoint or a *token*."""
        if not self.search_api_url:
            raise ConfigError("env.search_api_url is not set: name the endpoint that searches are posted to")
        if not token:
            raise ConfigError(
                f"the environment variable {self.search_auth_env or '(env.search_auth_env names none)'} is not set: it "
                f"must hold the token for {self.search_api_url}"
            )
        return Search(
            url=self.search_api_url, token=token, provider=self.search_provider, seconds=self.search_timeout_seconds
        )


class FetchConfig(Config):
    """How pages are fetched."""

    fetch_timeout: Annotated[float, Field(gt=0)] = 20.0
    """Seconds a page may take, redirects included."""
    max_fetch_bytes: Annotated[int, Field(ge=1000)] = 2_000_000
    """How much of a page is read, in bytes, before and after decompression."""
    own_hosts: tuple[str, ...] = ()
    """Servers (`127.0.0.1:8080`) that pages may come from although they are not on the public internet: your own."""

    def fetcher(self) -> Fetcher:
        """Return the fetcher these keys describe."""
        return Fetcher(seconds=self.fetch_timeout, most=self.max_fetch_bytes, own_hosts=frozenset(self.own_hosts))
