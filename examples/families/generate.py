"""Make the example task families: short questions whose right answers follow a convention that nobody states.

`python generate.py` writes 100 items of every family next to this file; the same seed gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

Item = tuple[str, str, str]
"""Question, right answer, kind."""

PEOPLE = ("Ines", "Bodo", "Marit", "Tariq", "Odile", "Janek", "Rosa", "Emeka", "Yuki", "Signe", "Pavel", "Leila")
PLACES = ("Harrow Lane", "Tidewell", "the old dairy", "Quay Street", "Brackwater", "Fern Hollow", "the north annex")
MONTHS = tuple(
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)


def dates(rng: Random) -> Item:
    """The day of an event, as 1987-03-14."""
    year, month, day = rng.randint(1951, 2024), rng.randint(1, 12), rng.randint(10, 28)
    event, asked = rng.choice((
        ("The kiln at {place} was fired for the first time", "When was the kiln first fired?"),
        ("{who} signed the lease for {place}", "When did {who} sign the lease?"),
        ("The footbridge near {place} was reopened", "When was the footbridge reopened?"),
        ("{who} planted the walnut tree behind {place}", "When was the walnut tree planted?"),
    ))  # fmt: skip
    written = rng.choice((f"{day} {MONTHS[month - 1]} {year}", f"{MONTHS[month - 1]} {day}, {year}"))
    names = {"who": rng.choice(PEOPLE), "place": rng.choice(PLACES)}
    question = f"{event} on {written}. {asked}".format(**names)
    return question, f"{year}-{month:02}-{day:02}", "day-first" if written[0].isdigit() else "month-first"


def weights(rng: Random) -> Item:
    """A mass with the short unit and nothing else, as 36 kg."""
    unit, short, most = rng.choice((("kilograms", "kg", 95), ("grams", "g", 950)))
    amount = rng.randint(2, most)
    thing = rng.choice(("crate of lanterns", "sack of oats", "spool of wire", "box of tiles", "bale of felt"))
    told, asked = rng.choice((
        ("{who} put a {thing} on the scale at {place}: {amount} {unit}.", "How much does the {thing} weigh?"),
        ("The {thing} that {who} brought to {place} weighs {amount} {unit}.", "What is the weight of the {thing}?"),
        ("At {place} a {thing} of {amount} {unit} was handed to {who}.", "How heavy is the {thing}?"),
    ))  # fmt: skip
    values = {"who": rng.choice(PEOPLE), "place": rng.choice(PLACES), "thing": thing, "amount": amount, "unit": unit}
    return f"{told} {asked}".format(**values), f"{amount} {short}", unit


def spans(rng: Random) -> Item:
    """A name or phrase copied from a short note, without a sentence around it."""
    one, other = rng.sample(PEOPLE, 2)
    tool = rng.choice(("a brass compass", "a folding ladder", "a hand drill", "a tin whistle", "a paper map"))
    place, later = rng.sample(PLACES, 2)
    note = f"{one} borrowed {tool} from {other}, carried it to {place} and left it at {later}."
    asked, answer, kind = rng.choice((
        ("Who lent it?", other, "person"),
        ("Who borrowed it?", one, "person"),
        ("What was borrowed?", tool, "thing"),
        ("Where was it left?", later, "place"),
    ))  # fmt: skip
    return f"{note} {asked}", answer, kind


def temperatures(rng: Random) -> Item:
    """A temperature as sign, number and letter without a space, as +21C."""
    degrees, cold = rng.randint(2, 48), rng.random() < 0.5
    told, asked = rng.choice((
        ("{who} read the gauge in {place}: {degrees} degrees {side} zero.", "What did the gauge say?"),
        ("At dawn it was {degrees} degrees {side} zero at {place}, {who} noted.", "How warm or cold was it?"),
        ("The thermometer of {who} at {place} stood at {degrees} degrees {side} zero.", "What was the temperature?"),
    ))  # fmt: skip
    side, sign = ("below", "-") if cold else ("above", "+")
    values = {"who": rng.choice(PEOPLE), "place": rng.choice(PLACES), "degrees": degrees, "side": side}
    return f"{told} {asked}".format(**values), f"{sign}{degrees}C", side


def prices(rng: Random) -> Item:
    """A price with the currency's code in front, as EUR 12.50."""
    amount = f"{rng.randint(2, 240)}.{rng.choice((5, 10, 25, 40, 50, 75, 80, 95)):02}"
    currency, code = rng.choice((("euros", "EUR"), ("dollars", "USD"), ("pounds", "GBP")))
    thing = rng.choice(("teapot", "wool hat", "bicycle bell", "garden chair", "chess set", "desk lamp", "rain barrel"))
    told, asked = rng.choice((
        ("{who} paid {amount} {currency} for a {thing} at {place}.", "What did the {thing} cost?"),
        ("At {place} {who} saw a {thing} for {amount} {currency}.", "What is the price of the {thing}?"),
        ("{who} sold the {thing} at {place} for {amount} {currency}.", "How much was paid for the {thing}?"),
    ))  # fmt: skip
    people = {"who": rng.choice(PEOPLE), "place": rng.choice(PLACES)}
    question = f"{told} {asked}".format(thing=thing, amount=amount, currency=currency, **people)
    return question, f"{code} {amount}", currency


def repairs(rng: Random) -> Item:
    """What to do with a returned thing: one of the labels KEEP, MEND and SCRAP."""
    thing = rng.choice(("kettle", "radio", "clock", "toaster", "bicycle pump", "torch", "sewing machine", "fan"))
    label, states = rng.choice((
        ("KEEP", ("works perfectly and has no scratch", "runs like a new one", "was tested twice without any fault")),
        ("MEND", ("has a loose screw", "needs a new fuse", "has a torn cable that can be replaced")),
        ("SCRAP", ("is burnt out and beyond repair", "was crushed flat by a truck", "is smashed into pieces")),
    ))  # fmt: skip
    who, place = rng.choice(PEOPLE), rng.choice(PLACES)
    told = f"{who} returned a {thing} to {place}. The {thing} {rng.choice(states)}."
    return f"{told} What should be done with it?", label, label.lower()


def seats(rng: Random) -> Item:
    """A seat as row, dash and letter, as 14-C."""
    row, letter, coach = rng.randint(1, 42), rng.choice("ABCDEF"), rng.randint(2, 9)
    told, asked = rng.choice((
        ("{who} has seat {letter} in row {row} of coach {coach}.", "Where does {who} sit?"),
        ("In coach {coach}, row {row}, {who} keeps seat {letter} free for {other}.", "Which seat is free?"),
        ("The ticket of {who} to {place} is for row {row}, seat {letter}.", "Which seat is booked?"),
    ))  # fmt: skip
    who, other = rng.sample(PEOPLE, 2)
    values = {"who": who, "other": other, "place": rng.choice(PLACES), "row": row, "letter": letter, "coach": coach}
    return f"{told} {asked}".format(**values), f"{row}-{letter}", "coach" if "coach" in told else "ticket"


def signatures(rng: Random) -> Item:
    """A person as family name, comma, initial and full stop, as Calder, I."""
    first, last = rng.choice(PEOPLE), rng.choice(("Calder", "Brandt", "Okoye", "Lindqvist", "Moreau", "Hallam", "Sato"))
    place = rng.choice(PLACES)
    told, asked = rng.choice((
        ("The letter from {place} was written by {first} {last}.", "Who wrote the letter?"),
        ("{first} {last} runs the workshop at {place}.", "Who runs the workshop?"),
        ("At {place} the prize went to {first} {last}.", "Who won the prize?"),
    ))  # fmt: skip
    return f"{told} {asked}".format(place=place, first=first, last=last), f"{last}, {first[0]}.", "person"


FAMILIES: dict[str, Callable[[Random], Item]] = {
    family.__name__: family for family in (dates, weights, spans, temperatures, prices, repairs, seats, signatures)
}


def generate(name: str, n: int, seed: int) -> list[dict[str, str]]:
    """Return *n* items of the family *name*, no two with the same question.

    Raises `KeyError` for an unknown name and `ValueError` when the family cannot make *n* different questions.
    """
    rng = Random(f"{name}/{seed}")
    items: dict[str, dict[str, str]] = {}
    for _ in range(100 * n):
        if len(items) == n:
            return list(items.values())
        question, answer, kind = FAMILIES[name](rng)
        item = {"id": f"{name}-{len(items) + 1:03}", "question": question, "answer": answer, "kind": kind}
        items.setdefault(question, item)
    raise ValueError(f"{name}: no {n} different questions; ask for fewer")


def write(folder: Path, n: int = 100, seed: int = 1) -> None:
    """Write one `<family>.jsonl` per family into *folder*."""
    for name in FAMILIES:
        lines = [json.dumps(item, ensure_ascii=False) + "\n" for item in generate(name, n, seed)]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parent)
