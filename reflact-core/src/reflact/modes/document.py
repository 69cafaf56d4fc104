"""A whole new document, as a teacher writes it."""

from typing import Annotated

from pydantic import AfterValidator

from reflact.llm.tolerant import Words
from reflact.skill import regions
from reflact.skill.fences import unwrapped


def _document(text: str) -> str:
    """Return *text* out of the fence it may stand in. Raises `ValueError` when nothing in it is the teacher's own."""
    document = unwrapped(text)
    if not regions.unprotected(document):
        raise ValueError("there is no document; write it completely")
    return document


Document = Annotated[Words, AfterValidator(_document)]
"""A markdown document that says something besides what is protected."""
