"""What stands on a made-up page, and what is asked about it."""

from dataclasses import dataclass
from random import Random

_FIRMS = ("Marrow & Sons", "Tessel Lamps", "Quill Paper Co.", "Harrow Mills", "Velm Instruments")
_PEOPLE = ("Zoë Ångström", "Íñigo O'Hara-Lee", "Élodie Brandt", "T. F. Ost", "Mme. Françoise Ruë")
_RATES = ("0.30", "2.50", "0.05", "1.10")
_CODES = ("1e3", "10_000", "007", "A-12/b")
_AMOUNTS = ("1,234.00", "980.50", "1,000", "12,050.75")
_KINDS = ("invoice", "letter", "form", "table/list")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the answers that are accepted."""

    question: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its lines as (label, text), and its questions."""

    number: int
    kind: str
    title: str
    lines: tuple[tuple[str, str], ...]
    asked: tuple[Asked, ...]
    huge: bool = False
    """Whether it is scanned with 35 million pixels of one bit."""

    @property
    def file(self) -> str:
        """The name of its picture."""
        return f"made{self.number:04d}_1.png"


def made_up(number: int, dice: Random) -> Page:
    """Return page *number*; the kinds take turns, and every fifth page is huge."""
    kind = _KINDS[number % len(_KINDS)]
    title = f"{dice.choice(_FIRMS)} - {kind.split('/')[0]} {number}"
    amount, rate, code = dice.choice(_AMOUNTS), dice.choice(_RATES), dice.choice(_CODES)
    person, insured = dice.choice(_PEOPLE), dice.choice(("Yes", "No"))
    facts = {
        "invoice": (("Total due", f"${amount}", amount), ("Rate", rate), ("Order code", code), ("Clerk", person)),
        "letter": (("From", person), ("Copies", code), ("Share", rate), ("Enclosed", f"${amount}", amount)),
        "form": (("Insured", insured), ("Weight (kg)", rate), ("Applicant", person), ("Fee", f"${amount}", amount)),
        "table/list": (("Row 1", amount), ("Row 2", rate), ("Row 3", code), ("Checked by", person)),
    }[kind]
    return Page(
        number=number,
        kind=kind,
        title=title,
        lines=tuple((label, text) for label, text, *_ in facts),
        asked=tuple(Asked(f"What stands beside {label!r} in {title}?", tuple(texts)) for label, *texts in facts),
        huge=number % 5 == 4,
    )
