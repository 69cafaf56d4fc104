"""The section `env` of a livemathematicianbench run."""

from typing import Annotated, Literal

from pydantic import Field
from reflact.config.split import SplitConfig


class LiveMathConfig(SplitConfig):
    """Where the questions are, what the student sees besides them, and in which order the choices stand."""

    split_mode: Literal["ratio", "split_dir"] = "split_dir"
    """`split_dir` reads prepared folders; `ratio` cuts the raw data. A given `data_path` implies `ratio`."""
    split_dir: str = "data/livemathematicianbench_split"
    """A folder that holds `train/`, `val/` and `test/`."""
    shuffle_choices: bool = True
    """Whether choices change places; the raw files always have the right one first. The same order in every epoch."""
    shuffle_seed: int = 42
    """Which order the choices of an item get, together with its id."""
    use_theorem: bool = False
    """Whether the student sees the theorem the question was made from, which all but gives the answer."""
    use_sketch: bool = False
    """Whether the student sees the sketch of the proof: the benchmark's second mode."""
    meta_option: Literal["keep", "exclude", "report"] = "report"
    """What to do with items in which a choice says that another one is right but something stronger holds: `report`
    scores apart, `exclude` leaves them out before the split is dealt, `keep` passes over it."""
    max_turns: Annotated[int, Field(ge=1)] = 1
    """How often the student is asked until a reply holds a complete answer tag."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""
