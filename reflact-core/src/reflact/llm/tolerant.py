"""Fields of a reply that let pass what models write instead of what was asked for, where the meaning is plain."""

from typing import Annotated, Any

from pydantic import BeforeValidator


def _text(value: Any) -> Any:
    return "" if value is None else value


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    return tuple(str(one) for one in value if one is not None) if isinstance(value, list | tuple) else ()


def _label(value: Any) -> Any:
    return value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value


Words = Annotated[str, BeforeValidator(_text)]
"""A text; null is an empty one."""
Points = Annotated[tuple[str, ...], BeforeValidator(_texts)]
"""Several texts; a lone one is the only one, and what is no list is none."""
LABEL = BeforeValidator(_label)
"""For one of several words: neither case nor blanks nor hyphens matter."""
