"""The mark by which a test knows a picture."""

import pytest
from PIL import Image
from reflact.kit.media.decode import prepare
from reflact.kit.media.policy import Accept, Send
from reflact.kit.media.watermark import LARGEST, mark, read_mark
from reflact.testing.drawing import encoded, noise


@pytest.mark.parametrize("number", [0, 1, 255, 4660, 43690, LARGEST])
@pytest.mark.parametrize(("form", "options"), [("PNG", {}), ("JPEG", {"quality": 65}), ("WEBP", {"quality": 60})])
def test_a_mark_survives_encoding(number: int, form: str, options: dict[str, int]) -> None:
    image = noise(320, 240)
    mark(image, number)
    assert read_mark(encoded(image, form, **options)) == number


@pytest.mark.parametrize("size", [(320, 240), (2000, 300), (1000, 1400)])
@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_mark_survives_our_scaling(size: tuple[int, int], form: str) -> None:
    image = noise(*size)
    mark(image, 51_966)
    sent = prepare(encoded(image, form), "x", Accept(), Send(side=max(200, size[1] // 4)))
    assert sent.width < size[0]
    assert read_mark(sent.data) == 51_966


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "RGBA"])
def test_a_mark_can_be_written_in_every_common_mode(mode: str) -> None:
    image = Image.new(mode, (320, 240), "white")
    mark(image, 321)
    assert read_mark(encoded(image)) == 321


def test_a_picture_without_a_mark_has_none() -> None:
    assert read_mark(encoded(noise(320, 240))) is None
    assert read_mark(encoded(Image.new("RGB", (320, 240), "white"))) is None
    assert read_mark(encoded(Image.new("RGB", (320, 240), "black"))) is None


def test_a_number_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 65535"):
        mark(noise(), LARGEST + 1)
