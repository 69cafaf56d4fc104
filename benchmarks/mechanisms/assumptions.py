"""What the two scripted worlds take for granted; every figure the benchmark reports holds under these numbers only.

The numbers of the first were chosen before anything was run in it, and not changed afterwards. Those of the second were
chosen before, too, but for `blamed`: it came with the sentence in the prompt of slow update that asks for it, after a
first run of 20 seeds had shown +2.5 points (-0.2 to +5.2) for slow update without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """A world's numbers. Chances and shares are of 1."""

    shares: Mapping[str, float]
    """Kinds of task and how frequent they are. Each has one hidden rule."""

    known: float = 0.80
    """Chance that the student does a task right when the skill holds the rule of its kind."""
    reminded: float = 0.90
    """The same when the skill also reminds of the rule."""
    unknown: float = 0.20
    """The same without the rule."""
    harm: float = 0.25
    """What a harmful rule takes off the chance of its own kind, and of one other kind that nobody is told of."""
    floor: float = 0.02
    """A student is right at least this often."""
    easy_lines: int
    line_cost: float = 0.01
    """Each line of the skill beyond `easy_lines` takes this off the chance of following a rule."""
    steadiness: float
    """Share of the student's results that the task decides (some tasks of a kind are harder); the rest is chance, anew
    for every skill and repeat."""

    hit: float = 0.45
    """Chance that the teacher finds the rule of a kind it saw fail."""
    harmful: float = 0.40
    """Share of harmful ideas among its wrong ones; the others are useless: they only make the skill longer."""
    ideas: int = 3
    """Different wrong ideas there are of each sort for each kind."""
    conviction: float
    """Chance that what first comes to its mind about a kind is what came the last time. What that is never changes, but
    with better insight."""
    heed: float = 0.80
    """Chance that the teacher, shown an idea among the rejected ones, looks for another (three attempts)."""
    restate: float = 0.50
    """Chance that the teacher edits, and wrongly, when a task failed although the skill holds its rule."""
    notice: float = 0.80
    """Chance that, asked to tell gaps from lapses, it writes a reminder in that case instead."""
    probed: float = 0.25
    """What a student that laid its judgement open adds to `hit`."""
    slip: float
    """Chance that an analyst's reply quotes the document wrongly, so that none of its edits finds its place."""

    lesson_good: float
    """Share of useful ones among the teacher's first notes to itself, if the epoch changed no result."""
    lesson_evidence: float
    """What each task whose result changed adds to that share."""
    lesson_kept: float
    """What useful earlier notes add to it. It ends at 0.95."""
    lesson_gain: float
    lesson_loss: float = 0.10
    """What useful notes add to `hit`, and misleading ones take off it."""
    lesson_care: float
    """What useful notes take off `harmful`."""

    success_rule: float = 0.10
    success_harmful: float = 0.05
    success_useless: float = 0.45
    """What an analyst of solved tasks proposes: a rule that was missing, a harmful one, a useless one; else nothing."""

    drop_wrong: float = 0.30
    drop_right: float = 0.10
    """Chance that a merging teacher drops an idea of a single analyst: a wrong one, a right one."""
    rewritten_harmful: float = 0.15
    rewritten_useless: float = 0.30
    rewritten_right: float = 0.03
    """Chance that a line gets lost when a whole document is written anew: a harmful one, a useless one, another."""
    persistent: int = 2
    guidance: int = 3
    """Failures of a kind under both versions that make the writer of guidance speak of it; at most so many kinds."""
    traced: float
    """Chance that it finds, from one task that a rule of this epoch made wrong, which rule, and says to ignore it."""
    blamed: float
    """The same for one task that stays wrong, and any rule of the skill."""
    alarm: float
    """Chance that it gives useless advice on a kind of which a task became wrong for no reason in the skill."""
    clean_harmful: float = 0.60
    clean_useless: float = 0.50
    clean_right: float = 0.05
    """Chance that meta reflect deletes a line of the skill: a harmful one, a useless one, a rule by mistake."""


RESTLESS = Assumptions(
    shares=MappingProxyType(
        {
            "amber": 0.24,
            "birch": 0.20,
            "coral": 0.16,
            "delta": 0.12,
            "ember": 0.10,
            "fjord": 0.08,
            "grove": 0.06,
            "haven": 0.04,
        }
    ),
    easy_lines=10,
    steadiness=0.0,
    conviction=0.0,
    slip=0.0,
    lesson_good=0.75,
    lesson_evidence=0.0,
    lesson_kept=0.0,
    lesson_gain=0.15,
    lesson_care=0.0,
    traced=0.0,
    blamed=0.0,
    alarm=0.0,
)
"""A student whose every answer is a throw of dice, and a teacher without habits: what it says has nothing to do with
what it said before. Notes and guidance are drawn from nothing in particular: few mechanisms find a hold."""

STEADY = Assumptions(
    shares=MappingProxyType(
        {
            "amber": 0.16,
            "birch": 0.14,
            "coral": 0.12,
            "delta": 0.10,
            "ember": 0.09,
            "fjord": 0.08,
            "grove": 0.07,
            "haven": 0.06,
            "iris": 0.06,
            "jade": 0.05,
            "kelp": 0.04,
            "lotus": 0.03,
        }
    ),
    easy_lines=16,
    steadiness=0.8,
    conviction=0.6,
    slip=0.2,
    lesson_good=0.5,
    lesson_evidence=0.05,
    lesson_kept=0.2,
    lesson_gain=0.20,
    lesson_care=0.20,
    traced=0.5,
    blamed=0.25,
    alarm=0.2,
)
"""A student that mostly does again what it did, and a teacher that mostly says again what it said, as language models
do; it misquotes at times. Its notes are as good as the evidence for them, and its guidance begins with what the prompt
asks for first: what got worse, and why. The mechanisms meet the situations they were made for."""
