"""The section `env` of a spreadsheetbench run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from reflact.config.split import SplitConfig
from reflact.contracts import Ability, Kind

Positive = Annotated[int, Field(ge=1)]


class SpreadsheetConfig(SplitConfig):
    """Where tasks and workbooks are, how the student works on them, and how its code is run."""

    split_mode: Literal["ratio", "split_dir"] = "split_dir"
    """`split_dir` reads prepared folders; `ratio` cuts the raw data. A given `data_path` implies `ratio`."""
    split_dir: str = "data/spreadsheetbench_split"
    """A folder that holds `train/`, `val/` and `test/`."""
    data_root: str = "data/spreadsheetbench_verified_400"
    """The folder the workbooks are below; where only `data_path` is given, that folder, or the one the file is in."""
    allow_external_paths: bool = False
    """Whether a task may name workbooks outside `data_root`."""
    mode: Literal["multi", "single", "react"] = "multi"
    """`single`: one reply with code. `multi`: the code is tried on the first case, and errors are told, until it runs.
    `react`: the student works in a folder with the tools `bash` and `write_file`, and leaves `solution.py`."""
    max_turns: Positive = 30
    """Most replies in the modes `multi` and `react`."""
    prompt: Literal["custom", "official"] = "custom"
    """The student's prompt in the modes `single` and `multi`: ours, or one with the ingredients of the benchmark's."""
    max_completion_tokens: Positive = 16384
    """The longest reply, in tokens, the model's reasoning included."""
    eval_feedback: Literal["none", "train"] = "none"
    """`train` tells the student in training tasks (mode `multi`) which cells are wrong, never what is right. Training
    scores are then not comparable with those of other splits."""
    max_feedback_cells: Positive = 20
    """The most wrong cells it is told about at a time."""
    recalc: Literal["auto", "libreoffice", "off"] = "auto"
    """Whether formulas in answers are computed: `auto` with LibreOffice where it is installed."""
    recalc_cache: str = ""
    """Where recalculated gold workbooks are kept; empty takes `reflact/recalculated` in `$XDG_CACHE_HOME`, or in
    `~/.cache`."""
    sandbox: Literal["auto", "bwrap", "docker", "none"] = "auto"
    """What confines the student's code; `auto` is bubblewrap, and never nothing."""
    sandbox_image: str = ""
    """The image for `docker`; it needs Python, openpyxl and pandas."""
    require_sandbox: bool = False
    """Whether `sandbox: none` is refused."""
    code_timeout: Positive = 120
    """Seconds one run of the student's code may take."""
    sandbox_mem_mb: Positive = 4096
    """Memory of a run, in MB."""
    sandbox_cpu_s: Positive = 60
    """Processor time of a run, in seconds."""
    max_output_mb: Positive = 50
    """Size of the workbook a run may write, in MB."""
    keep_pred_files: bool = True
    """Whether the workbooks that were graded are kept in the task's folder."""

    @model_validator(mode="before")
    @classmethod
    def _raw_data_imply_the_rest(cls, given: Any) -> Any:
        if not isinstance(given, dict) or not given.get("data_path"):
            return given
        path = Path(str(given["data_path"]))
        implied: dict[str, Any] = {"data_root": str(path if path.is_dir() else path.parent)}
        if not {"split_mode", "split_dir"} & given.keys():
            implied["split_mode"] = "ratio"
        return {**implied, **given}

    @model_validator(mode="after")
    def _a_required_sandbox_is_one(self) -> SpreadsheetConfig:
        if self.require_sandbox and self.sandbox == "none":
            raise ValueError("require_sandbox is true, so sandbox must not be none")
        return self


def needs(config: SpreadsheetConfig) -> frozenset[Ability]:
    """Return what a chat student must be able to do in the mode of *config*."""
    return frozenset({"tools"}) if config.mode == "react" else frozenset()


def misfit(config: SpreadsheetConfig, kind: Kind) -> str:
    """Return why a student of *kind* cannot work in the mode of *config*; empty when it can."""
    if kind == "chat" or config.mode == "single":
        return ""
    return (
        f"env.mode: a command-line agent as student works with one job per task; mode {config.mode!r} is for chat "
        "students. Set env.mode=single"
    )
