"""docvqa: questions about scanned pages, answered from the picture in one round."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_docvqa.config import DocVQAConfig
from reflact_env_docvqa.env import DocVQA
from reflact_env_docvqa.sample import write_sample
from reflact_env_docvqa.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `docvqa`."""
    return [
        EnvSpec(
            name="docvqa",
            config=DocVQAConfig,
            build=DocVQA,
            summary="DocVQA: questions about scanned document pages, scored by ANLS",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
            needs=frozenset({"images"}),
        )
    ]
