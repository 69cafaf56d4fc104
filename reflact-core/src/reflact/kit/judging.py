"""The keys of an env that asks a judge: `class MyConfig(JudgingConfig, SplitConfig)`."""

from typing import Annotated

from pydantic import Field, field_validator

from reflact.config.schema import Config
from reflact.kit.judge import Judge
from reflact.kit.verdicts import TWO_GRADES, Scale


class JudgingConfig(Config):
    """How the judge is asked. Which model it is stands under `model.judge`."""

    judge_votes: Annotated[int, Field(ge=1)] = 1
    """How many verdicts are asked for on one answer, an odd number; more than half must agree."""
    judge_retries: Annotated[int, Field(ge=0)] = 1
    """How often the judge is asked again when its reply holds no verdict."""
    judge_max_completion_tokens: Annotated[int, Field(ge=1)] = 2048
    """The longest reply of the judge, in tokens, its reasoning included."""

    @field_validator("judge_votes")
    @classmethod
    def _odd(cls, votes: int) -> int:
        if votes % 2 == 0:
            raise ValueError("must be odd, so that there is a majority")
        return votes

    def make_judge(self, *, scale: Scale = TWO_GRADES, rubric: str = "") -> Judge:
        """Return the judge these keys describe."""
        return Judge(
            scale=scale,
            votes=self.judge_votes,
            retries=self.judge_retries,
            max_tokens=self.judge_max_completion_tokens,
            rubric=rubric,
        )
