"""The section `env` of a searchqa run."""

from typing import Annotated, Literal

from pydantic import Field
from reflact.config.split import SplitConfig


class SearchQAConfig(SplitConfig):
    """Where the questions are, and how much of the snippets the student sees."""

    split_mode: Literal["ratio", "split_dir"] = "split_dir"
    """`split_dir` reads prepared folders; `ratio` cuts the raw data. A given `data_path` implies `ratio`."""
    split_dir: str = "data/searchqa_split"
    """A folder that holds `train/`, `val/` and `test/`."""
    max_turns: Annotated[int, Field(ge=1)] = 1
    """How often the student is asked until a reply holds a complete answer tag."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""
    max_context_chars: Annotated[int, Field(ge=0)] = 6000
    """How much context the student sees, in characters, as whole documents where they fit; 0 shows all of it."""
