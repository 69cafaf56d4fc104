"""officeqa: questions about an archive of official documents, answered by looking figures up with tools."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_officeqa.config import OfficeQAConfig
from reflact_env_officeqa.env import OfficeQA
from reflact_env_officeqa.sample import write_sample
from reflact_env_officeqa.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `officeqa`."""
    return [
        EnvSpec(
            name="officeqa",
            config=OfficeQAConfig,
            build=OfficeQA,
            summary="OfficeQA: figures looked up in treasury bulletins over several turns, scored by the official rule",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
            needs=lambda config: config.needs,
            misfit=lambda config, kind: config.misfit(kind),
        )
    ]
