"""Execution notes: reminders of rules the skill has and the student did not follow, in a region of their own."""

from collections.abc import Iterable, Sequence

from reflact.llm.ask import NoAnswer, Teacher
from reflact.skill import regions
from reflact.stages.replies import Notes
from reflact.types import Skill, Usage

HEADING = "## Execution Notes Appendix"


def notes_of(skill: Skill) -> tuple[str, ...]:
    """Return the notes in the skill's appendix."""
    inner = regions.read(skill.text, regions.APPENDIX) or ""
    return tuple(line[2:].strip() for line in inner.splitlines() if line.startswith("- "))


def distinct(notes: Iterable[str]) -> tuple[str, ...]:
    """Return *notes* on one line each, without those that differ only in case, blanks or closing signs."""
    found: dict[str, str] = {}
    for note in notes:
        plain = " ".join(regions.strip_markers(note).split()).lstrip("-* ").strip()
        if plain:
            found.setdefault(plain.rstrip(" .;:,_-").casefold(), plain)
    return tuple(found.values())


def with_notes(skill: Skill, notes: Sequence[str]) -> Skill:
    """Return *skill* with exactly *notes* in its appendix; without notes it stays as it is."""
    if not notes:
        return skill
    lines = "\n".join(f"- {note}" for note in notes)
    return Skill(regions.write(skill.text, regions.APPENDIX, f"{HEADING}\n\n{lines}"))


def consolidate(notes: tuple[str, ...], *, teacher: Teacher, threshold: int) -> tuple[tuple[str, ...], Usage]:
    """Return *notes*, said in fewer if there are more than *threshold* (0: never) and the teacher finds a way."""
    if not threshold or len(notes) <= threshold:
        return notes, Usage()
    try:
        answer = teacher.ask("appendix_consolidate", Notes, stage="appendix_consolidate", notes=notes)
    except NoAnswer as error:
        return notes, error.usage
    fewer = distinct(answer.value.appendix_notes)
    return (fewer if 0 < len(fewer) < len(notes) else notes), answer.usage
