"""The layout of a run folder, and its commit point: `runtime_state.json`, written last in every transition."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.errors import RunError
from reflact.store.codec import json_codec, plain, structure, to_text
from reflact.store.files import read, write
from reflact.store.folder import Folder, decoded
from reflact.types import Memory, RunState, Score, Scored, Skill

STATE_SCHEMA = 1
RECORD = json_codec(dict[str, Any])


@dataclass(frozen=True, slots=True)
class RunStore:
    """Where everything of a run lies. All paths written into files are relative to `root`."""

    root: Folder

    @property
    def path(self) -> Path:
        """The run's root."""
        return self.root.path

    def step(self, number: int) -> Folder:
        """Return the folder of step *number*."""
        return self.root.sub("steps").sub(f"step_{number:04d}")

    def skill_path(self, number: int) -> str:
        """Return the relative path of the skill that was current after step *number*."""
        return f"skills/skill_v{number:04d}.md"

    def skill(self, number: int) -> Skill:
        """Return the skill that was current after step *number*; 0 is the initial one."""
        return Skill(read(self.path / self.skill_path(number)))

    def save(self, state: RunState, history: Sequence[Mapping[str, Any]]) -> None:
        """Commit *state*; everything else that is written here can be derived from it and the steps' folders."""
        write(self.path / state.skill_file, state.current.skill.text)
        write(self.path / "best_skill.md", state.best.skill.text)
        write(self.path / "history.json", to_text(list(history)))
        write(self.path / "runtime_state.json", to_text(self._record(state)))

    def load(self) -> RunState | None:
        """Return the last committed state, or None for a fresh folder. Raises `RunError` for a damaged one."""
        file = self.path / "runtime_state.json"
        if not file.exists():
            return None
        try:
            data = json.loads(read(file))
            if data["schema"] != STATE_SCHEMA:
                raise RunError(f"{file} has schema {data['schema']}, this version reads {STATE_SCHEMA}; use --fork.")
            return RunState(
                step=data["last_completed_step"],
                epoch=data["epoch"],
                current=self._scored(data, "current"),
                best=self._scored(data, "best"),
                best_step=data["best_step"],
                closed=data["last_closed_epoch"],
                skill_file=data["current_skill_path"],
                previous=self._previous(data),
                previous_file=data["previous_skill_path"],
                memory=structure(Memory, data["memory"]),
                scores=structure(dict[str, Score], data["scores"]),
            )
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise RunError(
                f"{file} cannot be used ({type(error).__name__}: {error}). Restore it from a copy, "
                f"or start anew from {self.path / 'best_skill.md'} in another folder (--fork {self.path})."
            ) from error

    def history(self, last: int) -> list[dict[str, Any]]:
        """Return the records of the steps up to *last*. Raises `RunError` naming one that cannot be read."""
        files = (self.step(number).path / "step_record.json" for number in range(1, last + 1))
        return [decoded(RECORD, file) for file in files if file.exists()]

    def _record(self, state: RunState) -> dict[str, Any]:
        return {
            "schema": STATE_SCHEMA,
            "last_completed_step": state.step,
            "epoch": state.epoch,
            "last_closed_epoch": state.closed,
            "current_skill_path": state.skill_file,
            "current_score": state.current.score,
            "current_origin": state.current.origin,
            "current_digest": state.current.skill.digest,
            "previous_skill_path": state.previous_file,
            "best_skill_path": "best_skill.md",
            "best_score": state.best.score,
            "best_step": state.best_step,
            "best_origin": state.best.origin,
            "best_digest": state.best.skill.digest,
            "memory": plain(state.memory),
            "scores": {digest: plain(score) for digest, score in state.scores.items()},
        }

    def _previous(self, data: Mapping[str, Any]) -> Skill | None:
        file = data["previous_skill_path"]
        return Skill(read(self.path / file)) if file else None

    def _scored(self, data: Mapping[str, Any], which: str) -> Scored:
        file = self.path / data[f"{which}_skill_path"]
        skill = Skill(read(file))
        if which == "best" and skill.digest != data["best_digest"]:
            skill = self._recover(data["best_digest"], skill)
        if skill.digest != data[f"{which}_digest"]:
            raise RunError(
                f"{file} is not the skill that was scored (its text has changed since). "
                f"Undo the change, or start a new run from it: --fork {self.path}."
            )
        return Scored(skill=skill, score=data[f"{which}_score"], origin=data[f"{which}_origin"])

    def _recover(self, digest: str, found: Skill) -> Skill:
        """Return the best skill from the snapshots if *found* is one too.

        Then a kill between two writes has left a newer `best_skill.md`; else somebody has edited the file.
        """
        files = (self.path / "skills").glob("*.md")
        snapshots = {skill.digest: skill for skill in (Skill(read(file)) for file in files)}
        return snapshots.get(digest, found) if found.digest in snapshots else found


def open_store(path: Path, told: Any = lambda kept: None) -> RunStore:
    """Return the store of the run at *path*; *told* hears of every artifact (see `Kept`)."""
    return RunStore(Folder(path, told))
