"""A program is found, and says itself which version it is and what it takes."""

from __future__ import annotations

from pathlib import Path

from reflact.agents import examined, find

SCRIPT = """#!/bin/sh
case "$1" in
  --version) echo "agent-cli 1.20.3-beta" ;;
  exec) echo "  --json  prints; --sandbox-mode MODE" ;;
esac
"""


def program(folder: Path) -> Path:
    file = folder / "agent"
    file.write_text(SCRIPT)
    file.chmod(0o755)
    return file


def test_a_program_tells_its_version_and_its_flags(tmp_path: Path) -> None:
    found = examined(program(tmp_path), helps=[("exec", "--help")], environ={})
    assert found.version == "1.20.3-beta"
    assert [found.takes(flag) for flag in ("--json", "--sandbox", "--sandbox-mode", "--js")] == [
        True,
        False,
        True,
        False,
    ]


def test_a_command_is_found_on_the_path_or_by_its_own(tmp_path: Path) -> None:
    file = program(tmp_path)
    (tmp_path / "link").symlink_to(file)
    assert find("agent", path=str(tmp_path)) == file
    assert find(str(tmp_path / "link"), path="") == file
    assert find("agent", path="/nowhere") is None
