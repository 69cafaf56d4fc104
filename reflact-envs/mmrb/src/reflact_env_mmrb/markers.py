"""Where each image stands in a question: `{image#2}` in the data, `[Image #2]` in a prompt."""

import re
from collections.abc import Iterator, Sequence

from reflact.types import Image, Text

_GIVEN = re.compile(r"\{\s*image\s*#?\s*(\d+)\s*\}", re.IGNORECASE)
_SHOWN = re.compile(r"\[Image #(\d+)\]")


def marked(question: str, count: int) -> str:
    """Return *question* with `[Image #N]` for its markers, and those of *count* images that it does not name after it.

    A marker beyond the last image stays as it is.
    """

    def show(match: re.Match[str]) -> str:
        return f"[Image #{int(match[1])}]" if 1 <= int(match[1]) <= count else match[0]

    text = _GIVEN.sub(show, question)
    there = {int(number) for number in _SHOWN.findall(text)}
    rest = [f"Additional image #{number}: [Image #{number}]" for number in range(1, count + 1) if number not in there]
    return "\n\n".join((text, *rest))


def interleaved(prompt: str, images: Sequence[Image]) -> tuple[Text | Image, ...]:
    """Return *prompt* as parts of a message: each of *images* stands where it is first named, labelled by its name.

    Named again it is not sent again. An image that the prompt does not name follows at the end.
    """
    sent: dict[int, Image] = dict(enumerate(images, start=1))
    parts = list(_parts(prompt, sent))
    return (*(part for part in parts if not isinstance(part, Text) or part.text), *sent.values())


def _parts(prompt: str, waiting: dict[int, Image]) -> Iterator[Text | Image]:
    start = 0
    for match in _SHOWN.finditer(prompt):
        image = waiting.pop(int(match[1]), None)
        if image is not None:
            yield Text(prompt[start : match.start()].strip())
            yield image
            start = match.end()
    yield Text(prompt[start:].strip())
