"""The LiveMathematicianBench score: accuracy over the labels of choices."""

from typing import Any

from reflact import Task
from reflact.kit.answers import extract_answer
from reflact.kit.choices import read_choice
from reflact.kit.qa import Grade
from reflact.kit.text import shorten


def grade(task: Task, reply: str) -> Grade:
    """Return the grade of *reply*: 1 when the choice it means is the right one.

    The answer is in the last `<answer>` tag, else on the last line; `reflact.kit.choices` reads which choice it means.
    Source: the accuracy of LiveMathematicianBench (arXiv 2604.01754), which compares labels.
    """
    choices: dict[str, str] = task.data["choices"]
    right: str = task.data["correct"]
    answer = extract_answer(reply)
    label, rule = read_choice(answer, choices)
    said = f"predicted {_choice(label, choices)}" if label else f"unparsed choice {shorten(answer.text, 200)!r}"
    score = float(label == right)
    return Grade(
        hard=score,
        soft=score,
        answer=label or answer.text,
        feedback="" if score else f"{said}, but the right choice is {_choice(right, choices)}",
        extra={
            "predicted_label": label,
            "predicted_text": choices.get(label, ""),
            "correct_label": right,
            "correct_text": choices[right],
            "parse_rule": rule,
            "is_meta_option": bool(task.data["meta"]),
            "month": task.data["month"],
        },
    )


def groups(task: Task, *, meta: bool) -> dict[str, Any]:
    """Return what the scores are reported by: the month and, if *meta*, whether there is a meta-option."""
    by_meta = {"meta_option": "with" if task.data["meta"] else "without"} if meta else {}
    return {"month": task.data["month"], **by_meta}


def _choice(label: str, choices: dict[str, str]) -> str:
    return f"{label} ({shorten(choices[label], 300)})"
