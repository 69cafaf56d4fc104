"""Weights that are already there: verified, and never deleted."""

from __future__ import annotations

import pytest
from reflact.errors import BackendError, ConfigError
from reflact_backend_local.weights import cached, fetch, given, verify


def nowhere(weights, folder, progress):
    raise BackendError("must not be asked")


def test_a_file_copied_into_the_cache_is_verified_and_used(made, tmp_path):
    file = tmp_path / made.weights.filename
    file.write_bytes(made.content)
    assert fetch(made.weights, tmp_path, sources={"nowhere": nowhere}) == file


def test_a_cached_file_is_read_once_and_then_compared_by_size(made, tmp_path):
    (tmp_path / made.weights.filename).write_bytes(made.content)
    reads = []
    for _ in range(2):
        cached(made.weights, tmp_path, progress=lambda *step: reads.append(step))
    assert len(reads) == 1


def test_a_cached_file_that_lost_bytes_is_refused_and_kept(made, tmp_path):
    file = tmp_path / made.weights.filename
    file.write_bytes(made.content)
    cached(made.weights, tmp_path)
    file.write_bytes(made.content[:-1])
    with pytest.raises(BackendError, match=r"not computed \(29999 bytes\).*Move it away"):
        cached(made.weights, tmp_path)
    assert file.exists()


def test_a_full_check_finds_one_changed_byte(made, tmp_path):
    file = tmp_path / made.weights.filename
    file.write_bytes(b"\0" + made.content[1:])
    with pytest.raises(BackendError, match=f"is not made-up.*expected {made.weights.sha256}"):
        verify(made.weights, file)
    assert file.exists()


def test_an_empty_cache_has_nothing(made, tmp_path):
    assert cached(made.weights, tmp_path) is None


def test_a_given_file_must_be_the_pinned_one_under_a_pinned_name(made, tmp_path):
    good, other = tmp_path / "good.gguf", tmp_path / "other.gguf"
    good.write_bytes(made.content)
    other.write_bytes(made.content[::-1])
    assert given(made.weights, good) == good
    with pytest.raises(BackendError, match=r"other\.gguf is not made-up"):
        given(made.weights, other)
    assert other.read_bytes() == made.content[::-1]


def test_a_given_file_under_a_name_of_ones_own_is_taken_as_it_is(tmp_path):
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF")
    assert given(None, own) == own


def test_a_given_file_that_is_not_there_is_an_error_of_the_configuration(made, tmp_path):
    with pytest.raises(ConfigError, match=r"no GGUF file at .*gone\.gguf"):
        given(made.weights, tmp_path / "gone.gguf")
