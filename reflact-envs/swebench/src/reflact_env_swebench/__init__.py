"""swebench: issues of real repositories, mended by mini-swe-agent and judged by tests."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl
from reflact.contracts import CHAT_ONLY

from reflact_env_swebench.config import SWEBenchConfig
from reflact_env_swebench.env import SWEBench
from reflact_env_swebench.sample import write_sample
from reflact_env_swebench.source import DATA

__all__ = ["SWEBench", "SWEBenchConfig", "reflact_envs", "write_sample"]


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `swebench`."""
    return [
        EnvSpec(
            name="swebench",
            config=SWEBenchConfig,
            build=SWEBench,
            summary="SWE-bench: issues of real repositories, resolved when hidden tests pass",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            students=CHAT_ONLY,
            needs=frozenset({"tools"}),
            sample=write_sample,
            data=DATA,
        )
    ]
