"""alfworld: household tasks as text games, played one action at a time."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl
from reflact.contracts import CHAT_ONLY

from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.env import Alfworld
from reflact_env_alfworld.sample import write_sample


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `alfworld`."""
    return [
        EnvSpec(
            name="alfworld",
            config=AlfworldConfig,
            build=Alfworld,
            summary="ALFWorld: household tasks as text games, scored by whether the game is won",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            students=CHAT_ONLY,
            sample=write_sample,
        )
    ]
