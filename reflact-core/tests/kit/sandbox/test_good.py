"""Programs that do what they should, and sandboxes that are not there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, which

import pytest
import reflact
from reflact import ConfigError
from reflact.kit.sandbox import Job, Limits, Ran, sandbox
from reflact.kit.sandbox.docker import Docker

Runs = Callable[..., Ran]


def test_what_it_writes_is_ours_afterwards(run: Runs, tmp_path: Path) -> None:
    ran = run("import os\nos.mkdir('sub')\nopen('sub/out.txt', 'w').write('done')")
    made = tmp_path / "work/sub/out.txt"
    assert ran.ok and made.read_text(encoding="utf-8") == "done"
    assert (made.stat().st_uid, made.parent.stat().st_uid) == (os.geteuid(), os.geteuid())


def test_it_reads_what_it_is_told(run: Runs) -> None:
    assert run("print(input()[::-1])", stdin="abc\n").stdout == "cba\n"


def test_it_has_the_packages_of_this_interpreter(run: Runs) -> None:
    assert run("import pydantic; print('there')", memory_mb=1000).stdout == "there\n"


def test_a_whole_folder_can_be_given(run: Runs, tmp_path: Path) -> None:
    (tmp_path / "data/inner").mkdir(parents=True)
    (tmp_path / "data/inner/a.txt").write_text("in it", encoding="utf-8")
    ran = run(f"print(open({str(tmp_path / 'data/inner/a.txt')!r}).read())", readable=(tmp_path / "data",))
    assert ran.stdout == "in it\n"


def test_an_exit_code_is_the_reason(run: Runs) -> None:
    assert run("raise SystemExit(3)").reason == "exit code 3"


def test_without_confinement_bounds_and_a_clean_environment_remain(
    run_unconfined: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "marker-of-the-test")
    assert "marker-of-the-test" not in run_unconfined("import os; print(dict(os.environ))").stdout
    assert "MemoryError" in run_unconfined("x = bytearray(10**9)").stderr
    assert run_unconfined("import time; time.sleep(60)", seconds=0.3).reason == "not done within 0.3 s"


def test_without_bubblewrap_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox.cache_clear()
    with pytest.raises(ConfigError, match=r"env.sandbox: bubblewrap is not installed.*apt-get install bubblewrap"):
        sandbox("auto")


def test_a_bubblewrap_that_may_not_work_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    sandbox.cache_clear()
    with pytest.raises(ConfigError, match=r"does not work here .*No permissions to create new namespace"):
        sandbox("bwrap")


@pytest.fixture(autouse=True)
def forget() -> object:
    yield
    sandbox.cache_clear()


def test_docker_without_an_image_or_an_engine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"env\.sandbox_image"):
        sandbox("docker")
    fake = tmp_path / "docker"
    fake.write_text("#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2\nexit 1\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(ConfigError, match=r"engine cannot be reached .*Cannot connect"):
        sandbox("docker", image="python:3.11-slim")


def test_a_container_has_no_network_and_every_bound(tmp_path: Path) -> None:
    job = Job(argv=("python", "p.py"), work=tmp_path, readable=(Path("/data"),), limits=Limits(memory_mb=512))
    words = " ".join(Docker(Path("/usr/bin/docker"), "python:3.11-slim").words(job, "one"))
    assert "--network none" in words and "--memory 512m" in words and "--pids-limit 64" in words
    assert "--volume /data:/data:ro" in words and f"--volume {tmp_path}:{tmp_path} python:3.11-slim" in words
    assert words.endswith("timeout --signal=KILL 120.0 python p.py")


AS_A_USER = """
import os, tempfile
from pathlib import Path
from reflact.kit.sandbox import Job, Limits, Ran, sandbox
assert os.getuid() == 1234
def run(text, **more):
    work = Path(tempfile.mkdtemp())
    (work / "p.py").write_text(text)
    limits = Limits(seconds=8, cpu_s=3, memory_mb=300, processes=24, file_mb=5, **more)
    return sandbox().run(Job(argv=("/usr/bin/python3", "-I", str(work / "p.py")), work=work, limits=limits))
assert run("open('x', 'w').write('y')").ok
assert "unavailable" in run("import os\\nwhile True:\\n    os.fork()").stderr
assert "MemoryError" in run("x = bytearray(10**9)").stderr
assert "too large" in run("open('x', 'wb').write(b'1' * 10**7)").stderr
assert not run("open('/etc/passwd')").ok
"""


@pytest.mark.skipif(os.geteuid() != 0 or which("bwrap") is None, reason="needs root, to become a user, and bubblewrap")
@pytest.mark.skipif(not Path(f"/usr/bin/python{sys.version_info[0]}.{sys.version_info[1]}").exists(), reason="no twin")
def test_bounds_hold_for_a_user_as_they_do_for_root() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copytree(Path(reflact.__file__).parent, root / "reflact")
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        root.chmod(0o777)
        packages = next(path for path in sys.path if path.endswith("site-packages"))
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "PYTHONPATH": f"{folder}:{packages}"}
        become = ["setpriv", "--reuid=1234", "--regid=1234", "--clear-groups"]
        done = subprocess.run(
            [*become, "/usr/bin/python3", "-B", "-c", AS_A_USER], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
