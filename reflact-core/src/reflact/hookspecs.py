"""The nine hooks. Four register components, five observe a run; an implementation may take fewer arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reflact.contracts import (
        BackendSpec,
        EnvSpec,
        EpochRecord,
        PromptPack,
        RunInfo,
        StageDone,
        StepRecord,
        Summary,
        UpdateModeSpec,
    )

hookspec = pluggy.HookspecMarker("reflact")
hookimpl = pluggy.HookimplMarker("reflact")


@hookspec
def reflact_envs() -> Iterable[EnvSpec]:  # type: ignore[empty-body]
    """Return the benchmarks this plugin provides. Called once, when one of them is named."""


@hookspec
def reflact_backends() -> Iterable[BackendSpec]:  # type: ignore[empty-body]
    """Return the model backends this plugin provides. Called once, when one of them is named."""


@hookspec
def reflact_update_modes() -> Iterable[UpdateModeSpec]:  # type: ignore[empty-body]
    """Return the ways this plugin knows to turn proposals into a new skill."""


@hookspec
def reflact_prompts() -> Iterable[PromptPack]:  # type: ignore[empty-body]
    """Return folders of prompt templates; a config names them under `prompts`, the first that has a file wins."""


@hookspec
def reflact_run_started(run: RunInfo) -> None:
    """Observe a run that is about to start or to be resumed: its configuration is resolved, its folder open."""


@hookspec
def reflact_stage_finished(stage: StageDone) -> None:
    """Observe a finished stage. `from_disk` is true when a resumed run only read its artifact."""


@hookspec
def reflact_step_finished(record: StepRecord) -> None:
    """Observe a finished step. The state is saved; `record` is frozen; the return value is ignored."""


@hookspec
def reflact_epoch_finished(record: EpochRecord) -> None:
    """Observe a finished epoch, after its epoch-level stages."""


@hookspec
def reflact_run_finished(summary: Summary) -> None:
    """Observe the end of a run, also of one that failed: `summary.error` then says why."""
