"""Whatever a file holds, an image comes out or a `DataError` says that none does."""

import warnings
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from reflact import DataError
from reflact.kit.media.decode import prepare
from reflact.kit.media.header import sniff
from reflact.kit.media.policy import Accept, Send
from reflact.testing.drawing import encoded, picture

_SHADES = Image.linear_gradient("L").resize((40, 30)).convert("RGB")
_TURNED = Image.Exif()
_TURNED[0x0112] = 6
WHOLE = (
    *(encoded(_SHADES, form) for form in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")),
    encoded(_SHADES, "TIFF", compression="tiff_lzw"),
    encoded(_SHADES.quantize(8)),
    encoded(_SHADES, "JPEG", exif=_TURNED),
    encoded(_SHADES, "GIF", save_all=True, append_images=[_SHADES.rotate(90)]),
)
EDITS = st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), min_size=1, max_size=12)


@settings(max_examples=300)
@given(data=st.sampled_from(WHOLE), edits=EDITS, kept=st.floats(0.2, 1), side=st.sampled_from((0, 16)))
def test_a_file_with_wrong_bytes_gives_an_image_or_says_why_not(
    data: bytes, edits: list[tuple[int, int]], kept: float, side: int
) -> None:
    broken = bytearray(data)
    for place, value in edits:
        broken[place % len(broken)] = value
    with suppress(DataError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sent = prepare(bytes(broken[: int(len(broken) * kept)]), "x", Accept(), Send(side=side))
        assert sniff(sent.data[:32]) is not None
        assert side == 0 or max(sent.width, sent.height) <= side


@given(
    data=st.binary(max_size=200), start=st.sampled_from((b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"BM"))
)
def test_bytes_that_only_begin_like_an_image_are_refused(data: bytes, start: bytes) -> None:
    with suppress(DataError):
        sent = prepare(start + data, "x", Accept(), Send())
        assert picture(sent.data).size == (sent.width, sent.height)
