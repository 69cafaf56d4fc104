"""The env `alfworld`: games side by side, each with a student of its own."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from importlib.resources import files
from pathlib import Path
from threading import BoundedSemaphore

from reflact import Rollout, Skill, Split, Student, Task
from reflact.kit.templates import Templates
from reflact.pool import each

from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.data import load_games, root_of
from reflact_env_alfworld.episode import Episode, Step
from reflact_env_alfworld.game import GameFault, Games
from reflact_env_alfworld.games import Processes
from reflact_env_alfworld.games.installed import require_games
from reflact_env_alfworld.games.process import GameProcess
from reflact_env_alfworld.grading import graded
from reflact_env_alfworld.reference import reference, walkthrough

KEPT = 8
"""How many processes wait for the next game when nothing is played; each holds about 100 MB."""
NOTHING = Skill("")


class Alfworld:
    """Text games in processes of their own. *games* plays them; TextWorld does where it is left out."""

    def __init__(self, config: AlfworldConfig, games: Games | None = None) -> None:
        self._config = config
        self._root = root_of(config)
        self._splits = load_games(config, self._root)
        if games is None:
            require_games(config.python)
        start = partial(GameProcess, config.python, data_root=self._root, timeout_s=config.action_timeout)
        self._games = games or Processes(start, keep=KEPT)
        self._asking = BoundedSemaphore(config.max_api_workers) if config.max_api_workers else nullcontext()
        self._templates = Templates(files(__package__) / "prompts")

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the games of *split*, sorted by file or in the order of their list."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Let *student* play one game, to the end or for `max_steps`."""
        until = time.monotonic() + self._config.episode_timeout
        ask = partial(self._ask, skill, student, workdir)
        episode = Episode(ask=ask, max_steps=self._config.max_steps, until=until)
        try:
            with self._games.lend() as game:
                episode.play(game, self._gamefile(task))
        except GameFault as fault:
            episode.end(fault.outcome, str(fault))
        return graded(task, episode)

    def run_many(
        self,
        tasks: Sequence[Task],
        *,
        skill: Skill,
        student: Callable[[Task], Student],
        workdir: Callable[[Task], Path],
        workers: int,
    ) -> Iterator[Rollout]:
        """Yield the rollouts of *tasks* as the games end, *workers* side by side and none waiting for another."""

        def play(task: Task) -> Rollout:
            return self.run(task, skill=skill, student=student(task), workdir=workdir(task))

        whole = False
        try:
            with closing(each(play, tasks, workers)) as played:
                for _, rollout in played:
                    yield rollout
            whole = True
        finally:
            if not whole:
                self._games.close()

    def reference(self, task: Task) -> str:
        """Return how the game can be won, and how people described it: for the teacher alone."""
        return reference(task, self._gamefile(task))

    def player(self, task: Task) -> Callable[[str], str]:
        """Return who follows the walkthrough of *task*."""
        commands = iter(walkthrough(self._gamefile(task)))
        return lambda _: f"<think>The next step of the plan.</think><action>{next(commands, 'look')}</action>"

    def close(self) -> None:
        """End the processes that wait for a game."""
        self._games.close()

    def _ask(self, skill: Skill, student: Student, workdir: Path, episode: Episode, fault: str | None) -> str:
        """Return the reply to what *episode* shows now; *fault* is a reply to it that held no action."""
        in_system = self._config.skill_position == "system"
        prompt = self._templates.render(
            "step.md.j2",
            skill="" if in_system else skill.text,
            goal=episode.goal,
            number=len(episode.steps) + 1,
            max_steps=episode.max_steps,
            history=self._history(episode),
            observation=episode.view.text,
            commands=[one for one in episode.view.commands if one != "help"],
            fault=fault,
        )
        limit = self._config.max_completion_tokens
        with self._asking:
            return student.answer(prompt, skill=skill if in_system else NOTHING, workdir=workdir, max_tokens=limit)

    def _history(self, episode: Episode) -> Sequence[Step]:
        length = self._config.history_length
        return episode.steps[-length:] if length > 0 else episode.steps if length < 0 else ()

    def _gamefile(self, task: Task) -> Path:
        return self._root / str(task.data["gamefile"])
