"""What becomes of an image on its way to a model."""

import io
import time
import tracemalloc
from typing import Any

import pytest
from PIL import Image
from reflact import DataError
from reflact.kit.media.decode import examine, prepare
from reflact.kit.media.encode import Encoded
from reflact.kit.media.policy import LIMITS, Accept, Send
from reflact.testing.drawing import encoded, noise, picture, png_bomb


def made(data: bytes, **send: Any) -> Encoded:
    return prepare(data, "x.png", Accept(), Send(**send))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_an_image_that_is_fine_is_sent_byte_for_byte(form: str) -> None:
    data = encoded(noise(), form)
    sent = prepare(data, "x", Accept(), LIMITS["any"])
    assert (sent.data, sent.media_type, sent.changed) == (data, f"image/{form.lower()}", ())
    assert (sent.width, sent.height) == (64, 48)


def test_the_media_type_is_what_the_bytes_are_and_not_what_the_name_says() -> None:
    """P17."""
    assert prepare(encoded(noise(), "JPEG"), "scan.png", Accept(), Send()).media_type == "image/jpeg"


@pytest.mark.parametrize("form", ["BMP", "TIFF"])
def test_a_format_no_provider_takes_becomes_a_png(form: str) -> None:
    """P17."""
    image = noise()
    sent = made(encoded(image, form))
    assert (sent.media_type, picture(sent.data).format) == ("image/png", "PNG")
    assert picture(sent.data).tobytes() == image.tobytes()


@pytest.mark.parametrize(
    "data", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.7", b"\0\0\0\x18ftypheic", b"x"]
)
def test_what_is_no_image_of_a_known_format_is_refused(data: bytes) -> None:
    """P17."""
    with pytest.raises(DataError, match=r"image x\.png: not a PNG, JPEG, GIF, WebP, BMP or TIFF"):
        made(data)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(DataError, match="the file is empty"):
        made(b"")


def test_a_long_side_is_scaled_to_the_limit_and_the_shape_is_kept() -> None:
    sent = made(encoded(noise(400, 100)), side=200)
    assert (sent.width, sent.height, sent.media_type) == (200, 50, "image/png")
    assert sent.changed == ("400x100 to 200x50",)


def test_a_jpeg_that_is_scaled_stays_one() -> None:
    sent = made(encoded(noise(400, 100), "JPEG"), side=100)
    assert (sent.width, sent.height, picture(sent.data).format) == (100, 25, "JPEG")


def test_a_number_of_pixels_can_be_the_limit() -> None:
    sent = made(encoded(noise(400, 100)), pixels=10_000)
    assert sent.width * sent.height <= 10_000
    assert sent.width == 4 * sent.height


def test_a_png_over_the_byte_limit_becomes_a_jpeg_and_then_smaller_until_it_fits() -> None:
    data = encoded(noise(300, 300))
    for limit in (40_000, 4_000, 900):
        sent = made(data, image_bytes=limit)
        assert len(sent.data) <= limit < len(data)
        assert picture(sent.data).size == (sent.width, sent.height)
    assert sent.media_type == "image/jpeg"


def test_an_image_on_its_side_is_turned_upright() -> None:
    image = Image.new("RGB", (40, 20), "white")
    image.paste((0, 0, 0), (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = 6
    sent = made(encoded(image, "JPEG", exif=exif))
    assert (sent.width, sent.height, sent.changed) == (20, 40, ("turned upright",))
    upright = picture(sent.data).convert("L")
    assert (upright.getpixel((10, 5)), upright.getpixel((10, 35))) == (0, 255)


def test_what_is_transparent_is_white() -> None:
    image = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    image.paste((255, 0, 0, 255), (0, 0, 10, 20))
    sent = made(encoded(image))
    shown = picture(sent.data).convert("RGB")
    assert (shown.getpixel((2, 2)), shown.getpixel((15, 2)), sent.changed) == (
        (255, 0, 0),
        (255, 255, 255),
        ("on white",),
    )


def test_a_palette_with_a_transparent_colour_is_white_there() -> None:
    image = Image.new("P", (20, 20), 1)
    image.putpalette([255, 0, 0, 0, 0, 255])
    sent = made(encoded(image, transparency=1))
    assert picture(sent.data).convert("RGB").getpixel((2, 2)) == (255, 255, 255)


def test_an_alpha_channel_that_hides_nothing_changes_nothing() -> None:
    data = encoded(noise().convert("RGBA"))
    assert made(data).data == data


def test_a_palette_is_resolved_before_it_is_scaled() -> None:
    image = noise(80, 80).quantize(16)
    assert picture(made(encoded(image), side=40).data).mode == "RGB"


def test_cmyk_becomes_rgb() -> None:
    sent = made(encoded(Image.new("CMYK", (20, 20), (0, 255, 255, 0)), "JPEG"))
    red, green, blue = picture(sent.data).convert("RGB").getpixel((5, 5))  # type: ignore[misc]
    assert red > 200 > 60 > max(green, blue)
    assert sent.changed == ("CMYK to 8 bits",)


@pytest.mark.parametrize(("level", "grey"), [(40_000, 155), (0, 0), (65_535, 255), (200, 0)])
def test_sixteen_bits_become_eight_and_are_not_cut_off(level: int, grey: int) -> None:
    sent = made(encoded(Image.new("I;16", (8, 8), level)))
    shown = picture(sent.data)
    assert (shown.mode, shown.getpixel((4, 4))) == ("L", grey)


def test_a_scan_of_one_bit_is_scaled_with_grey_and_not_with_holes() -> None:
    image = Image.new("1", (200, 200), 1)
    for column in range(0, 200, 2):
        image.paste(0, (column, 0, column + 1, 200))
    shown = picture(made(encoded(image), side=50).data)
    assert shown.mode == "L"
    assert 100 < shown.getpixel((25, 25)) < 155  # type: ignore[operator]


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_an_animation_is_shown_by_its_first_frame(form: str) -> None:
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "lime", "blue")]
    sent = made(encoded(frames[0], form, save_all=True, append_images=frames[1:], lossless=True))
    shown = picture(sent.data)
    assert (getattr(shown, "n_frames", 1), shown.convert("RGB").getpixel((8, 8))) == (1, (255, 0, 0))
    assert sent.changed[0] == "first of 3 frames"


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_file_that_is_cut_short_is_never_sent(form: str, share: float) -> None:
    data = encoded(noise(300, 200), form)
    with pytest.raises(DataError, match=r"truncated|cannot be decoded|broken"):
        made(data[: int(len(data) * share)])


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_cut_is_seen_without_decoding(form: str) -> None:
    data = encoded(noise(300, 200), form)
    with pytest.raises(DataError, match=f"the {form} file is truncated"):
        examine(io.BytesIO(data[:-20]), len(data) - 20, "x", Accept())


def test_a_jpeg_with_something_after_its_end_is_fine() -> None:
    data = encoded(noise(), "JPEG") + b"\0" * 70_000
    assert made(data).data == data


@pytest.mark.parametrize("side", [9_000, 20_000, 60_000])
def test_a_bomb_is_refused_by_its_header_without_being_decoded(side: int) -> None:
    data = png_bomb(side, side)
    tracemalloc.start()
    started = time.perf_counter()
    with pytest.raises(DataError, match=rf"{side}x{side} pixels, more than env\.image_max_pixels=50000000"):
        made(data)
    took, (_, peak) = time.perf_counter() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took < 0.5
    assert peak < 1_000_000


@pytest.mark.parametrize(
    "head",
    [
        b"VP8X" + b"\x0a\0\0\0" + b"\x10\0\0\0" + (16_382).to_bytes(3, "little") * 2,
        b"VP8L" + b"\x0a\0\0\0" + b"\x2f" + (16_382 | 16_382 << 14).to_bytes(4, "little") + b"\0" * 8,
        b"VP8 " + b"\x0a\0\0\0" + b"\0" * 3 + b"\x9d\x01\x2a" + (16_383).to_bytes(2, "little") * 2,
    ],
)
def test_a_webp_bomb_is_refused_before_a_decoder_sets_memory_aside(head: bytes) -> None:
    data = b"RIFF" + (4 + len(head)).to_bytes(4, "little") + b"WEBP" + head
    with pytest.raises(DataError, match="16383x16383 pixels"):
        made(data)


@pytest.mark.parametrize(
    "options", [{"lossless": True}, {"lossless": False}, {"exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"}]
)
def test_the_size_of_a_webp_is_read_from_its_header(options: dict[str, Any]) -> None:
    sent = made(encoded(noise(75, 31), "WEBP", **options))
    assert (sent.width, sent.height) == (75, 31)


def test_a_file_over_the_limit_of_bytes_is_refused() -> None:
    with pytest.raises(DataError, match=r"more than env\.image_max_file_bytes=100"):
        prepare(encoded(noise()), "x", Accept(file_bytes=100), Send())
