"""Where images stand in a question, and in a message."""

import pytest
from reflact.types import Image, Text
from reflact_env_mmrb.markers import interleaved, marked

ONE, TWO, THREE = (Image(data=bytes([n]), media_type="image/png", label=f"Image #{n}") for n in (1, 2, 3))


@pytest.mark.parametrize(
    ("question", "count", "shown"),
    [
        ("{image#1} or {image#2}?", 2, "[Image #1] or [Image #2]?"),
        ("{Image#2} or {IMAGE #1}?", 2, "[Image #2] or [Image #1]?"),
        ("{image#1}, again {image#1}", 1, "[Image #1], again [Image #1]"),
        ("{image#1} {image#3} {image#0}", 1, "[Image #1] {image#3} {image#0}"),
        ("What moved?", 2, "What moved?\n\nAdditional image #1: [Image #1]\n\nAdditional image #2: [Image #2]"),
        ("{image#2}?", 2, "[Image #2]?\n\nAdditional image #1: [Image #1]"),
        ("{image#1}{x}?", 1, "[Image #1]{x}?"),
    ],
)
def test_a_question_names_every_image_and_nothing_beyond(question: str, count: int, shown: str) -> None:
    assert marked(question, count) == shown


@pytest.mark.parametrize(
    ("prompt", "parts"),
    [
        ("See [Image #1], then [Image #2].", (Text("See"), ONE, Text(", then"), TWO, Text("."), THREE)),
        ("[Image #2] before [Image #1]", (TWO, Text("before"), ONE, THREE)),
        ("[Image #1] and [Image #1] again", (ONE, Text("and [Image #1] again"), TWO, THREE)),
        ("[Image #9]", (Text("[Image #9]"), ONE, TWO, THREE)),
        ("nothing", (Text("nothing"), ONE, TWO, THREE)),
    ],
)
def test_each_image_is_sent_once_where_it_is_first_named(prompt: str, parts: tuple[Text | Image, ...]) -> None:
    assert interleaved(prompt, [ONE, TWO, THREE]) == parts
