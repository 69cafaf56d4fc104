"""Made-up questions over several images: what is asked, what is right, and what each image shows."""

from dataclasses import dataclass
from random import Random
from typing import Any

DOT, PAIRS = "Moving Dot", "Spot: the Difference"
_SPOTS = tuple(range(1, 10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question. Each image shows the cells of a three by three grid that hold a dot, numbered from 1."""

    number: int
    subtask: str
    question: str
    answer: str
    images: tuple[tuple[int, ...], ...]
    options: tuple[str, ...] = ()
    wrapped: bool = False
    """Whether its images are told as `{"path_index": n, "path": […]}`."""
    draft: str = ""
    """A step as it was before somebody corrected it."""

    @property
    def question_type(self) -> str:
        """As the merged file of the benchmark names it."""
        return "multi-choice" if self.options else "free-form"

    def mark(self, place: int) -> int:
        """Return the number marked in the image at *place*, counted from 1."""
        return 32 * self.number + place


def made_up(number: int, dice: Random) -> Case:
    """Return case *number*; ten forms take turns, and number 7 has 21 images."""
    spots = dice.sample(_SPOTS, 4)
    path = tuple((spot,) for spot in spots)
    many = tuple((dice.choice(_SPOTS),) for _ in range(21))
    places = tuple(f"({label}) {spot}" for label, spot in zip("ABC", spots[1:], strict=True))
    listed = f"Options: {' '.join(places)}"
    told = f"Case {number}:"
    frames = "{image#1} {image#2} {image#3} {image#4}"
    forms: tuple[dict[str, Any], ...] = (
        {"question": f"{told} {frames} In which cell is the dot last? {listed}", "answer": "C", "options": places},
        {"question": f"{told} {{image#1}} {{Image#2}} By how much does the number of dots change?", "answer": "-3"},
        {
            "question": f"{told} {frames} Order the frames so that they play backwards. Options: (A) 2 (B) 3 (C) 4",
            "answer": "C, B, A",
            "options": ("(A) 2", "(B) 3", "(C) 4"),
        },
        {"question": f"{told} How many times as many dots has {{image#2}} as {{image#1}}?", "answer": "1.5"},
        {
            "question": f"{told} Where was the dot in {{image#2}}, seen again: {{image#2}}? {listed}",
            "answer": f"(A) {spots[1]}",
            "options": places,
        },
        {"question": f"{told} Are {{image#1}} and {{image#2}} alike?", "answer": "no"},
        {
            "question": f"{told} {{image#1}} {{image#9}} In which cell is the dot in the third image?",
            "answer": "(B)",
            "options": places,
        },
        {"question": f"{told} Is the dot in the same cell in all images?", "answer": "no", "draft": "It never moves."},
        {"question": f"{told} Are {{image#1}} and {{image#2}} alike?", "answer": "Yes, they are alike"},
        {
            "question": f"{told} {{image#1}} {{image#2}} Which cell changes?",
            "answer": f"cell {spots[3]}",
            "wrapped": True,
        },
    )
    shown = {
        1: (tuple(spots), (spots[0],)),
        3: (tuple(spots[:2]), tuple(spots[:3])),
        5: ((spots[0],), (spots[1],)),
        7: many if number == 7 else path,
        8: ((spots[0],), (spots[0],)),
        9: (tuple(spots[:3]), tuple(spots)),
    }
    form = number % len(forms)
    subtask = PAIRS if form in (1, 3, 5, 8, 9) else DOT
    return Case(number=number, subtask=subtask, images=shown.get(form, path), **forms[form])
