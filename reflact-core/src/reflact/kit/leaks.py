"""Does an expected answer reach the student? Each field that holds one gets another text, which is then looked for."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reflact.kit.answers import extract_answer
from reflact.types import Rollout, Task

_SHORTEST = 4
_WORD, _NUMBER = "zyxwvut", 90817263


def expected_answers(rollout: Rollout, gold: str) -> frozenset[str]:
    """Return the answers that would give a task away: what *rollout* expected and a right reply *gold* says.

    Left out are texts under four characters, which stand in any prompt, and what the question itself holds.
    """
    known = {*rollout.expected, gold, extract_answer(gold).text}
    return frozenset(text for text in known if len(text) >= _SHORTEST and text not in rollout.question)


def leaked(task: Task, golds: frozenset[str], prompts: Callable[[Task], Iterable[str]]) -> Iterator[str]:
    """Yield the top-level fields of *task* that hold nothing but *golds* and show in the *prompts* of the task.

    A list or mapping with other texts beside a gold is a list of options, and may be shown.
    """
    for field, value in task.data.items():
        marks: list[str] = []
        changed = _marked(value, golds, marks, field)
        if not marks:
            continue
        try:
            seen = list(prompts(replace(task, data={**task.data, field: changed})))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            continue
        if any(mark in prompt for mark in marks for prompt in seen):
            yield field


def _marked(value: Any, golds: frozenset[str], marks: list[str], field: str) -> Any:
    if isinstance(value, str) and value in golds:
        number = len(marks) + sum(map(ord, field))
        marks.append(str(_NUMBER + number) if re.fullmatch(r"[\d.,+-]+", value) else f"{_WORD}{number}")
        return marks[-1]
    if isinstance(value, Mapping):
        return {key: _marked(one, golds, marks, field) for key, one in value.items()} if _only(value, golds) else value
    if isinstance(value, list | tuple):
        return [_marked(one, golds, marks, field) for one in value] if _only(value, golds) else value
    return value


def _only(values: Mapping[str, Any] | Sequence[Any], golds: frozenset[str]) -> bool:
    members = list(values.values()) if isinstance(values, Mapping) else list(values)
    return all(one in golds for one in members if isinstance(one, str))
