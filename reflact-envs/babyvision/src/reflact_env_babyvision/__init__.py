"""babyvision: visual puzzles that a young child solves, in one round."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_babyvision.config import BabyVisionConfig
from reflact_env_babyvision.env import BabyVision
from reflact_env_babyvision.sample import write_sample
from reflact_env_babyvision.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `babyvision`."""
    return [
        EnvSpec(
            name="babyvision",
            config=BabyVisionConfig,
            build=BabyVision,
            summary="BabyVision: visual puzzles a young child solves; by rule, and by a judge where no rule decides",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
            judge=True,
            needs=frozenset({"images"}),
            version="3",
        )
    ]
