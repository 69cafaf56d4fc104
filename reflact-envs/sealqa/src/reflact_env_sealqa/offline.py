"""The tools for documents at hand: search them, open one."""

from typing import Any

from pydantic import Field
from reflact.kit.actions import Action, Arguments

from reflact_env_sealqa.documents import Library, snippet
from reflact_env_sealqa.slices import ROOM, SLICE, sliced

MOST = 10


class Search(Arguments):
    """What to look for."""

    query: str
    k: int = Field(5, description=f"how many documents, at most {MOST}")


class Open(Arguments):
    """Which document."""

    doc_id: str = Field(description="the number in brackets before a result")
    start: int = Field(0, description="the character to go on from")


def offline_tools(library: Library) -> list[Action[Any]]:
    """Return `search` and `open` over *library*."""

    def search(asked: Search) -> str:
        found = library.search(asked.query, min(max(asked.k, 1), MOST))
        lines = (f"[{one.id}] {one.title} {one.date}".rstrip() + f"\n{snippet(one, asked.query)}" for one in found)
        return "\n\n".join(lines) or "[nothing found]"

    def opened(asked: Open) -> str:
        one = library.get(asked.doc_id)
        if one is None:
            return f"[there is no document {asked.doc_id!r}; search gives their numbers]"
        return sliced(one.text, asked.start, head=f"{one.title} {one.date} {one.url}".strip())

    return [
        Action(name="search", description="Finds documents by words.", arguments=Search, run=search),
        Action(
            name="open",
            description=f"Shows a document, {SLICE} characters at a time.",
            arguments=Open,
            run=opened,
            max_chars=ROOM,
        ),
    ]
