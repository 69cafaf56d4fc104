"""The command line of Codex. No prompt, no key and no setting that could hold one is ever part of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reflact.agents import Program

from reflact_backend_codex.config import CodexConfig


def arguments(
    config: CodexConfig,
    program: Program,
    *,
    workspace: Path,
    images: Sequence[str] = (),
    resume: str = "",
    schema: Path | None = None,
    sandbox: str = "",
    ephemeral: bool = False,
) -> tuple[str, ...]:
    """Return the words after the program's name; the prompt comes on standard input.

    *images* are paths below *workspace*. Flags that this version's help does not name are left out, but for `--json`,
    without which nothing could be read. What belongs to a resumed session stands before the word `resume`.
    """
    words = ["exec", "--json"]
    for image in images:
        words += ["-i", image]
    optional: list[tuple[str, ...]] = [("--color", "never"), ("--skip-git-repo-check",), ("--ignore-rules",)]
    if ephemeral:
        optional.append(("--ephemeral",))
    if schema is not None:
        optional.append(("--output-schema", str(schema)))
    for flag, *rest in optional:
        if program.takes(flag):
            words += [flag, *rest]
    if config.model:
        words += ["-m", config.model]
    if config.profile:
        words += ["-p", config.profile]
    words += ["-s", sandbox or config.mode, "-C", str(workspace)]
    if resume:
        words += ["resume", resume]
    return (*words, "-")
