"""What starting costs, and the other ways to start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "pydantic",
    "yaml",
    "jinja2",
    "rich",
    "asyncio",
    "openai",
    "anthropic",
    "aiohttp",
    "json_repair",
    "platformdirs",
)
ROOT = Path(__file__).parents[2]


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, cwd=cwd)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from reflact_cli.main import main; code = main(['--help']);"
        f"print(code, [name for name in {HEAVY} if name in sys.modules])"
    )
    assert run("-c", code).stdout.splitlines()[-1] == "0 []"


def test_the_module_is_the_command() -> None:
    done = run("-m", "reflact_cli", "--version")
    assert (done.returncode, done.stdout) == (0, "reflact, version 0.1.0\n")


def test_an_error_of_the_module_is_its_exit_code(tmp_path: Path) -> None:
    done = run("-m", "reflact_cli", "status", str(tmp_path))
    assert done.returncode == 5


@pytest.mark.parametrize(
    ("script", "command"),
    [("train.py", "train"), ("eval_only.py", "eval"), ("eval_livemathematicianbench_baseline.py", "eval")],
)
def test_the_scripts_of_old_are_the_commands(script: str, command: str) -> None:
    done = run(str(ROOT / "scripts" / script), "--help")
    assert done.stdout.startswith(f"Usage: reflact {command}")


def test_eval_only_scores_all_splits_unless_one_is_named(tmp_path: Path) -> None:
    tests = Path(__file__).parent
    (tmp_path / "skill.md").write_text("RULE\n")
    names = ("env.name=desks", "model.teacher_backend=coach", "model.student_backend=clerk")
    words = ("--cfg-options", *names, "--skill", "skill.md", "--plugin", str(tests / "plugins" / "desks.py"))
    script = str(ROOT / "scripts" / "eval_only.py")
    assert "all   6/24 (25 %," in run(script, *words, cwd=tmp_path).stdout
    assert "val   2/8 (25 %," in run(script, *words, "--split", "valid_seen", cwd=tmp_path).stdout
