"""The section `env` of an alfworld run."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from reflact.config.split import SplitConfig


class AlfworldConfig(SplitConfig):
    """Where the games are, and how long and with what in view the student plays one."""

    split_mode: Literal["native", "ratio", "split_dir"] = "native"  # type: ignore[assignment]
    """`native` takes ALFWorld's own splits: train, valid_seen, valid_unseen; `ratio` cuts the games at `data_path`, a
    folder of games or a list of them; `split_dir` reads prepared lists. A given `data_path` implies `ratio`."""
    data_root: str = ""
    """The folder that holds `json_2.1.1/`, and that games are named relative to; empty takes `$ALFWORLD_DATA`."""
    train_size: Annotated[int, Field(ge=0)] = 0
    """How many training games a native split keeps, drawn by `split_seed`; 0 keeps all."""
    max_steps: Annotated[int, Field(ge=1)] = 50
    """After so many steps a game that is not won is lost."""
    history_length: Annotated[int, Field(ge=-1)] = 2
    """How many steps back the student is told of; 0 tells nothing, -1 the whole game."""
    skill_position: Literal["system", "user"] = "system"
    """Where the skill stands: in the system prompt, which servers can cache, or before every step's prompt."""
    max_api_workers: Annotated[int, Field(ge=0)] = 0
    """How many games may wait for the model at once; 0 lets all that are played do so."""
    max_completion_tokens: Annotated[int, Field(ge=1)] = 16384
    """The longest reply, in tokens, the model's reasoning included."""
    action_timeout: Annotated[float, Field(gt=0)] = 180.0
    """Seconds a game may take over one action; one that takes longer is ended, and its task not scored."""
    episode_timeout: Annotated[float, Field(gt=0)] = 3600.0
    """Seconds one task may take in all; one that takes longer is not scored."""
    python: str = ""
    """The Python program that plays the games, where TextWorld is installed elsewhere; empty takes this one."""

    @model_validator(mode="before")
    @classmethod
    def _a_data_path_implies_ratio(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("data_path") and not {"split_mode", "split_dir"} & given.keys():
            return {**given, "split_mode": "ratio"}
        return given
