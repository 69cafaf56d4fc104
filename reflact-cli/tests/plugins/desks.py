"""An env and models for the tests of the command line: which desk takes a letter, by the rules a skill holds.

Letter n is right when the skill holds more than n % 4 rules, so every accepted rule lifts every split by a quarter.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from reflact import (
    BackendError,
    BackendSpec,
    ChatReply,
    ChatRequest,
    EnvSpec,
    Rollout,
    Skill,
    Split,
    Student,
    Task,
    hookimpl,
)
from reflact.config import Config
from reflact.contracts import ChatModel
from reflact.testing import ScriptedModel, ScriptedTeacher, scripted_backend

SIZES: dict[Split, range] = {"train": range(8), "val": range(8, 16), "test": range(16, 24)}


class DesksConfig(Config):
    """The section `env`."""

    empty: str = ""
    """A split to leave empty."""
    shift: int = 0
    """Added to every desk: other data under the same ids."""
    withheld: bool = False
    """Whether nobody knows the desks of the test split."""


class Desks:
    def __init__(self, config: DesksConfig) -> None:
        self._config = config

    def tasks(self, split: Split) -> Sequence[Task]:
        numbers = () if split == self._config.empty else SIZES[split]
        return [
            Task(
                id=f"letter-{n}",
                kind="odd" if n % 2 else "even",
                data={"n": n, "desk": n + self._config.shift},
                scorable=not (self._config.withheld and split == "test"),
            )
            for n in numbers
        ]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        answer = student.answer(f"Which desk takes letter {task.data['n']}?", skill=skill, workdir=workdir)
        right = float(answer == self.gold(task))
        expected = (self.gold(task),)
        return Rollout(task_id=task.id, kind=task.kind, hard=right, soft=right, answer=answer, expected=expected)

    def submission(self, rollouts: Sequence[Rollout]) -> str:
        return "".join(f"{one.task_id}: {one.answer}\n" for one in rollouts)

    def gold(self, task: Task) -> str:
        return f"desk {task.data['desk']}"


def student(request: ChatRequest) -> str:
    system = next((message.text for message in request.messages if message.role == "system"), "")
    found = re.search(r"letter (\d+)", request.messages[-1].text)
    number = int(found.group(1)) if found else 0
    return f"desk {number}" if number % 4 < system.count("RULE") else "no idea"


def slowly(request: ChatRequest) -> str:
    time.sleep(0.2)
    return student(request)


def stuck(request: ChatRequest) -> str:
    time.sleep(5)
    return student(request)


class Locked:
    """A model that nobody has the key of."""

    def chat(self, request: ChatRequest) -> ChatReply:
        raise BackendError("401: the key is not valid. Check DESKS_KEY.", fault="auth")


def analysis(*edits: dict[str, str]) -> dict[str, object]:
    pattern = {"failure_type": "lost letter", "count": 2, "description": "the desk is not known"}
    return {"failure_summary": [pattern], "patch": {"reasoning": "letters get lost", "edits": list(edits)}}


def teacher(*edits: dict[str, str]) -> ScriptedTeacher:
    def merged(request: ChatRequest) -> dict[str, object]:
        return {"reasoning": "joined", "edits": [{**edit, "sources": [0]} for edit in numbered(request, edits)]}

    def analysed(request: ChatRequest) -> dict[str, object]:
        return analysis(*numbered(request, edits))

    return ScriptedTeacher(
        {
            "analyst": analysed,
            "merge": merged,
            "ranking": {"selected_indices": [0]},
            "slow_update": {"reasoning": "over epochs", "slow_update_content": "RULE of the long run"},
            "meta_skill": {"reasoning": "over epochs", "meta_skill_content": "short rules work"},
            "meta_reflect": {"meta_summary": "rules work", "patch": {"reasoning": "r", "edits": [META]}},
        }
    )


def numbered(request: ChatRequest, edits: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Return *edits* with the number of rules the teacher has seen so far in place of `#`."""
    seen = max((int(n) for message in request.messages for n in re.findall(r"RULE (\d+)", message.text)), default=0)
    return [{**edit, "content": edit["content"].replace("#", str(seen + 1))} for edit in edits]


META = {"op": "append", "target": "", "content": "- RULE of rules."}
RULE = {"op": "append", "target": "", "content": "- RULE #: every fourth letter has its desk."}
EDIT_OF_NOTHING = {"op": "replace", "target": "a passage nobody wrote", "content": "better"}
SPOILING = {"op": "replace", "target": "RULE for every letter", "content": "Good luck."}
CHATTER = {"op": "append", "target": "", "content": "- Be polite."}

MODELS: dict[str, Callable[[], ChatModel]] = {
    "clerk": lambda: ScriptedModel(student),
    "slow_clerk": lambda: ScriptedModel(slowly),
    "stuck_clerk": lambda: ScriptedModel(stuck),
    "locked_clerk": Locked,
    "coach": lambda: teacher(RULE),
    "idle_coach": lambda: teacher(),
    "vague_coach": lambda: teacher(CHATTER),
    "spoiling_coach": lambda: teacher(SPOILING),
    "lost_coach": lambda: teacher(EDIT_OF_NOTHING, RULE),
    "mumbling_coach": lambda: ScriptedModel(lambda _: ChatReply(text="hm \x1b[31mred")),
}


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    return [EnvSpec(name="desks", config=DesksConfig, build=Desks, summary="which desk takes a letter")]


@hookimpl
def reflact_backends() -> Iterable[BackendSpec]:
    return [scripted_backend(name, make()).spec for name, make in MODELS.items()]
