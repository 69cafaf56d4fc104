"""The section `env` of a swebench run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from reflact.config.split import SplitConfig

Natural = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
FILES = (".json", ".jsonl", ".parquet")


class SWEBenchConfig(SplitConfig):
    """Where the issues are, how long the agent may work on one, and how its patch is judged."""

    split_mode: Literal["ratio", "split_dir"] = "ratio"
    """`ratio` deals the issues of each repository by `split_ratio`; `split_dir` reads prepared folders."""
    split_method: Literal["shuffle"] = "shuffle"
    """Issues are dealt repository by repository, so there is only this way."""
    stratify_by: Literal["repo"] = "repo"
    """Every split gets its share of each repository."""
    group_by: Literal[""] = ""
    """Not for this benchmark: the issues of one repository are spread over the splits."""
    dataset_name: str = "lite"
    """`lite`, `verified`, `full`, a data set on Hugging Face, or a file; a given `data_path` comes first."""
    dataset_revision: str = "main"
    """Which revision of the data set is fetched."""
    hf_split: str = "test"
    """Which part of the data set is fetched."""
    data_root: str = ""
    """The folder that a `repo_path` is relative to; empty takes that of the data."""
    environment_class: Literal["auto", "docker", "local"] = "auto"
    """`docker` works and judges in the images of the benchmark. `local` needs no Docker: it works in the sandbox, on
    copies of the repositories that items name as `repo_path`. `auto` is `local` where every item names one."""
    step_limit: Natural = 50
    """The most replies of the student for one issue; 0 sets no limit."""
    cost_limit: Annotated[float, Field(ge=0)] = 3.0
    """US dollars for one issue, where the student's backend tells what a call cost; 0 sets no limit."""
    timeout_per_instance: Positive = 600
    """Seconds the agent may work on one issue; commands are cut short by it, a model call under way is not."""
    command_timeout: Positive = 60
    """Seconds one command of the agent may take."""
    max_completion_tokens: Positive = 16384
    """The longest reply, in tokens, the model's reasoning included."""
    eval_timeout: Positive = 1800
    """Seconds the tests of one issue may take."""
    eval_workers: Positive = 8
    """How many patches are judged at once."""
    eval_attempts: Positive = 2
    """How often the official evaluation is tried when it breaks down."""
    soft_metric: Literal["resolved", "f2p_fraction"] = "resolved"
    """The partial credit: none, or the share of the target tests that pass, as long as nothing else breaks."""
    deep_reflect_reference: Literal["none", "tests", "patch"] = "none"
    """What a probing teacher may know: nothing, the names of the tests, or also which files the right patch changes."""
    rollout_network: bool = True
    """Whether the agent's container reaches the network; in the sandbox nothing does."""
    container_mem_mb: Positive = 8192
    """Memory of the agent's container, in MB."""
    container_cpus: Annotated[float, Field(gt=0)] = 2.0
    """Processors of the agent's container."""
    container_pids: Positive = 512
    """Processes and threads of the agent's container."""
    pull_timeout: Positive = 1800
    """Seconds an image may take to arrive, before the agent's time begins."""
    min_free_gb: Natural = 20
    """Free disk space that Docker must have before a run begins, in GB."""
    docker: str = "docker"
    """The Docker command line client."""
    harness: str = ""
    """The command that judges patches; empty is `python -m swebench.harness.run_evaluation` of this Python."""
    sandbox: Literal["auto", "bwrap", "none"] = "auto"
    """What confines local work; `auto` is bubblewrap, and never nothing."""
    sandbox_mem_mb: Positive = 4096
    """Memory of a local run, in MB."""
    python: str = ""
    """The interpreter of local work, with what the repositories need; empty is the one that runs this."""
    test_command: str = "python -m pytest -rA --color=no -p no:cacheprovider {files}"
    """How local tests are run where an item does not say; `{files}` are those of its test patch."""

    @model_validator(mode="before")
    @classmethod
    def _a_file_is_raw_data(cls, given: Any) -> Any:
        if not isinstance(given, dict) or given.get("data_path"):
            return given
        name = str(given.get("dataset_name", ""))
        return {**given, "data_path": name} if name.endswith(FILES) else given

    @property
    def root(self) -> Path:
        """The folder of `data_root`."""
        if self.data_root:
            return Path(self.data_root)
        data = Path(self.split_dir if self.split_mode == "split_dir" else self.data_path)
        return data.parent if data.suffix in FILES else data
