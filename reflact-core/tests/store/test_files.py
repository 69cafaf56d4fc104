"""Writing whole or not at all, and the lock on a run's folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from reflact.errors import RunError
from reflact.store.files import locked, read, write

HOLD = """
import sys, time
from pathlib import Path
from reflact.store.files import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""

DIE_BEFORE_MOVING = """
import os, sys
from pathlib import Path
from reflact.store.files import write

def stop(event, args):
    if event == "os.rename":
        os._exit(9)

sys.addaudithook(stop)
write(Path(sys.argv[1]), "new " * 1000)
"""


def test_a_text_is_read_as_it_was_written(tmp_path: Path) -> None:
    text = "a\r\nb\nc\rd 😀 é\n"
    write(tmp_path / "deep" / "er" / "file.md", text)
    assert read(tmp_path / "deep" / "er" / "file.md") == text
    assert (tmp_path / "deep" / "er" / "file.md").read_bytes() == text.encode()


def test_writing_leaves_no_draft(tmp_path: Path) -> None:
    write(tmp_path / "a.json", "1")
    write(tmp_path / "a.json", "2")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.json", "2")]


def test_a_text_that_cannot_be_encoded_leaves_the_old_one(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "old")
    with pytest.raises(UnicodeEncodeError):
        write(tmp_path / "a.md", "new \ud800")
    assert read(tmp_path / "a.md") == "old"


def test_a_kill_between_draft_and_move_leaves_the_old_text(tmp_path: Path) -> None:
    file = tmp_path / "runtime_state.json"
    write(file, "old")
    done = subprocess.run([sys.executable, "-c", DIE_BEFORE_MOVING, str(file)], check=False)
    assert done.returncode == 9
    assert (tmp_path / ".runtime_state.json.draft").exists()
    assert read(file) == "old"
    write(file, "newer")
    assert [one.name for one in tmp_path.iterdir()] == ["runtime_state.json"]


def test_a_folder_is_lent_to_one_process_at_a_time(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout and holder.stdout.readline() == "held\n"
        with (
            pytest.raises(RunError, match=f"is in use by process {holder.pid}; wait for it or choose"),
            locked(tmp_path),
        ):
            pass
        holder.communicate("\n")
    with locked(tmp_path):
        assert (tmp_path / ".lock").read_text() == f"process {os.getpid()}"


def test_a_process_that_was_killed_holds_no_lock(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout and holder.stdout.readline() == "held\n"
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with locked(tmp_path):
        pass


def test_a_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "new"):
        raise ZeroDivisionError
    with locked(tmp_path / "new"):
        pass
