"""Made-up problems: what is asked, what is right, and what the picture of each shows."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A problem. `full` words everything, `lite` leaves to the picture what it shows, `notes` are drawn beside it."""

    number: int
    shape: str
    subject: str
    subfield: str
    full: str
    lite: str
    answer: str
    block: str = ""
    notes: tuple[str, ...] = ()

    @property
    def question_type(self) -> str:
        """As the official data name it."""
        return "multi-choice" if self.block else "free-form"


def made_up(number: int, dice: Random) -> Figure:
    """Return problem *number*; ten forms take turns, each with numbers of its own."""
    name = f"P{number}"
    a, b = dice.randrange(30, 70), dice.randrange(31, 70)
    side, other = dice.randrange(2, 9), dice.randrange(10, 40)
    third = 180 - a - b
    triangle = ("triangle", "Plane Geometry", "Angle")
    angles = f"In triangle {name}, angle A is {a}° and angle B is {b}°."
    options = f"A:{third - 4}°\nB:{third}°\nC:{third + 6}°\nD:{third + 9}°"
    forms: tuple[tuple[tuple[str, str, str], str, str, str, str, tuple[str, ...]], ...] = (
        (triangle, angles, "Find the size of angle C. ()", "B", f"Choices:\n{options}", (f"A={a}°", f"B={b}°")),
        (triangle, angles, "Find angle C.", f"{third}^\\circ ", "", (f"A={a}°", f"B={b}°")),
        (
            ("triangle", "Plane Geometry", "Applied"),
            f"In the right triangle {name} the legs are {side} and {other}.",
            "True or false: the hypotenuse is the shorter leg.",
            "False",
            "Choice:\nA. True\nB. False",
            (f"{side}", f"{other}"),
        ),
        (
            ("parabola", "Functions", "Property"),
            f"The parabola {name} opens upwards with its vertex at ({side},-{other}).",
            "Choose 2 statements that hold.",
            "C\nD",
            "Choices:\nA:It has no minimum.\nB:It meets no axis.\nC:It has a minimum.\nD:It meets the x-axis twice.",
            (f"({side},-{other})",),
        ),
        (
            ("circle", "Plane Geometry", "Length"),
            f"A wheel {name} has 23 spokes, equally spaced.",
            "Which share of the circle lies between two neighbours?",
            "\\frac{1}{23}",
            "",
            ("23 spokes",),
        ),
        (
            ("prism", "Solid Geometry", "Length"),
            f"The prism {name} is {side}.4 m high and {other} m wide.",
            "How high is it?",
            f"{side}.4 m",
            "",
            (f"h={side}.4 m",),
        ),
        (
            ("parabola", "Functions", "Property"),
            f"The graph {name} passes through (0,{side}) and rises everywhere.",
            "How does it behave?",
            "(B)",
            "Choices:\nA.$y$ falls\nB.$y$ rises\nC.$y$ is constant",
            (f"(0,{side})",),
        ),
        (
            ("prism", "Solid Geometry", "Area"),
            f"The base of the prism {name} measures {side} cm by {other} cm.",
            "Find the area of the base.",
            f"Area $={side * other} \\mathrm{{~cm}}^{{2}}$",
            "",
            (f"{side} cm x {other} cm",),
        ),
        (
            ("circle", "Plane Geometry", "Length"),
            f"The circle {name} has the radius {side}.",
            "Find the diameter.",
            f"{2 * side}",
            "",
            (f"r={side}",),
        ),
        (
            ("circle", "Plane Geometry", "Applied"),
            f"A ship {name} sails on the true bearing {100 + other}° from the point O.",
            "On which true bearing lies O from the ship?",
            f"{280 + other}掳T",
            "",
            (f"{100 + other}°",),
        ),
    )
    (shape, subject, subfield), given, asked, answer, block, notes = forms[number % len(forms)]
    return Figure(
        number=number,
        shape=shape,
        subject=subject,
        subfield=subfield,
        full=f"{given} {asked}",
        lite=f"{name}: {asked}",
        answer=answer,
        block=block,
        notes=notes,
    )
