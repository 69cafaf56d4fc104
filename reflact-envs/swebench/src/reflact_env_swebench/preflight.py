"""What has to be there before anything is paid for, and all of what is missing at once."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from shutil import disk_usage, which

from reflact import ConfigError, DataError, Task

from reflact_env_swebench import repository
from reflact_env_swebench.config import SWEBenchConfig
from reflact_env_swebench.environment import inherited
from reflact_env_swebench.item import ENRICHED, Gold

ANSWER_S = 20.0
GB = 10**9


def refuse(faults: Iterable[str]) -> None:
    """Raise one `ConfigError` that tells all *faults*, if there are any."""
    found = list(faults)
    if found:
        raise ConfigError("swebench cannot work yet:\n" + "\n".join(f"- {one}" for one in found))


def docker_faults(config: SWEBenchConfig, golds: Sequence[tuple[Task, Gold]]) -> Iterator[str]:
    """Yield what `docker` work lacks: the client, the engine, disk space, the evaluation, columns of the data."""
    program = which(config.docker)
    if program is None:
        yield f"env.docker: there is no command {config.docker!r}; install Docker, see docs.docker.com/engine/install"
    else:
        yield from _engine_faults(config, program)
    if not config.harness and find_spec("swebench") is None:
        yield 'the evaluation is not installed: pip install "reflact-env-swebench[harness]"'
    if config.harness and which(shlex.split(config.harness)[0]) is None:
        yield f"env.harness: there is no command {shlex.split(config.harness)[0]!r}"
    bare = [(task.id, name) for task, gold in golds for name in ENRICHED if not gold.record.get(name)]
    if bare:
        task_id, name = bare[0]
        yield (
            f"{len({one for one, _ in bare})} of the items, such as {task_id!r}, lack the column {name!r}, which the "
            "evaluation needs since version 5: they are from an older copy of the data; "
            "use env.dataset_name=lite, verified or full"
        )


def local_faults(sources: Sequence[tuple[Task, Path]]) -> Iterator[str]:
    """Yield what `local` work lacks: repositories, and commits in them."""
    wanted: defaultdict[Path, list[str]] = defaultdict(list)
    for task, source in sources:
        wanted[source].append(task.data["base_commit"])
    for source, commits in wanted.items():
        if not source.is_dir():
            yield f"there is no repository at {source}; set env.data_root to the folder that holds {source.name}"
            continue
        try:
            lacking = repository.lacking(source, commits)
        except DataError as error:
            yield f"{source} is no git repository: {error}"
            continue
        if lacking:
            yield f"{source} has no commit {lacking[0]}, which an item starts from; clone it whole"


def source_of(task: Task, root: Path) -> Path:
    """Return where the repository of *task* lies: at its `repo_path`, else below *root* by its name."""
    return root / str(task.data.get("repo_path") or task.data["repo"].replace("/", "__"))


def harness_command(config: SWEBenchConfig) -> tuple[str, ...]:
    """Return the evaluation's command as words, with a program that can be run."""
    if not config.harness:
        return (sys.executable, "-m", "swebench.harness.run_evaluation")
    first, *rest = shlex.split(config.harness)
    return (str(Path(which(first) or first).absolute()), *rest)


def _engine_faults(config: SWEBenchConfig, program: str) -> Iterator[str]:
    asked = [program, "info", "--format", "{{json .}}"]
    try:
        answer = subprocess.run(asked, env=inherited(), capture_output=True, text=True, timeout=ANSWER_S, check=False)
        info = json.loads(answer.stdout or "{}")
        problems = info.get("ServerErrors") or answer.stderr.strip().splitlines()[-1:]
    except (subprocess.TimeoutExpired, OSError, ValueError) as error:
        info, problems = {}, [str(error)]
    if not info.get("ServerVersion"):
        why = problems[0] if problems else "it does not answer"
        yield (
            f"the Docker engine cannot be reached ({why}). Start it, or set DOCKER_HOST to where it listens; "
            "without Docker, env.environment_class=local works on repositories on disk"
        )
        return
    root = Path(str(info.get("DockerRootDir") or ""))
    if root.is_absolute() and root.is_dir() and (free := disk_usage(root).free / GB) < config.min_free_gb:
        yield (
            f"{root} has {free:.0f} GB free, and images take 1 to 4 GB each: env.min_free_gb is {config.min_free_gb}; "
            "make room with `docker image prune`, or lower it"
        )
