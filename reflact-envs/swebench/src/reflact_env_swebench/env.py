"""The env `swebench`: an issue in, a patch out, and tests that tell whether it resolves the issue."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import BoundedSemaphore
from typing import Any

from reflact import Rollout, Skill, Split, Student, Task

from reflact_env_swebench.agent.clock import Clock
from reflact_env_swebench.agent.container import container, image_of
from reflact_env_swebench.agent.mini import absent, mini
from reflact_env_swebench.agent.play import Played, play
from reflact_env_swebench.agent.room import MARK, Room
from reflact_env_swebench.config import SWEBenchConfig
from reflact_env_swebench.data import load
from reflact_env_swebench.equipment import Equipment, equipment
from reflact_env_swebench.grade import rolled, told_of
from reflact_env_swebench.item import Gold, gold_of
from reflact_env_swebench.judge.local import changed
from reflact_env_swebench.judge.report import MODEL
from reflact_env_swebench.judge.verdict import Verdict


class SWEBench:
    """Issues of real repositories, mended by mini-swe-agent with the student as its model."""

    def __init__(self, config: SWEBenchConfig) -> None:
        self._config = config
        items = load(config)
        self._splits: Mapping[Split, tuple[Task, ...]] = {
            split: tuple(one.task for one in found) for split, found in items.items()
        }
        self._golds: Mapping[str, Gold] = {one.task.id: gold_of(one.raw) for found in items.values() for one in found}
        tasks = [task for found in self._splits.values() for task in found]
        self._with: Equipment = equipment(config, [(task, self._golds[task.id]) for task in tasks], missing=absent())
        self._tools = mini()
        self._judging = BoundedSemaphore(config.eval_workers)

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order they were dealt."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Let the agent mend the issue, and judge its patch, which stays in *workdir* whatever comes of it."""
        workdir.mkdir(parents=True, exist_ok=True)
        issue = task.data["problem_statement"]
        with self._place(task) as place:
            played = play(
                issue,
                skill,
                student=student,
                place=place,
                tools=self._tools,
                config=self._config,
                record=workdir / f"{MODEL}.traj.json",
            )
        (workdir / "patch.diff").write_text(played.patch, encoding="utf-8", errors="replace")
        handed_in = json.dumps({task.id: prediction(task.id, played.patch)})
        (workdir / "preds.json").write_text(handed_in, encoding="utf-8", errors="replace")
        verdict = self._judged(task, played.patch, workdir)
        return self._rolled(task, played, verdict)

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its patch judged anew. One that never came to a patch comes back as it is."""
        if "exit_status" not in rollout.extra:
            return rollout
        played = told_of(rollout)
        with TemporaryDirectory(prefix="reflact-swe-") as folder:
            verdict = self._judged(task, played.patch, Path(folder))
        again = self._rolled(task, played, verdict)
        return replace(again, trace=rollout.trace, usage=rollout.usage)

    def submission(self, rollouts: Sequence[Rollout]) -> str:
        """Return what `run_evaluation --predictions_path` and the leaderboard take: a line for each issue."""
        return "".join(json.dumps(prediction(one.task_id, one.answer)) + "\n" for one in rollouts)

    def reference(self, task: Task) -> str:
        """Return what a probing teacher may know, as `deep_reflect_reference` says."""
        gold, wanted = self._golds[task.id], self._config.deep_reflect_reference
        tests = "" if wanted == "none" else f"Tests that must pass: {', '.join(gold.target)}"
        files = f"\nFiles that the right patch changes: {', '.join(changed(gold.patch))}"
        return tests + files if wanted == "patch" else tests

    def gold(self, task: Task) -> str:
        """Return a reply that is right: a command that hands in the right patch."""
        patch = self._golds[task.id].patch
        return f"```bash\ncat <<'END_OF_PATCH'\n{MARK}\n{patch.removesuffix(chr(10))}\nEND_OF_PATCH\n```"

    @contextmanager
    def _place(self, task: Task) -> Iterator[Any]:
        """Yield where the agent works on *task*."""
        config, local = self._config, self._with.local
        if local is None:
            with container(config, image_of(task.id, task.data), self._tools.container) as place:
                yield place
            return
        with local.shops.open(local.sources[task.id], task.data["base_commit"]) as shop:
            yield Room(
                shop=shop,
                clock=Clock(config.timeout_per_instance),
                command_s=config.command_timeout,
                submitted=self._tools.submitted,
            )

    def _judged(self, task: Task, patch: str, workdir: Path) -> Verdict | None:
        """Return the verdict on *patch*; an empty one is not worth a test."""
        if not patch.strip():
            return None
        with self._judging:
            return self._with.judge(task, self._golds[task.id], patch, workdir)

    def _rolled(self, task: Task, played: Played, verdict: Verdict | None) -> Rollout:
        partial = self._config.soft_metric == "f2p_fraction"
        seconds = self._config.timeout_per_instance
        rollout = rolled(task, played, verdict, partial=partial)
        return replace(rollout, extra={**rollout.extra, "timeout_per_instance": seconds})


def prediction(instance_id: str, patch: str) -> dict[str, str]:
    """Return *patch* as the benchmark's own programs read it."""
    return {"model_name_or_path": MODEL, "instance_id": instance_id, "model_patch": patch}
