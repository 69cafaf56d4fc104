"""The evaluation without Docker: the patch, then the tests of the issue, then the test program, all in the sandbox."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reflact import DataError, Task
from reflact.errors import unknown

from reflact_env_swebench import repository
from reflact_env_swebench.item import Gold
from reflact_env_swebench.judge.logs import LOGS
from reflact_env_swebench.judge.verdict import Verdict, sort_out
from reflact_env_swebench.workshop import Workshop, Workshops, words

CHANGED = re.compile(r"^diff --git a/(.+?) b/(.+)$", re.MULTILINE)
PATCH = ("patch", "--batch", "--fuzz=5", "--strip=1", "--no-backup-if-mismatch")
WAIT_S = 120.0
LOG = "test_output.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalJudge:
    """Judges patches in fresh copies of the repositories at `sources`, by task id."""

    shops: Workshops
    sources: Mapping[str, Path]
    command: str
    seconds: float

    def __call__(self, task: Task, gold: Gold, patch: str, workdir: Path) -> Verdict:
        """Return the verdict on *patch*, and leave the whole test output in *workdir*."""
        with self.shops.open(self.sources[task.id], task.data["base_commit"]) as shop:
            if not (repository.apply(shop.testbed, patch) or loosely(shop, patch)):
                return Verdict(applied=False, target=sort_out(gold.target, ()), kept=sort_out(gold.kept, ()))
            tests = changed(gold.test_patch)
            for name in tests:
                repository.restore(shop.testbed, name)
            if gold.test_patch and not repository.apply(shop.testbed, gold.test_patch):
                return Verdict(fault=f"{task.id}: its test_patch does not apply to {task.data['base_commit']}")
            command = words(str(task.data.get("test_command") or self.command), tests)
            ran = shop.run(command, seconds=self.seconds)
        output = f"{ran.stdout}\n{ran.stderr}"
        (workdir / LOG).write_text(output, encoding="utf-8", errors="replace")
        passing = LOGS[parser_of(task)](ran.stdout) | LOGS[parser_of(task)](ran.stderr)
        ended = ran.reason == f"exit code {ran.exit_code}" or ran.ok
        return Verdict(
            target=sort_out(gold.target, passing),
            kept=sort_out(gold.kept, passing),
            output=output,
            trouble="" if ended else f"the tests ended early: {ran.reason}",
        )


def parser_of(task: Task) -> str:
    """Return how the log of *task* is read. Raises `DataError` for a way that is not known here."""
    name = str(task.data.get("log_parser") or "pytest")
    if name not in LOGS:
        raise DataError(f"{task.id!r}: {unknown('log_parser', name, LOGS)}")
    return name


def loosely(shop: Workshop, patch: str) -> bool:
    """Apply *patch* with some tolerance for lines that moved, as the benchmark does; return whether that went well."""
    return shop.run(PATCH, seconds=WAIT_S, stdin=patch if patch.endswith("\n") else f"{patch}\n").ok


def changed(patch: str) -> tuple[str, ...]:
    """Return the files that *patch* leaves changed or new."""
    return tuple(dict.fromkeys(new for _, new in CHANGED.findall(patch)))
