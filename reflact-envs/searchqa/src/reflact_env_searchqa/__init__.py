"""searchqa: trivia questions answered from search snippets, in one round."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_searchqa.config import SearchQAConfig
from reflact_env_searchqa.env import SearchQA
from reflact_env_searchqa.sample import write_sample
from reflact_env_searchqa.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `searchqa`."""
    return [
        EnvSpec(
            name="searchqa",
            config=SearchQAConfig,
            build=SearchQA,
            summary="SearchQA: trivia questions over search snippets, scored by exact match and F1",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
        )
    ]
