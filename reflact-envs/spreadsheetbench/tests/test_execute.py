"""Programs of students run as they are written, and hostile ones end with a reason and leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from reflact.agents.sweep import descendants
from reflact_env_spreadsheetbench.booth import booth
from reflact_env_spreadsheetbench.config import SpreadsheetConfig
from reflact_env_spreadsheetbench.execute import Executed, Executor
from reflact_env_spreadsheetbench.inside.run_solution import without_own_paths

Run = Callable[..., Executed]
COPY = "import shutil\nshutil.copyfile(INPUT_PATH, OUTPUT_PATH)\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file that stands for a workbook, and a secret beside it."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "1_9_answer.xlsx").write_text("the gold")
    (tmp_path / "data" / "1_9_input.xlsx").write_text("the input")
    return tmp_path / "data" / "1_9_input.xlsx"


@pytest.fixture
def run(confined: None, source: Path) -> Iterator[Run]:
    """Runs a program on `source`, with tight limits, and finds no child of ours afterwards."""

    def ran(program: str, **limits: int) -> Executed:
        given = {"code_timeout": 10, "sandbox_mem_mb": 400, "sandbox_cpu_s": 5, "max_output_mb": 2, **limits}
        config = SpreadsheetConfig(**given)
        return Executor(booth(config), config.max_output_mb)(program, source)

    yield ran
    assert not {one.pid for one in descendants(_me())} - {_me()}
    assert sorted(path.name for path in source.parent.iterdir()) == ["1_9_answer.xlsx", "1_9_input.xlsx"]
    assert source.read_text() == "the input"


def _me() -> int:
    return int(Path("/proc/self").resolve().name)


def test_a_program_finds_its_paths_and_its_input_under_its_own_name(run: Run) -> None:
    ran = run(f"import os\nassert os.path.basename(INPUT_PATH) == '1_9_input.xlsx'\n{COPY}")
    assert (ran.workbook, ran.error) == (b"the input", "")


def test_a_future_import_and_a_text_of_several_lines_stay_as_they_are(run: Run) -> None:
    """[BUG 9] The program was pasted, indented, into a `try`."""
    program = "from __future__ import annotations\ntext = '''a\nb'''\nopen(OUTPUT_PATH, 'w').write(text)"
    assert run(program).workbook == b"a\nb"


def test_a_program_of_nothing_but_a_comment_runs_and_leaves_no_workbook(run: Run) -> None:
    """[BUG 9]"""
    assert run("# nothing to do").error == "output-not-found"


def test_what_is_main_runs(run: Run) -> None:
    """[BUG 9]"""
    program = """
from dataclasses import dataclass
import shutil
@dataclass
class Copy:
    source: 'str' = INPUT_PATH
def main():
    shutil.copyfile(Copy().source, OUTPUT_PATH)
if __name__ == '__main__':
    main()
"""
    assert run(program).workbook == b"the input"


def test_a_made_up_path_does_not_replace_the_real_one(run: Run) -> None:
    """[BUG 9] A pattern that took such lines out broke others."""
    assert run(f"INPUT_PATH = 'mine.xlsx'\nOUTPUT_PATH: str = (\n    'there.xlsx'\n)\n{COPY}").workbook == b"the input"


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("INPUT_PATH = 'a'\nb = 1", "pass\nb = 1\n"),
        ("INPUT_PATH = 'a'; b = 1", "pass; b = 1\n"),
        ("OUTPUT_PATH = '''a\nb'''; c = 2", "pass\\\n; c = 2\n"),
        ("if not INPUT_PATH:\n    INPUT_PATH = 'a'", "if not INPUT_PATH:\n    INPUT_PATH = 'a'\n"),
        ("INPUT_PATH = INPUT_PATH or 'a'", "INPUT_PATH = INPUT_PATH or 'a'\n"),
        ("INPUT_PATH = OUTPUT_PATH = 'a'", "INPUT_PATH = OUTPUT_PATH = 'a'\n"),
        ("é = 'ü'; INPUT_PATH = 'a'", "é = 'ü'; pass\n"),
        ("no python at all", "no python at all"),
    ],
)
def test_only_a_constant_text_at_the_top_is_taken_out_and_lines_keep_their_numbers(source: str, wanted: str) -> None:
    """[BUG 9]"""
    found = without_own_paths(source)
    assert found == wanted
    assert found.rstrip("\n").count("\n") == source.count("\n")


def test_an_error_is_told_by_its_last_line_and_without_our_frames(run: Run) -> None:
    ran = run("a = 1\n\nraise KeyError('Sheet9')")
    assert ran.error == "exec-error: KeyError: 'Sheet9'"
    assert 'File "solution.py", line 3' in ran.printed
    assert "run_solution" not in ran.printed


def test_what_is_printed_is_told_by_its_end(run: Run) -> None:
    """[BUG 3] The first 3,000 characters were told, and the exception was not among them."""
    ran = run("print('x' * 50_000)\nraise ValueError('the point')")
    assert ran.printed.rstrip().endswith("ValueError: the point")
    assert len(ran.printed) < 3100


def test_no_python_is_told_with_its_place(run: Run) -> None:
    ran = run("def (:\n")
    assert ran.error == "exec-error: SyntaxError: invalid syntax"


def test_a_program_that_is_no_text_ends_with_a_reason(run: Run) -> None:
    assert run("a = 1\0\n").error.startswith("exec-error: ")
    assert run("a = '\ud800'\n" + COPY).workbook == b"the input"


def test_leaving_with_a_code_is_an_error_and_with_none_is_not(run: Run) -> None:
    assert run(f"{COPY}\nraise SystemExit(3)").error == "exec-error: exit code 3"
    assert run(f"{COPY}\nraise SystemExit").workbook == b"the input"


def test_a_program_that_never_ends_is_ended(run: Run) -> None:
    assert run("while True:\n    import time; time.sleep(1)", code_timeout=1).error == "exec-error: not done within 1 s"


def test_a_program_that_only_computes_is_ended(run: Run) -> None:
    assert "processor time" in run("while True: pass", sandbox_cpu_s=1).error


def test_a_child_does_not_outlive_its_program(run: Run) -> None:
    program = f"import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\nelse:\n    pass\n{COPY}"
    assert run(program).workbook == b"the input"


def test_a_fork_bomb_ends_with_a_reason(run: Run) -> None:
    assert run("import os\nwhile True:\n    os.fork()", code_timeout=5).workbook is None


def test_memory_is_bounded(run: Run) -> None:
    assert run("a = bytearray(2 * 1024**3)").error == "exec-error: MemoryError"


def test_there_is_no_network(run: Run) -> None:
    program = "import socket\nsocket.create_connection(('1.1.1.1', 53), timeout=2)"
    assert "Network is unreachable" in run(program).error


def test_there_is_nothing_to_read_but_the_input(run: Run, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    program = f"""
import os, json
seen = [os.path.exists(path) for path in ({str(source)!r}, {str(source.parent)!r}, "/etc/shadow", "/var/log")]
beside = os.listdir(os.path.dirname(INPUT_PATH))
json.dump([seen, beside, "sk-secret" in str(dict(os.environ)), os.path.exists("/etc/passwd")], open(OUTPUT_PATH, "w"))
"""
    assert run(program).workbook == b'[[false, false, false, false], ["1_9_input.xlsx"], false, false]'


def test_the_input_cannot_be_changed(run: Run) -> None:
    assert "OSError" in run("open(INPUT_PATH, 'w').write('x')").error


@pytest.mark.parametrize("target", ["/etc/passwd", "{input}", "nowhere"])
def test_a_link_as_output_is_refused(run: Run, target: str) -> None:
    ran = run(f"import os\nos.symlink({target!r}.replace('{{input}}', INPUT_PATH), OUTPUT_PATH)")
    assert ran.error.startswith("output-refused: output.xlsx is no plain file")


@pytest.mark.parametrize("make", ["os.mkdir(OUTPUT_PATH)", "os.mkfifo(OUTPUT_PATH)"])
def test_a_folder_or_a_pipe_as_output_is_refused(run: Run, make: str) -> None:
    assert run(f"import os\n{make}").error.startswith("output-refused: output.xlsx is no plain file")


def test_an_output_that_is_too_large_is_refused(run: Run) -> None:
    assert run("open(OUTPUT_PATH, 'wb').write(bytes(3 * 1024**2))").error == (
        "output-refused: output.xlsx has 3 MB; at most 2 are taken"
    )


def test_a_run_finds_nothing_of_an_earlier_one(run: Run) -> None:
    assert run(f"{COPY}\nopen('left.txt', 'w').write('x')").workbook
    assert run(f"import os\nassert os.listdir('.') == ['solution.py'], os.listdir('.')\n{COPY}").workbook


def test_a_program_without_confinement_is_run_only_where_that_is_said(source: Path) -> None:
    config = SpreadsheetConfig(sandbox="none")
    assert Executor(booth(config), 2)(COPY, source).workbook == b"the input"
    with pytest.raises(ValueError, match="require_sandbox is true"):
        SpreadsheetConfig(sandbox="none", require_sandbox=True)
