"""The env contract as a stranger uses it: an installed package, a subclass with a name, nothing else."""

import subprocess
import sys
from pathlib import Path

ENV = '''
"""Capitals: a benchmark in one file."""

from reflact import EnvSpec, Rollout, Task, hookimpl
from reflact.config.schema import Config

FACTS = {"France": "Paris", "Peru": "Lima", "Kenya": "Nairobi", "Japan": "Tokyo", "Chile": "Santiago", "Ghana": "Accra"}
PART = {"train": slice(0, 2), "val": slice(2, 4), "test": slice(4, 6)}


class CapitalsConfig(Config):
    polite: bool = False
    """Say please."""


class Capitals:
    def __init__(self, config: CapitalsConfig) -> None:
        self.ask = "Please name" if config.polite else "Name"

    def tasks(self, split):
        return [Task(id=land, data={"gold": city}) for land, city in list(FACTS.items())[PART[split]]]

    def run(self, task, *, skill, student, workdir):
        answer = student.answer(f"{self.ask} the capital of {task.id}.", skill=skill, workdir=workdir)
        right = float(task.data["gold"].lower() in answer.lower())
        return Rollout(task_id=task.id, hard=right, soft=right, answer=answer, feedback=f"gold: {task.data['gold']}")


@hookimpl
def reflact_envs():
    return [EnvSpec(name="capitals", config=CapitalsConfig, build=Capitals, summary="capitals of countries")]
'''
TEST = """
from reflact.testing import EnvContract


class TestCapitals(EnvContract):
    name = "capitals"
"""


def contract_run(folder: Path, env: str) -> subprocess.CompletedProcess[str]:
    (folder / "reflact_env_capitals.py").write_text(env, encoding="utf-8")
    (folder / "test_capitals.py").write_text(TEST, encoding="utf-8")
    info = folder / "reflact_env_capitals-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: reflact-env-capitals\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[reflact.envs]\ncapitals = reflact_env_capitals\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "test_capitals.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_benchmark_in_one_file_passes_with_a_contract_test_of_two_lines(tmp_path: Path) -> None:
    done = contract_run(tmp_path, ENV)
    assert done.returncode == 0, done.stdout
    assert "11 passed" in done.stdout


def test_an_env_that_shows_its_answers_and_accepts_everything_is_told_so(tmp_path: Path) -> None:
    leaky = ENV.replace('the capital of {task.id}."', "the capital of {task.id}, {task.data['gold']}.\"").replace(
        'right = float(task.data["gold"].lower() in answer.lower())', "right = 1.0"
    )
    leaky = leaky.replace("answer=answer,", 'answer=answer, expected=(task.data["gold"],),')
    done = contract_run(tmp_path, leaky)
    assert done.returncode == 1
    assert "task 'France': the prompt holds data['gold'], the expected answer" in done.stdout
    assert "scores hard 1, soft 1; hard must be 0" in done.stdout
    assert "2 failed, 9 passed" in done.stdout
