"""The tool that searches the web, at the user's own endpoint."""

from typing import Any

from pydantic import Field
from reflact.kit.actions import Action, Arguments
from reflact.kit.web import Refused

from reflact_env_officeqa.config import OfficeQAConfig
from reflact_env_officeqa.environment import token


class Queries(Arguments):
    """What to search for."""

    queries: list[str] = Field(description="one search each")


def web_search(config: OfficeQAConfig) -> Action[Any]:
    """Return the tool. Raises `ConfigError` without an endpoint, or without its token."""
    search = config.search(token(config.search_auth_env))

    def found(query: str) -> str:
        try:
            hits = search(query, config.search_max_num_results)
        except Refused as error:
            return f"{query}: [{error}]"
        listed = (f"{n}. {hit.title} ({hit.url}) {hit.date}\n   {hit.snippet}" for n, hit in enumerate(hits, start=1))
        return "\n".join([f"{query}:", *listed]) if hits else f"{query}: [nothing found]"

    return Action(
        name="web_search",
        description=f"Searches the web; at most {config.max_queries_per_turn} searches in one call.",
        arguments=Queries,
        run=lambda asked: "\n\n".join(map(found, asked.queries[: config.max_queries_per_turn])) or "[no query]",
    )
