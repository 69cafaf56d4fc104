"""The section `env` of a docvqa run."""

from typing import Annotated, Literal

from pydantic import Field
from reflact.config.split import SplitConfig
from reflact.kit.media import ImageConfig


class DocVQAConfig(SplitConfig, ImageConfig):
    """Where the questions and pages are, and how answers are compared."""

    split_mode: Literal["ratio", "split_dir"] = "split_dir"
    """`split_dir` reads prepared folders; `ratio` cuts the raw data. A given `data_path` implies `ratio`."""
    split_dir: str = "data/docvqa_split"
    """A folder that holds `train/`, `val/` and `test/`."""
    group_by: str = "page"
    """A field of the raw data: items that share its value stay in one split. `page` keeps the questions of a page
    together."""
    image_order: Literal["text_first", "image_first"] = "text_first"
    """Whether the page comes after the question or before it."""
    max_turns: Annotated[int, Field(ge=1)] = 1
    """How often the student is asked until a reply holds a complete answer tag."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""
    anls_variant: Literal["rrc", "paper"] = "rrc"
    """Whether a similarity of exactly one half counts: `rrc` as in the competition's script, `paper` never."""
    hard_threshold: Annotated[float, Field(gt=0, le=1)] = 0.999
    """The ANLS from which on an answer is right; the official figure is the mean ANLS itself, the partial credit."""
    unicode_normalize: bool = False
    """Whether ligatures, full-width letters and the like equal their plain forms (NFKC). The official score says no."""
