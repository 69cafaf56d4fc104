"""mathverse: problems in mathematics with diagrams, in one round."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_mathverse.config import MathVerseConfig, needs
from reflact_env_mathverse.env import MathVerse
from reflact_env_mathverse.sample import write_sample
from reflact_env_mathverse.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `mathverse`."""
    return [
        EnvSpec(
            name="mathverse",
            config=MathVerseConfig,
            build=MathVerse,
            summary="MathVerse: problems in mathematics with diagrams, by options or graded by a judge",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
            judge=True,
            needs=needs,
        )
    ]
