"""qa: your own questions, from a file, without code."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_qa.config import QAConfig
from reflact_env_qa.env import QA
from reflact_env_qa.sample import write_sample


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `qa`."""
    return [
        EnvSpec(
            name="qa",
            config=QAConfig,
            build=QA,
            summary="your own questions and answers from JSON, JSONL, CSV or YAML",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
        )
    ]
