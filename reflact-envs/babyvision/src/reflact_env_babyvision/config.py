"""The section `env` of a babyvision run."""

from typing import Annotated, Literal

from pydantic import Field
from reflact.config.split import SplitConfig
from reflact.kit.judging import JudgingConfig
from reflact.kit.media import ImageConfig


class BabyVisionConfig(SplitConfig, ImageConfig, JudgingConfig):
    """Where the puzzles are, and how answers are compared."""

    image_order: Literal["text_first", "image_first"] = "text_first"
    """Whether the picture comes after the question, or before it as in the official evaluation."""
    max_turns: Annotated[int, Field(ge=1)] = 1
    """How often the student is asked until a reply holds a boxed answer."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""
    judge_mode: Literal["auto", "always", "never"] = "auto"
    """When the judge is asked: `auto` where no rule decides, `always` as in the official evaluation, `never`."""
