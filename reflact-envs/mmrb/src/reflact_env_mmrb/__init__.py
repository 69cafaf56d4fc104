"""mmrb: questions that need several images at once, in one round."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_mmrb.config import MMRBConfig
from reflact_env_mmrb.env import MMRB
from reflact_env_mmrb.sample import write_sample
from reflact_env_mmrb.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `mmrb`."""
    return [
        EnvSpec(
            name="mmrb",
            config=MMRBConfig,
            build=MMRB,
            summary="MMRB: reasoning over several images, by options or by the text of a short answer",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
            judge=True,
            needs=frozenset({"images"}),
        )
    ]
