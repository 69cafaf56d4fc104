"""Made-up issues in made-up repositories, for checks and for trying the whole loop without Docker."""

from reflact_env_swebench.sample.write import write_sample

__all__ = ["write_sample"]
