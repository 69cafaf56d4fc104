"""A benchmark of huge pages stays small: pages are decoded a few at a time and let go with their task."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from reflact.kit.media.watermark import mark

PAGE = (5367, 7184)
LIMIT_MB = 3000

MEASURED = """
import resource, sys
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from reflact.kit.media import ImageConfig, images_of
from reflact.kit.media.watermark import read_mark
from reflact.pool import each

folder, side, n = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
media = ImageConfig(image_max_side=side).media([folder])
reader = ThreadPoolExecutor(1)
names = [f"{number}{suffix}" for number in range(n) for suffix in (".png", ".jpg")][:n]

def run(name):
    media.check(name)
    image = images_of(media.open([name]))[0]
    body = b64encode(image.data)
    assert body
    if name.startswith("1"):
        assert reader.submit(read_mark, image.data).result() == 4711, name
    return len(body)

done = sum(1 for _ in each(run, names, 16))
print(done, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def pages(folder: Path, n: int) -> None:
    """Write *n* colour pages of 38 megapixels: two files, and links to them that count as files of their own."""
    page = Image.new("RGB", PAGE, "#f4f0e6")
    mark(page, 4711)
    page.save(folder / "0.png", compress_level=1)
    page.save(folder / "0.jpg", quality=85)
    for number in range(1, n):
        for suffix in (".png", ".jpg"):
            os.link(folder / f"0{suffix}", folder / f"{number}{suffix}")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes on Linux alone")
@pytest.mark.parametrize("side", [0, 2048])
def test_pages_of_38_megapixels_with_16_workers_stay_under_three_gigabytes(tmp_path: Path, side: int) -> None:
    # A thousand pages took no more than two hundred: what is held depends on the workers, not on the items.
    n = 200 if side else 50
    pages(tmp_path, n)
    command = [sys.executable, "-c", MEASURED, str(tmp_path), str(side), str(n)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    done, peak_mb = (int(word) for word in said.split())
    assert done == n
    assert peak_mb < LIMIT_MB
