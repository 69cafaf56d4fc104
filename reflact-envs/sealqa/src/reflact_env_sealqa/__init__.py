"""sealqa: questions on which sources disagree, answered by searching, graded by a judge."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_sealqa.config import SealQAConfig
from reflact_env_sealqa.env import SealQA
from reflact_env_sealqa.sample import write_sample
from reflact_env_sealqa.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `sealqa`."""
    return [
        EnvSpec(
            name="sealqa",
            config=SealQAConfig,
            build=SealQA,
            summary="SealQA: questions on which sources disagree, searched for over several turns, graded by a judge",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
            judge=lambda config: config.judge == "llm",
            needs=lambda config: frozenset({"tools"} if config.has_tools else ()),
        )
    ]
