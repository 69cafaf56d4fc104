"""The images of a task: found, checked, opened in order, let go."""

import base64
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reflact import ConfigError, DataError
from reflact.kit.media import LIMITS, ImageConfig, Media, Send, as_source, images_of
from reflact.kit.media.watermark import mark, read_mark
from reflact.testing.drawing import encoded, noise, png_bomb


def marked(number: int, width: int = 320, height: int = 240) -> Image.Image:
    image = Image.new("RGB", (width, height), "#88aacc")
    mark(image, number)
    return image


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(4):
        (tmp_path / f"{number}.png").write_bytes(encoded(marked(number)))
    return tmp_path


def test_images_come_in_the_order_asked_for_with_their_numbers_as_labels(folder: Path) -> None:
    images = images_of(Media([folder]).open(["2.png", "0.png", "2.png", "1.png"]))
    assert [one.label for one in images] == ["Image #1", "Image #2", "Image #3", "Image #4"]
    assert [read_mark(one.data) for one in images] == [2, 0, 2, 1]


@pytest.mark.parametrize("shape", ["bytes", "base64", "data URL", "bytes and path", "raw bytes"])
def test_an_image_may_be_in_the_record_itself(shape: str) -> None:
    data = encoded(marked(77))
    text = base64.b64encode(data).decode()
    value: Any = {
        "bytes": {"bytes": data},
        "base64": {"bytes": text},
        "data URL": f"data:image/png;base64,{text}",
        "bytes and path": {"bytes": data, "path": "nowhere.png"},
        "raw bytes": data,
    }[shape]
    source = as_source(value)
    media = Media([])
    media.check(source)
    assert [read_mark(one.data) for one in images_of(media.open([source]))] == [77]


def test_a_record_with_a_path_alone_names_a_file(folder: Path) -> None:
    source = as_source({"bytes": None, "path": "3.png"})
    assert read_mark(Media([folder]).open([source])[0].image.data) == 3


@pytest.mark.parametrize(
    ("value", "message"),
    [(None, "no image"), ("", "no image"), (" ", "no image"), ({}, "must be a path"), (7, "not int")],
)
def test_a_field_without_an_image_is_refused(value: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        as_source(value)


def test_base64_that_is_none_is_refused() -> None:
    with pytest.raises(DataError, match="data URL: the image is not base64"):
        Media([]).check("data:image/png;base64,%%%")


def test_what_was_sent_is_told_without_bytes_and_paths_of_the_machine(folder: Path) -> None:
    picture = Media([folder], send=Send(side=160)).open(["1.png"])[0]
    told = picture.facts()
    assert (told["name"], told["width"], told["height"]) == ("1.png", 160, 120)
    assert told["changed"] == ["320x240 to 160x120"]
    assert len(told["sha256"]) == 64
    assert str(folder) not in repr(told)


def test_a_check_finds_a_bad_file_by_its_header(folder: Path) -> None:
    (folder / "bomb.png").write_bytes(png_bomb(9000, 9000))
    (folder / "cut.jpg").write_bytes(encoded(noise(), "JPEG")[:-40])
    media = Media([folder])
    media.check("0.png")
    for name, message in (("bomb.png", "9000x9000"), ("cut.jpg", "truncated"), ("none.png", "not found below")):
        with pytest.raises(DataError, match=message):
            media.check(name)


def test_a_page_that_many_tasks_share_is_encoded_once(folder: Path) -> None:
    media = Media([folder], send=Send(side=100))
    first, again = media.open(["1.png"])[0], media.open(["0.png", "1.png"])[1]
    assert first.image.data is again.image.data
    (folder / "1.png").write_bytes(encoded(marked(9)))
    assert read_mark(Media([folder]).open(["1.png"])[0].image.data) == 9


def test_with_many_images_a_smaller_side_holds(folder: Path) -> None:
    media = Media([folder], send=Send(side=300, many=2, many_side=200))
    assert [one.width for one in media.open(["0.png"] * 2)] == [300, 300]
    assert [one.width for one in media.open(["0.png"] * 3)] == [200, 200, 200]


def test_more_images_than_a_request_holds_are_refused(folder: Path) -> None:
    with pytest.raises(DataError, match=r"3 images in one request, but env\.image_limits allows 2"):
        Media([folder], send=Send(images=2)).open(["0.png"] * 3)


def test_a_request_that_is_too_large_has_all_its_images_made_smaller(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(encoded(noise(200, 200)))
    limit = 40_000
    sent = images_of(Media([tmp_path], send=Send(request_bytes=limit)).open(["0.png", "1.png", "2.png"]))
    assert len(sent) == 3
    assert sum(len(base64.b64encode(one.data)) for one in sent) <= limit


def test_the_keys_of_the_section_set_the_limits(folder: Path) -> None:
    media = ImageConfig(image_max_side=64, image_detail="low").media([folder])
    image = media.open(["0.png"])[0].image
    assert Image.open(io.BytesIO(image.data)).size == (64, 48)
    assert image.detail == "low"
    with pytest.raises(DataError, match="image_max_pixels=100"):
        ImageConfig(image_max_pixels=100).media([folder]).check("0.png")


@pytest.mark.parametrize("name", sorted(LIMITS))
def test_a_large_side_asked_for_does_not_lift_a_provider_s_limit(name: str) -> None:
    send = ImageConfig(image_limits=name, image_max_side=100_000).send  # type: ignore[arg-type]
    assert send.side <= (LIMITS[name].side or 100_000)


def test_a_data_root_is_looked_in_first(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "0.png").write_bytes(encoded(marked(500)))
    media = ImageConfig(data_root=str(other)).media([folder])
    assert [read_mark(one.image.data) for one in media.open(["0.png", "1.png"])] == [500, 1]


def test_a_wrong_detail_is_refused() -> None:
    with pytest.raises(ValueError, match="image_detail"):
        ImageConfig(image_detail="huge")  # type: ignore[arg-type]


def test_the_config_error_is_for_the_user() -> None:
    assert issubclass(DataError, ConfigError)


def test_an_absolute_name_is_told_by_its_last_part_alone(folder: Path) -> None:
    picture = Media([folder]).open([str(folder / "1.png")])[0]
    assert picture.facts()["name"] == "1.png"


def test_without_pillow_it_is_said_what_to_install() -> None:
    code = (
        "import sys; sys.modules['PIL'] = None\n"
        "from reflact import ConfigError\n"
        "from reflact.kit.media import Media\n"
        "try: Media([]).check('data:image/png;base64,AAAA')\n"
        "except ConfigError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'reflact-core[media]'" in said


def test_pillow_is_imported_when_the_first_image_is_looked_at(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from reflact.kit.media import Media\n"
        "assert 'PIL' not in sys.modules\n"
        f"Media([Path({str(folder)!r})]).check('0.png'); print('PIL' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"
