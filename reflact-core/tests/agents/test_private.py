"""What is lent to an attempt is gone afterwards, and its environment holds nothing it was not given."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from reflact.agents import MARKER, Private, minimal, private_folder


def test_a_private_folder_is_for_us_alone_and_gone_afterwards(tmp_path: Path) -> None:
    with private_folder(tmp_path) as private:
        (private.sub("login") / "auth.json").write_text("{}")
        assert private.root.stat().st_mode & 0o077 == 0
        assert private.home.is_dir() and private.temp.is_dir()
        assert private.root.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_it_is_gone_also_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), private_folder(tmp_path):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_attempt_left_is_removed_by_the_next(tmp_path: Path) -> None:
    stale = tmp_path / ".private-old"
    stale.mkdir()
    (stale / "auth.json").write_text("secret")
    with private_folder(tmp_path):
        assert not stale.exists()


def test_a_folder_that_cannot_be_removed_is_a_warning_that_names_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ".private-file").write_text("not a folder: rmtree leaves it")
    with caplog.at_level(logging.WARNING), private_folder(tmp_path):
        pass
    assert ".private-file cannot be removed" in caplog.text


def test_no_two_attempts_share_a_marker(tmp_path: Path) -> None:
    with private_folder(tmp_path / "a") as one, private_folder(tmp_path / "b") as other:
        assert one.marker != other.marker


def test_an_environment_holds_only_what_is_needed_and_named(private: Private) -> None:
    ours = {"PATH": "/usr/local/bin", "OPENAI_API_KEY": "secret", "HTTPS_PROXY": "http://proxy", "HOME": "/home/me"}
    found = minimal(ours, private, more={"AGENT_KEY": "k"})
    assert found == {
        "PATH": "/usr/local/bin",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "HOME": str(private.home),
        "TMPDIR": str(private.temp),
        MARKER: private.marker,
        "HTTPS_PROXY": "http://proxy",
        "AGENT_KEY": "k",
    }
