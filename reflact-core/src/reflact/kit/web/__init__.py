"""The web for a student's tools: pages fetched only from public addresses, and searches at the user's own endpoint.

    config = ...                                     # a section that is a SearchConfig and a FetchConfig
    fetch = config.fetcher()                         # fetch(url) -> Page; raises Refused with the reason
    search = config.search(token)                    # search(query, k) -> tuple[Hit, ...]; raises Refused

What a page or an endpoint says is data of strangers: it is shown to the student, and never decides anything.
"""

from reflact.kit.web.address import Refused
from reflact.kit.web.config import FetchConfig, SearchConfig
from reflact.kit.web.fetch import Fetcher, Page
from reflact.kit.web.search import Hit, Search

__all__ = ["FetchConfig", "Fetcher", "Hit", "Page", "Refused", "Search", "SearchConfig"]
