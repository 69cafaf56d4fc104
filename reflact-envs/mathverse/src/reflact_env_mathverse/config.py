"""The section `env` of a mathverse run."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator
from reflact.config.split import SplitConfig
from reflact.contracts import Ability
from reflact.errors import unknown
from reflact.kit.judging import JudgingConfig
from reflact.kit.media import ImageConfig

from reflact_env_mathverse.layout import TEXT_ONLY, VERSIONS

ROOT = "data/MathVerse"


class MathVerseConfig(JudgingConfig, SplitConfig, ImageConfig):
    """Where the problems are, which version of them is asked, and how answers are graded."""

    data_root: str = ROOT
    """The folder with `testmini.json` and the unpacked `images/`."""
    data_path: str = ""
    """The raw data: a file, or a folder with the official ones. Empty takes `data_root`, unless `split_dir` is set."""
    group_by: str = "group"
    """A field of the data: items that share its value stay in one split. `group` keeps all versions of a problem
    together, and problems that are copies of each other."""
    problem_version: str = "Text Lite"
    """How much of a problem is text and how much is picture: one of the six versions, or empty for all there are."""
    question_type: Literal["", "multi-choice", "free-form"] = ""
    """Takes only problems with options, or only those without; empty takes both."""
    use_text_dominant_reference: bool = False
    """Whether deep reflection shows the teacher (never the student) the wordiest version of a problem."""
    report_by: Literal["subfield", "subject", "version"] = "subfield"
    """The kinds of problem that reports tell apart."""
    judge_mode: Literal["auto", "always", "never"] = "auto"
    """`auto` asks the judge where no rule can tell; `always` about every answer, as the official score does; `never`
    refuses data with problems that need one."""
    image_order: Literal["text_first", "image_first"] = "text_first"
    """Whether the student sees the diagram after the problem's text or before it."""
    max_turns: Annotated[int, Field(ge=1)] = 1
    """How often the student is asked until a reply holds a complete answer tag, or a box."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""

    @model_validator(mode="before")
    @classmethod
    def _the_root_holds_the_data(cls, given: Any) -> Any:
        if isinstance(given, dict) and not given.get("data_path") and not given.get("split_dir"):
            return {**given, "data_path": given.get("data_root") or ROOT}
        return given

    @field_validator("problem_version")
    @classmethod
    def _a_version_that_exists(cls, name: str) -> str:
        known = {one.casefold(): one for one in ("", *VERSIONS)}
        if name.strip().casefold() not in known:
            raise ValueError(unknown("version", name, VERSIONS))
        return known[name.strip().casefold()]


def needs(config: MathVerseConfig) -> frozenset[Ability]:
    """Return what a chat student must be able to do: to see, unless the problems are text alone."""
    return frozenset() if config.problem_version == TEXT_ONLY else frozenset({"images"})
