"""Kinds of defects, each with the line that mends it, a test that shows it, and one that holds before and after."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """A defect in a function called NAME, which has to do with the number LIMIT.

    `wrong` is a line of its body that `right` replaces; `shows` and `holds` are each the body of a test.
    """

    kind: str
    head: str
    does: str
    wrong: str
    right: str
    rest: str
    issue: str
    shows: str
    holds: str

    def filled(self, text: str, name: str, limit: int) -> str:
        """Return *text* with the name and the number put in."""
        return text.replace("NAME", name).replace("TWICE", str(2 * limit)).replace("LIMIT", str(limit))

    @property
    def source(self) -> str:
        """The module with the defect."""
        return f'def {self.head}:\n    """{self.does}"""\n    {self.wrong}\n{self.rest}'


BUGS = (
    Bug(
        kind="boundary",
        head="NAME(scores)",
        does="Return the scores of LIMIT and more.",
        wrong="return [one for one in scores if one > LIMIT]",
        right="return [one for one in scores if one >= LIMIT]",
        rest="",
        issue="NAME([LIMIT]) gives an empty list. A score of exactly LIMIT should be kept.",
        shows="self.assertEqual(NAME([LIMIT]), [LIMIT])",
        holds="self.assertEqual(NAME([0, TWICE]), [TWICE])",
    ),
    Bug(
        kind="empty",
        head="NAME(values)",
        does="Return the mean of values; that of nothing is LIMIT.",
        wrong="return sum(values) / len(values)",
        right="return sum(values) / len(values) if values else LIMIT",
        rest="",
        issue="NAME([]) ends with a ZeroDivisionError. The mean of nothing should be LIMIT.",
        shows="self.assertEqual(NAME([]), LIMIT)",
        holds="self.assertEqual(NAME([LIMIT, LIMIT]), LIMIT)",
    ),
    Bug(
        kind="operator",
        head="NAME(price)",
        does="Return the price with a tax of LIMIT percent on top.",
        wrong="return price - price * LIMIT / 100",
        right="return price + price * LIMIT / 100",
        rest="",
        issue="NAME(200) is less than 200. The tax of LIMIT percent should be put on top of the price, not taken off.",
        shows="self.assertEqual(NAME(200), 200 + TWICE)",
        holds="self.assertEqual(NAME(0), 0)",
    ),
    Bug(
        kind="shared",
        head="NAME(item, box=[])",
        does="Return what is in the box, and the item.",
        wrong="box.append(item)",
        right="box = [*box, item]",
        rest="    return box\n",
        issue="Called twice, NAME(LIMIT) gives [LIMIT], then [LIMIT, LIMIT]. Each call should begin with no box.",
        shows="self.assertEqual([NAME(LIMIT), NAME(LIMIT)], [[LIMIT], [LIMIT]])",
        holds="self.assertEqual(NAME(LIMIT, [1]), [1, LIMIT])",
    ),
    Bug(
        kind="case",
        head="NAME(words)",
        does="Return the first LIMIT words of the alphabet, in its order.",
        wrong="return sorted(words)[:LIMIT]",
        right="return sorted(words, key=str.casefold)[:LIMIT]",
        rest="",
        issue="NAME(['b', 'A', 'C']) puts 'C' before 'b'. Capital letters should not matter for the order.",
        shows="self.assertEqual(NAME(['b', 'A', 'C']), ['A', 'b', 'C'][:LIMIT])",
        holds="self.assertEqual(NAME(['b', 'a']), ['a', 'b'][:LIMIT])",
    ),
    Bug(
        kind="slice",
        head="NAME(items)",
        does="Return the first LIMIT items.",
        wrong="return items[: LIMIT - 1]",
        right="return items[:LIMIT]",
        rest="",
        issue="NAME(range(TWICE)) has one item too few. It should have LIMIT items.",
        shows="self.assertEqual(len(NAME(range(TWICE))), LIMIT)",
        holds="self.assertEqual(len(NAME([])), 0)",
    ),
)
