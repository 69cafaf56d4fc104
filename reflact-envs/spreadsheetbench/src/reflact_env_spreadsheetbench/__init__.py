"""spreadsheetbench: workbooks changed by programs that a student writes."""

from collections.abc import Iterable
from importlib.resources import files

from reflact import EnvSpec, hookimpl

from reflact_env_spreadsheetbench.config import SpreadsheetConfig, misfit, needs
from reflact_env_spreadsheetbench.env import SpreadsheetBench
from reflact_env_spreadsheetbench.sample import write_sample
from reflact_env_spreadsheetbench.source import DATA


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    """Return the env `spreadsheetbench`."""
    return [
        EnvSpec(
            name="spreadsheetbench",
            config=SpreadsheetConfig,
            build=SpreadsheetBench,
            summary="SpreadsheetBench: workbooks changed by generated Python, graded cell by cell",
            initial_skill=files(__name__) / "skill.md",
            prompts=files(__name__) / "prompts",
            sample=write_sample,
            data=DATA,
            needs=needs,
            misfit=misfit,
        )
    ]
