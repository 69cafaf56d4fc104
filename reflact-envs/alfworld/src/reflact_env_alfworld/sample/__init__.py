"""Games made here, without a download: a made-up room, a task in it, and the planner's proof that it can be done."""

from reflact_env_alfworld.sample.write import write_sample

__all__ = ["write_sample"]
