"""livemathematicianbench: which of several statements about a theorem is the strongest that is true."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_livemathematicianbench.config import LiveMathConfig
from reflact_env_livemathematicianbench.env import LiveMathematicianBench
from reflact_env_livemathematicianbench.sample import write_sample
from reflact_env_livemathematicianbench.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `livemathematicianbench`."""
    return [
        EnvSpec(
            name="livemathematicianbench",
            config=LiveMathConfig,
            build=LiveMathematicianBench,
            summary="LiveMathematicianBench: multiple choice about recent theorems, scored by accuracy",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
        )
    ]
