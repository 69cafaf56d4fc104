"""Deep reflect: run telling tasks again with a diagnostic instruction, and analyse what the student then lays open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.contracts import Env, SupportsReference
from reflact.engine.roll import PREDICTIONS, Roller
from reflact.llm.ask import NoAnswer, Teacher
from reflact.stages.probe import design, representatives, target
from reflact.stages.replies import StepProbeDraft
from reflact.stages.student import Aim
from reflact.stages.trajectories import Window
from reflact.store.codec import json_codec, plain
from reflact.store.folder import Folder
from reflact.types import Resume, Rollout, Skill, Task

PROBE = json_codec(dict[str, Any])
FOLDER = "deep_reflect"
ROLLOUT = "rollout"
"""The folder of a step's rollouts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What the probe brought: rollouts to analyse, with what only the teacher may know about their tasks."""

    rollouts: tuple[Rollout, ...] = ()
    references: tuple[tuple[str, str], ...] = ()


Probe = Callable[[Sequence[Task], Sequence[Rollout], Skill, str, int, Folder], Diagnosis]


def no_probe(
    tasks: Sequence[Task], rollouts: Sequence[Rollout], skill: Skill, memory: str, seed: int, at: Folder
) -> Diagnosis:
    """Probe nothing: deep reflect is off."""
    return Diagnosis()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepProbe:
    """One probe per microbatch. Its rollouts are evidence only: they never count in a score."""

    teacher: Teacher
    env: Env
    rolling: Callable[[Aim], Roller]
    """A roller whose student is given an instruction besides the task, or goes on from a step with it."""
    failures: int
    successes: int
    window: Window

    def __call__(
        self, tasks: Sequence[Task], rollouts: Sequence[Rollout], skill: Skill, memory: str, seed: int, at: Folder
    ) -> Diagnosis:
        """Return the diagnostic rollouts of the chosen tasks; none when there is nothing to choose or to ask."""
        chosen = representatives(rollouts, seed=seed, failures=self.failures, successes=self.successes)
        if not chosen:
            return Diagnosis()
        ids = {one.task_id for one in chosen}
        picked = [task for task in tasks if task.id in ids]
        references = self._references(picked)
        folder = at.sub(FOLDER)
        probe = folder.keep("probe.json", PROBE, self._design, chosen, skill, memory, references)
        if not probe["probe_instruction"]:
            return Diagnosis()
        aim, wanted = _aim(probe, chosen, at.path / ROLLOUT / PREDICTIONS)
        aimed_at = [task for task in picked if task.id in wanted]
        again = self.rolling(aim)(aimed_at, skill, folder.sub("rollout"), what="probe")
        return Diagnosis(rollouts=tuple(one for one in again if one.scored), references=tuple(references.items()))

    def _references(self, tasks: Sequence[Task]) -> dict[str, str]:
        if not isinstance(self.env, SupportsReference):
            return {}
        found = {task.id: self.env.reference(task) for task in tasks}
        return {task_id: text for task_id, text in found.items() if text.strip()}

    def _design(
        self, chosen: Sequence[Rollout], skill: Skill, memory: str, references: dict[str, str]
    ) -> dict[str, Any]:
        examples = [{"id": one.task_id, "kind": one.kind, "failed": one.failed} for one in chosen]
        about = {
            "selected_examples": examples,
            "reference_summary": {"selected_count": len(chosen), "with_reference": len(references)},
        }
        try:
            draft, usage = design(chosen, skill, memory, references, teacher=self.teacher, window=self.window)
        except NoAnswer as error:
            return {"reasoning": str(error), "probe_instruction": "", **about, "usage": plain(error.usage)}
        told = draft.model_dump()
        if isinstance(draft, StepProbeDraft):
            rollout, after = target(draft, chosen)
            told |= {"probe_target_id": rollout.task_id, "probe_after_step": after}
        return {**told, **about, "usage": plain(usage)}


def _aim(probe: Mapping[str, Any], chosen: Sequence[Rollout], predictions: Path) -> tuple[Aim, set[str]]:
    """Return what the student is to do, and the ids of the tasks it does it in: an agent goes on with one of them."""
    ids = {one.task_id for one in chosen}
    aimed = next((one for one in chosen if one.task_id == probe.get("probe_target_id")), None)
    if aimed is None:
        return Aim(instruction=probe["probe_instruction"]), ids
    after, workdir = probe["probe_after_step"], predictions / aimed.agent_dir
    resume = Resume(workdir=workdir, after_step=after) if after and aimed.agent_dir and workdir.is_dir() else None
    return Aim(instruction=probe["probe_instruction"], resume=resume), {aimed.task_id}
