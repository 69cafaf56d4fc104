"""The section `env` of a qa run."""

from typing import Annotated, Literal

from pydantic import Field, field_validator
from reflact.config.split import SplitConfig
from reflact.errors import unknown

from reflact_env_qa.scorers import Scorer

FIELDS = ("id", "question", "answer", "answers", "context", "kind", "choices", "scorer")


class QAConfig(SplitConfig):
    """Where the questions are, and how an answer is judged."""

    fields: dict[str, str] = Field(default_factory=dict)
    """What your file calls a field: `{question: q, answer: a}`; the others keep their names."""
    scorer: Scorer = "exact"
    """`exact`, `choice`, `f1`, `regex` or `numeric`; a record's own field `scorer` comes first."""
    answer_format: Literal["text", "tag"] = "text"
    """`text` judges the whole reply without its reasoning, `tag` what its last `<answer>` tag holds."""
    normalize: bool = False
    """Whether `exact` passes over case, punctuation and articles."""
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """How far off a `numeric` answer may be, in the unit of the expected one."""
    max_completion_tokens: Annotated[int, Field(ge=0)] = 0
    """The longest reply, in tokens; 0 leaves it to the model's settings."""

    @field_validator("fields")
    @classmethod
    def _only_known_fields(cls, fields: dict[str, str]) -> dict[str, str]:
        for name in fields:
            if name not in FIELDS:
                raise ValueError(unknown("field", name, FIELDS))
        return fields
