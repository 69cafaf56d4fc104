"""What the scripted world takes for granted; every figure the benchmark reports holds under these numbers only.

They were chosen before anything was run, and not changed when the results were there.
"""

from collections.abc import Mapping
from types import MappingProxyType

SHARES: Mapping[str, float] = MappingProxyType(
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
)
"""Kinds of task and how frequent they are. Each has one hidden rule."""

KNOWN = 0.80
"""Chance that the student does a task right when the skill holds the rule of its kind."""
REMINDED = 0.90
"""The same when the skill also reminds of the rule."""
UNKNOWN = 0.20
"""The same without the rule."""
HARM = 0.25
"""What a harmful rule takes off the chance of the kind it is about, and of one other kind that nobody is told of."""
FLOOR = 0.02
"""A student is right at least this often."""
EASY_LINES = 10
LINE_COST = 0.01
"""Each line of the skill beyond `EASY_LINES` takes this off the chance of following a rule."""

HIT = 0.45
"""Chance that the teacher finds the rule of a kind it saw fail."""
HARMFUL = 0.40
"""Share of harmful ideas among its wrong ones; the others are useless: they only make the skill longer."""
IDEAS = 3
"""Different wrong ideas there are of each sort for each kind."""
HEED = 0.80
"""Chance that the teacher, shown an idea among the rejected ones, looks for another (three attempts)."""
RESTATE = 0.50
"""Chance that the teacher edits, and wrongly, when a task failed although the skill holds its rule."""
NOTICE = 0.80
"""Chance that, asked to tell gaps from lapses, it writes a reminder in that case instead."""
PROBED = 0.25
"""What a student that laid its judgement open adds to `HIT`."""
LESSON_GOOD = 0.75
"""Share of useful notes among the teacher's notes to itself."""
LESSON_GAIN, LESSON_LOSS = 0.15, 0.10
"""What useful notes add to `HIT`, and misleading ones take off it."""

SUCCESS_RULE, SUCCESS_HARMFUL, SUCCESS_USELESS = 0.10, 0.05, 0.45
"""What an analyst of solved tasks proposes: a rule that was missing, a harmful one, a useless one; else nothing."""

DROP_WRONG, DROP_RIGHT = 0.30, 0.10
"""Chance that a merging teacher drops an idea of a single analyst: a wrong one, a right one."""
PERSISTENT = 2
"""Failures of a kind under both versions that make the writer of guidance speak of it; at most `GUIDANCE` kinds."""
GUIDANCE = 3
CLEAN_HARMFUL, CLEAN_USELESS, CLEAN_RIGHT = 0.60, 0.50, 0.05
"""Chance that meta reflect deletes a line of the skill: a harmful one, a useless one, a rule by mistake."""
