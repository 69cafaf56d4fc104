"""Deep reflect: choose telling tasks, let the teacher design one diagnostic question, and keep answers out of it."""

from collections.abc import Mapping, Sequence
from random import Random

from reflact.llm.ask import Teacher
from reflact.stages.leaks import leaks
from reflact.stages.replies import ProbeDraft, StepProbeDraft
from reflact.stages.trajectories import WINDOW, Window, trajectories
from reflact.types import Rollout, Skill, Usage

SHORTEST = 4


def representatives(rollouts: Sequence[Rollout], *, seed: int, failures: int, successes: int) -> tuple[Rollout, ...]:
    """Return up to *failures* failed and *successes* solved rollouts: one of each kind first, then any."""
    random = Random(seed)
    failed = _diverse([one for one in rollouts if one.failed], failures, random)
    solved = _diverse([one for one in rollouts if one.scored and not one.failed], successes, random)
    return (*failed, *solved)


def steps(rollout: Rollout) -> int:
    """Return how many steps an agent took in the last job of *rollout*; 0 for a chat student, though its env counts."""
    last = max((at for at, entry in enumerate(rollout.trace) if entry.get("role") == "user"), default=-1)
    job = (entry for entry in rollout.trace[last + 1 :] if entry.get("role") == "agent")
    return max((int(entry.get("step", 0)) for entry in job), default=0)


def target(draft: StepProbeDraft, chosen: Sequence[Rollout]) -> tuple[Rollout, int]:
    """Return the rollout that *draft* goes on with and the step it goes on after.

    A task that was not shown is the first one; without a step it is the last but one, or the only one.
    """
    rollout = next((one for one in chosen if one.task_id == draft.probe_target_id), chosen[0])
    count = steps(rollout)
    wanted = draft.probe_after_step
    after = (count if count == 1 else count - 1) if wanted is None else wanted
    return rollout, max(0, min(after, count))


def design(
    chosen: Sequence[Rollout],
    skill: Skill,
    memory: str,
    references: Mapping[str, str],
    *,
    teacher: Teacher,
    window: Window = WINDOW,
) -> tuple[ProbeDraft, Usage]:
    """Return the instruction a student is to follow when it does the chosen tasks again. Raises `NoAnswer`.

    When they were done by an agent in steps, the draft is a `StepProbeDraft`: it names one task and a step. An
    instruction that holds an expected answer, or a line of a hidden reference, is refused and asked for once more.
    """
    stepped = any(map(steps, chosen))
    answer = teacher.ask(
        "deep_probe_steps" if stepped else "deep_probe",
        StepProbeDraft if stepped else ProbeDraft,
        stage="deep_probe",
        check=lambda draft: fault(draft.probe_instruction, chosen, references),
        skill=skill.text,
        memory=memory,
        evidence="",
        trajectories=trajectories(chosen, references=references, budget=window.room(skill.text, memory)),
    )
    return answer.value, answer.usage


def fault(instruction: str, chosen: Sequence[Rollout], references: Mapping[str, str]) -> str:
    """Return why *instruction* may not be shown to a student, or an empty string."""
    if not instruction.strip():
        return "probe_instruction is empty"
    if found := leaks(instruction, chosen):
        return f"probe_instruction gives away {', '.join(found)}; ask for the reasoning without naming it"
    folded = " ".join(instruction.casefold().split())
    lines = (line.strip() for text in references.values() for line in text.splitlines())
    if any(len(line) > 3 * SHORTEST and " ".join(line.casefold().split()) in folded for line in lines):
        return "probe_instruction quotes a hidden reference; ask for the reasoning without it"
    return ""


def _diverse(pool: list[Rollout], quota: int, random: Random) -> list[Rollout]:
    random.shuffle(pool)
    first: dict[str, Rollout] = {}
    for one in pool:
        first.setdefault(one.kind, one)
    chosen = list(first.values())[:quota]
    rest = [one for one in pool if one not in chosen]
    return [*chosen, *rest[: quota - len(chosen)]]
