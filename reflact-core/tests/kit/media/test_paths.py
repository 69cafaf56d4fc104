"""Which files a data set may name."""

import os
import unicodedata
from pathlib import Path

import pytest
from reflact import DataError
from reflact.kit.media.paths import locate


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret.png").write_bytes(b"x")
    (tmp_path / "data" / "images").mkdir(parents=True)
    (tmp_path / "data" / "images" / "a.png").write_bytes(b"a")
    return tmp_path / "data"


@pytest.mark.parametrize("raw", ["images/a.png", "./images/a.png", "images\\a.png", "images/../images/a.png"])
def test_a_file_below_the_data_is_found(root: Path, raw: str) -> None:
    assert locate(raw, [root]) == (root / "images" / "a.png").resolve()


def test_the_first_root_that_has_the_file_counts(root: Path, tmp_path: Path) -> None:
    assert locate("a.png", [tmp_path, root / "images"]).read_bytes() == b"a"


def test_another_image_of_the_same_name_is_never_taken_for_it(tmp_path: Path) -> None:
    for split, text in (("train", b"a"), ("val", b"b")):
        (tmp_path / split).mkdir()
        (tmp_path / split / "1.png").write_bytes(text)
    roots = [tmp_path / "train", tmp_path / "val"]
    with pytest.raises(DataError, match=r"'1\.png' is two different files.*data_root"):
        locate("1.png", roots)
    assert locate("1.png", roots, sure=1).read_bytes() == b"a"
    assert locate("val/1.png", [tmp_path, *roots]).read_bytes() == b"b"
    (tmp_path / "val" / "1.png").write_bytes(b"a")
    assert locate("1.png", roots).read_bytes() == b"a"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("../secret.png", "leads out of"),
        ("images/../../secret.png", "leads out of"),
        ("images\\..\\..\\secret.png", "leads out of"),
        ("https://example.org/a.png", "is a URL"),
        ("file:///etc/hostname", "is a URL"),
        ("C:\\a.png", "is on a drive or share"),
        ("\\\\host\\share\\a.png", "is on a drive or share"),
        ("a\0.png", "is no path"),
        ("", "is no path"),
        ("images", "is no regular file"),
        ("x" * 300 + ".png", "not found below"),
        ("images/A.PNG", r"not found below .* \(there is 'a\.png'; letter case counts\)"),
    ],
)
def test_a_path_that_is_none_or_leads_elsewhere_is_refused(root: Path, raw: str, message: str) -> None:
    """P6."""
    with pytest.raises(DataError, match=message):
        locate(raw, [root])


def test_an_absolute_path_needs_to_be_inside_the_data_or_allowed(root: Path, tmp_path: Path) -> None:
    """P6."""
    outside = tmp_path / "secret.png"
    with pytest.raises(DataError, match=r"absolute and outside the data.*env\.allow_absolute_paths"):
        locate(str(outside), [root])
    assert locate(str(outside), [root], allow_absolute=True) == outside.resolve()
    assert locate(str(root / "images" / "a.png"), [root]).read_bytes() == b"a"


@pytest.mark.parametrize("target", ["/etc/hostname", "../../secret.png"])
def test_a_link_out_of_the_data_is_refused(root: Path, target: str) -> None:
    """P6."""
    (root / "images" / "link.png").symlink_to(target)
    with pytest.raises(DataError, match="leads out of"):
        locate("images/link.png", [root])


def test_a_link_within_the_data_is_followed(root: Path) -> None:
    (root / "images" / "link.png").symlink_to("a.png")
    assert locate("images/link.png", [root]).read_bytes() == b"a"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFO here")
def test_a_pipe_is_refused_and_not_read(root: Path) -> None:
    os.mkfifo(root / "pipe.png")
    with pytest.raises(DataError, match="is no regular file"):
        locate("pipe.png", [root])


@pytest.mark.parametrize(("stored", "named"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_a_name_may_be_written_in_either_unicode_form(root: Path, stored: str, named: str) -> None:
    file = root / unicodedata.normalize(stored, "é.png")  # type: ignore[arg-type]
    file.write_bytes(b"e")
    assert locate(unicodedata.normalize(named, "é.png"), [root]).read_bytes() == b"e"  # type: ignore[arg-type]
