"""A command runs to its end, or to its deadline, and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from reflact import BackendError
from reflact.agents import Command, Private, run

Python = Callable[..., Command]
BOTH_WAYS = pytest.mark.parametrize("isolate", [True, False], ids=["own-pids", "plain"])


def gone(pid_file: Path) -> bool:
    """Return whether the process whose number is in *pid_file*, as the system counts it, is gone within a second."""
    marker = pid_file.read_text()
    for _ in range(50):
        if not subprocess.run(["pgrep", "-f", marker], capture_output=True, check=False).stdout:
            return True
        time.sleep(0.02)
    return False


def test_input_of_any_length_reaches_the_command_byte_for_byte(python: Python) -> None:
    text = "first line\nsecond — line\n" * 20_000
    ended = run(python("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())", stdin=text.encode()))
    assert ended.stdout == text.encode()


def test_a_command_that_waits_for_input_gets_none(python: Python) -> None:
    assert run(python("import sys; print(len(sys.stdin.read()))")).stdout == b"0\n"


def test_a_command_that_never_reads_its_input_still_ends(python: Python) -> None:
    assert run(python("print('done')", stdin=b"x" * 1_000_000)).stdout == b"done\n"


@BOTH_WAYS
def test_the_exit_code_is_the_commands_own(python: Python, isolate: bool) -> None:
    assert run(python("raise SystemExit(7)", isolate=isolate)).exit_code == 7


@BOTH_WAYS
def test_a_deadline_is_kept_and_said(python: Python, isolate: bool) -> None:
    ended = run(python("print('begun', flush=True); import time; time.sleep(60)", timeout_s=0.4, isolate=isolate))
    assert (ended.timed_out, ended.stdout) == (True, b"begun\n")
    assert ended.seconds < 3


@BOTH_WAYS
def test_a_command_that_ignores_the_request_to_end_is_killed(python: Python, isolate: bool) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    ended = run(python(code, timeout_s=0.4, isolate=isolate))
    assert ended.timed_out and ended.seconds < 4


@BOTH_WAYS
@pytest.mark.parametrize("environment", ["None", "{}"], ids=["marked", "unmarked"])
def test_no_grandchild_outlives_a_timeout_not_even_in_a_session_of_its_own(
    python: Python, tmp_path: Path, isolate: bool, environment: str
) -> None:
    seconds = f"61.{time.time_ns() % 10**9:09d}"
    child = f"subprocess.Popen(['/usr/bin/setsid', '/bin/sleep', '{seconds}'], env={environment})"
    code = f"import subprocess, time; {child}; time.sleep(60)"
    (tmp_path / "pid").write_text(f"sleep {seconds}")
    ended = run(python(code, timeout_s=0.5, isolate=isolate))
    assert ended.timed_out and ended.seconds < 4
    assert gone(tmp_path / "pid")


@BOTH_WAYS
def test_a_grandchild_that_holds_the_pipes_does_not_hold_us(python: Python, tmp_path: Path, isolate: bool) -> None:
    seconds = f"62.{time.time_ns() % 10**9:09d}"
    code = f"import subprocess; subprocess.Popen(['/usr/bin/setsid', '/bin/sleep', '{seconds}']); print('bye')"
    (tmp_path / "pid").write_text(f"sleep {seconds}")
    ended = run(python(code, isolate=isolate))
    assert (ended.exit_code, ended.stdout, ended.timed_out) == (0, b"bye\n", False)
    assert ended.seconds < 5
    assert gone(tmp_path / "pid")


def test_output_without_end_is_kept_at_both_ends(python: Python) -> None:
    ended = run(python("print('first'); print('x' * 5_000_000); print('last')", keep=10_000))
    assert ended.stdout.startswith(b"first\n") and ended.stdout.endswith(b"last\n")
    assert b"bytes left out]\n" in ended.stdout and len(ended.stdout) < 11_000


def test_only_the_given_environment_is_seen(python: Python, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAK_ME", "leaked")
    assert b"LEAK_ME" not in run(python("import os; print(dict(os.environ))")).stdout


def test_a_program_that_is_not_there_is_named(python: Python) -> None:
    with pytest.raises(BackendError, match="/nowhere/agent cannot be run") as caught:
        run(replace(python(""), argv=("/nowhere/agent",)))
    assert caught.value.fault == "bad_request"


def test_a_file_that_is_no_program_is_told_from_an_agent_that_fails(python: Python, tmp_path: Path) -> None:
    broken = tmp_path / "agent"
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)
    with pytest.raises(BackendError, match="cannot be started: Exec format error"):
        run(replace(python(""), argv=(str(broken),), isolate=False))


def test_a_command_whose_start_failed_for_a_moment_is_started_again(python: Python, tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    code = f"""
        import sys, pathlib
        tries = pathlib.Path({str(tries)!r})
        tries.write_text((tries.read_text() if tries.exists() else "") + "x")
        if len(tries.read_text()) < 3:
            sys.stderr.write("unshare: fork failed: Resource temporarily unavailable\\n")
            sys.exit(1)
        print("started")
        """
    assert run(python(textwrap.dedent(code))).stdout == b"started\n"
    assert tries.read_text() == "xxx"


def test_ctrl_c_ends_the_command_and_all_it_started(private: Private, tmp_path: Path) -> None:
    seconds = f"63.{time.time_ns() % 10**9:09d}"
    (tmp_path / "pid").write_text(f"sleep {seconds}")
    (tmp_path / "outer.py").write_text(
        textwrap.dedent(
            f"""
            import signal, sys
            from pathlib import Path
            from reflact.agents import Command, run
            signal.signal(signal.SIGINT, signal.default_int_handler)
            inner = "import subprocess, pathlib, time;"
            inner += "subprocess.Popen(['/usr/bin/setsid', '/bin/sleep', '{seconds}']);"
            inner += "pathlib.Path({str(tmp_path / "begun")!r}).touch(); time.sleep(60)"
            environment = {{"PATH": "/usr/bin:/bin", "REFLACT_JOB": "{private.marker}"}}
            run(Command(argv=(sys.executable, "-c", inner), cwd=Path("/"), environment=environment, timeout_s=60))
            """
        )
    )
    outer = subprocess.Popen([sys.executable, str(tmp_path / "outer.py")], stderr=subprocess.PIPE)
    while not (tmp_path / "begun").exists():
        assert outer.poll() is None
        time.sleep(0.02)
    outer.send_signal(signal.SIGINT)
    _, stderr = outer.communicate(timeout=20)
    assert b"KeyboardInterrupt" in stderr
    assert gone(tmp_path / "pid")


def test_a_command_does_not_outlive_us_when_we_are_killed(private: Private, tmp_path: Path) -> None:
    seconds = f"64.{time.time_ns() % 10**9:09d}"
    (tmp_path / "pid").write_text(f"sleep {seconds}")
    (tmp_path / "outer.py").write_text(
        textwrap.dedent(
            f"""
            from pathlib import Path
            from reflact.agents import Command, run
            from reflact.agents.isolation import prefix
            Path({str(tmp_path / "prefix")!r}).write_text(" ".join(prefix()))
            argv = ("/bin/sh", "-c", "touch {tmp_path / "begun"}; sleep {seconds} & wait")
            run(Command(argv=argv, cwd=Path("/"), environment={{"PATH": "/usr/bin:/bin"}}, timeout_s=60))
            """
        )
    )
    outer = subprocess.Popen([sys.executable, str(tmp_path / "outer.py")])
    while not (tmp_path / "begun").exists():
        assert outer.poll() is None
        time.sleep(0.02)
    outer.kill()
    outer.wait()
    if "unshare" not in (tmp_path / "prefix").read_text() or "setpriv" not in (tmp_path / "prefix").read_text():
        subprocess.run(["pkill", "-f", f"sleep {seconds}"], check=False)
        pytest.skip("no PID namespaces here: an agent cannot be tied to our life")
    assert gone(tmp_path / "pid")
