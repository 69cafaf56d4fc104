"""Programs that mean no good, or do none: each ends with a reason, and leaves nothing behind."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from reflact.kit.sandbox import Ran

Runs = Callable[..., Ran]


def arguments() -> Iterator[str]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                yield (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")


def test_an_endless_loop_ends(run: Runs) -> None:
    ran = run("while True: pass", seconds=30)
    assert not ran.ok and ran.reason in ("more than 2 s of processor time", "killed")


def test_a_program_that_only_waits_ends_with_its_time(run: Runs) -> None:
    ran = run("import time; time.sleep(60)", seconds=0.5)
    assert (ran.reason, ran.seconds < 5) == ("not done within 0.5 s", True)


def test_a_fork_bomb_is_stopped_by_its_own_bound(run: Runs) -> None:
    ran = run("import os\nwhile True:\n    os.fork()")
    assert not ran.ok
    assert "Resource temporarily unavailable" in ran.stderr or "processes" in ran.reason


def test_a_child_that_leaves_its_session_dies_with_the_program(run: Runs, tmp_path: Path) -> None:
    ran = run("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(300)\nprint('gone')")
    assert (ran.ok, ran.stdout) == (True, "gone\n")
    assert not [line for line in arguments() if str(tmp_path) in line]


def test_a_memory_hog_is_refused_more(run: Runs) -> None:
    assert "MemoryError" in run("x = bytearray(10**9)").stderr


def test_many_small_hogs_count_together(run: Runs) -> None:
    hog = "    if os.fork() == 0:\n        x = bytearray(10**8)\n        time.sleep(20)\n"
    assert run(f"import os, time\nfor _ in range(8):\n{hog}time.sleep(20)").reason == "more than 300 MB of memory"


def test_one_large_file_is_refused(run: Runs) -> None:
    assert "File too large" in run("open('big', 'wb').write(b'x' * 10**7)").stderr


def test_many_files_are_too_much_together(run: Runs) -> None:
    many = "import time\nfor n in range(10): open(f'f{n}', 'wb').write(b'x' * 4 * 10**6)\ntime.sleep(5)"
    assert run(many).reason == "more than 20 MB written"


def test_output_without_end_is_kept_in_part(run: Runs) -> None:
    ran = run("for n in range(10**5): print(n, 'x' * 50)", cpu_s=30, seconds=60)
    assert ran.ok and len(ran.stdout) < 70_000
    assert ran.stdout.startswith("0 x") and ran.stdout.rstrip().endswith("x") and "bytes left out" in ran.stdout


def test_there_is_no_network_not_even_this_machine(run: Runs) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=lambda: suppress(OSError).__enter__() and server.accept(), daemon=True).start()
        port = server.getsockname()[1]
        ran = run(f"import socket; socket.create_connection(('127.0.0.1', {port}), 1)")
    assert "ConnectionRefusedError" in ran.stderr or "unreachable" in ran.stderr


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/shadow", "/root", "/home", "/proc/1/environ"])
def test_the_machines_own_files_are_not_there(run: Runs, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_MARKER", "marker-of-the-test")
    text = f"import os\nprint(os.listdir({path!r}) if os.path.isdir({path!r}) else open({path!r}).read())"
    ran = run(text)
    assert "root:" not in ran.stdout and "marker-of-the-test" not in ran.stdout


def test_a_file_beside_the_work_folder_is_not_there(run: Runs, tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("the answer", encoding="utf-8")
    ran = run(f"print(open({str(gold)!r}).read())")
    assert not ran.ok and "the answer" not in ran.stdout


def test_what_is_read_only_stays_as_it_is(run: Runs, tmp_path: Path) -> None:
    given = tmp_path / "input.txt"
    given.write_text("given", encoding="utf-8")
    given.chmod(0o600)
    ran = run(f"print(open({str(given)!r}).read())\nopen({str(given)!r}, 'w').write('changed')", readable=(given,))
    assert (ran.ok, ran.stdout) == (False, "given\n")
    assert given.read_text(encoding="utf-8") == "given"


def test_a_link_out_of_the_folder_reads_nothing(run: Runs, tmp_path: Path) -> None:
    ran = run("import os\nos.symlink('/etc/shadow', 'out.xlsx')\nprint(open('out.xlsx').read())")
    assert not ran.ok and not ran.stdout
    assert (tmp_path / "work/out.xlsx").is_symlink()


def test_it_has_no_variable_of_ours(run: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "marker-of-the-test")
    assert "marker-of-the-test" not in run("import os; print(dict(os.environ))").stdout


def test_it_can_do_nothing_as_root(run: Runs) -> None:
    said = run("import os\nprint(os.getuid())\nprint([l for l in open('/proc/self/status') if l.startswith('CapEff')])")
    assert "0000000000000000" in said.stdout


def test_it_ends_soon_after_its_time_whatever_it_ignores(run: Runs) -> None:
    started = time.monotonic()
    ran = run("import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)", seconds=0.5)
    assert ran.reason == "not done within 0.5 s"
    assert time.monotonic() - started < 6
