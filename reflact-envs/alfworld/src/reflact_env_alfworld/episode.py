"""One game, from the first view to its end: the student is asked, its action taken, and all of it written down."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from reflact import BackendError
from reflact.types import Outcome

from reflact_env_alfworld.actions import Move, move_of
from reflact_env_alfworld.game import Game, View

StoppedBy = Literal["won", "lost", "steps", "time", "error"]
NOTHING_SEEN = View(text="", commands=())
NO_ACTION = "No action was taken: the reply held no <action> tag."


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: what was seen, what was done about it (`None`: nothing), and what became of it."""

    number: int
    seen: str
    action: str | None
    reasoning: str
    feedback: str
    reply: str
    won: bool
    done: bool


@dataclass(slots=True, kw_only=True)
class Episode:
    """A game under way. *ask* gives the student's reply to what is seen, told of one before it that held no action."""

    ask: Callable[[Episode, str | None], str]
    max_steps: int
    until: float
    """When the task's time is over, by `time.monotonic`."""
    view: View = NOTHING_SEEN
    first: str = ""
    steps: list[Step] = field(default_factory=list)
    stopped_by: StoppedBy = "error"
    outcome: Outcome = "ok"
    error: str = ""
    n_turns: int = 0
    n_invalid: int = 0
    n_missing: int = 0

    def play(self, game: Game, gamefile: Path) -> None:
        """Play the game in *gamefile* until it is over, or the steps are used up, or the time is.

        A model that gives no reply ends it, unscored; a fault that no other game could escape is raised. Raises
        `GameFault` for a game that is of no use any more.
        """
        self.view = game.load(gamefile)
        self.first = self.view.text
        try:
            self.stopped_by = self._played(game)
        except BackendError as error:
            if error.fatal:
                raise
            self.end("timeout" if error.fault == "timeout" else "infra_error", str(error))

    def end(self, outcome: Outcome, error: str) -> None:
        """Leave the game unscored: *error* is to blame, not the student."""
        self.outcome, self.error = outcome, error

    @property
    def won(self) -> bool:
        """Whether the game is won."""
        return self.stopped_by == "won"

    @property
    def goal(self) -> str:
        """The task, in the words of the first view."""
        return self.first.rpartition("Your task is to:")[2].strip()

    def _played(self, game: Game) -> StoppedBy:
        while not self.view.over:
            if len(self.steps) >= self.max_steps:
                return "steps"
            if time.monotonic() > self.until:
                self.end("timeout", "the time of the task is over (env.episode_timeout)")
                return "time"
            self._step(game)
        return "won" if self.view.won else "lost"

    def _step(self, game: Game) -> None:
        seen = self.view
        reply, move = self._asked()
        feedback = NO_ACTION
        if move.command is not None:
            self.n_invalid += move.command not in seen.commands
            self.view = game.step(move.command)
            feedback = self.view.text
        self.steps.append(
            Step(
                number=len(self.steps) + 1,
                seen=seen.text,
                action=move.command,
                reasoning=move.reasoning,
                feedback=feedback,
                reply=reply,
                won=self.view.won,
                done=self.view.over,
            )
        )

    def _asked(self) -> tuple[str, Move]:
        """Return the student's reply and its action; one without an action is asked for once more."""
        reply = self._reply(None)
        if move_of(reply).command is None:
            reply = self._reply(reply)
        move = move_of(reply)
        self.n_missing += move.command is None
        return reply, move

    def _reply(self, fault: str | None) -> str:
        reply = self.ask(self, fault)
        self.n_turns += 1
        return reply


def entry(step: Step) -> dict[str, Any]:
    """Return *step* as an entry of a trace, as teacher and reader get it."""
    thought = f"{step.reasoning}\n" if step.reasoning else ""
    return {
        "step": step.number,
        "kind": "action",
        "content": f"{thought}> {step.action or '(no action)'}",
        "output": step.feedback,
        "action": step.action,
        "reasoning": step.reasoning,
        "reward": float(step.won),
        "done": step.done,
        "model_response": step.reply,
    }
