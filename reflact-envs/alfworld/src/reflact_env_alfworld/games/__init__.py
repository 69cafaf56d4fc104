"""Real games: played by TextWorld, each in a process of its own."""

from reflact_env_alfworld.games.pool import Processes

__all__ = ["Processes"]
