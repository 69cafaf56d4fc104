"""The section `env` of an mmrb run."""

from typing import Annotated, Literal

from pydantic import Field
from reflact.config.split import SplitConfig
from reflact.kit.judging import JudgingConfig
from reflact.kit.media import ImageConfig


class MMRBConfig(JudgingConfig, SplitConfig, ImageConfig):
    """Where the questions and images are, and how answers are compared."""

    data_path: str = ""
    """The raw data: the folder of the sub-tasks' folders, or one file of items."""
    free_match: Literal["contains", "strict"] = "contains"
    """Without options, whether a short answer that holds the expected one is right, or only one that equals it."""
    judge_mode: Literal["never", "auto", "always"] = "never"
    """Whether the judge is asked: about no answer, where no rule can tell, or about every one."""
    max_turns: Annotated[int, Field(ge=1)] = 1
    """How often the student is asked until a reply marks its answer."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""
