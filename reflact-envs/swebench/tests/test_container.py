"""Docker work from end to end, with a stand-in for the client that runs commands in a folder of this machine."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, Skill, Task
from reflact.kit.scripted import EchoStudent
from reflact_env_swebench import SWEBench, SWEBenchConfig
from reflact_env_swebench.agent.container import container
from reflact_env_swebench.agent.mini import mini
from reflact_env_swebench.agent.room import MARK
from reflact_env_swebench.repository import git

pytest.importorskip("minisweagent.agents.default", reason="needs mini-swe-agent 2.4 (the extra `agent`)")
CLIENT = """#!/bin/sh
echo "$1 $2 $3" >> "$(dirname "$0")/calls"
case "$1" in
  info) echo '{"ServerVersion": "28", "DockerRootDir": "/"}' ;;
  image) exit 0 ;;
  run) echo c0ffee ;;
  exec) while [ "$1" != bash ]; do shift; done; cd "$(dirname "$0")" && exec "$@" ;;
  *) exit 0 ;;
esac
"""
EVALUATION = """
import json, sys
from pathlib import Path
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
(task_id, one), = json.loads(Path(given["-p"]).read_text()).items()
right = "right" in one["model_patch"]
told = {"resolved_ids": [task_id] if right else [], "infra_failure_ids": [], "failure_reasons": {}}
Path(f"reflact.{given['-id']}.json").write_text(json.dumps(told))
logs = Path("logs/run_evaluation", given["-id"], "reflact", task_id)
logs.mkdir(parents=True)
status = {"FAIL_TO_PASS": {"success": [], "failure": ["t::a"]}, "PASS_TO_PASS": {"success": [], "failure": []}}
report = {"resolved": right, "patch_successfully_applied": True, "tests_status": status}
(logs / "report.json").write_text(json.dumps({task_id: report}))
"""


def program(file: Path, text: str) -> str:
    file.write_text(text)
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, Any]:
    """An environment with everything there."""
    columns = {"image": "demo/calc:1", "eval_script": "…", "log_parser": "parse_log_pytest", "eval_type": "fail_only"}
    common = {"repo": "demo/calc", "base_commit": "0" * 40, "FAIL_TO_PASS": ["t::a"], "patch": "gold", **columns}
    items = [{**common, "instance_id": f"demo__calc-{n}", "problem_statement": f"issue {n}"} for n in range(3)]
    (tmp_path / "items.json").write_text(json.dumps(items))
    (tmp_path / "evaluate.py").write_text(EVALUATION)
    (tmp_path / "client").mkdir()
    return {
        "data_path": str(tmp_path / "items.json"),
        "docker": program(tmp_path / "client" / "docker", CLIENT),
        "harness": f"{sys.executable} {tmp_path / 'evaluate.py'}",
        "min_free_gb": 0,
    }


def calls(settings: dict[str, Any]) -> list[str]:
    return Path(settings["docker"]).with_name("calls").read_text().splitlines()


def submitting(patch: str) -> EchoStudent:
    return EchoStudent(f"```bash\necho {MARK}; echo '{patch}'\n```")


@pytest.mark.parametrize(("patch", "hard"), [("the right one", 1.0), ("another", 0.0)])
def test_the_agent_works_in_a_container_and_the_official_evaluation_judges(
    settings: dict[str, Any], tmp_path: Path, patch: str, hard: float
) -> None:
    env = SWEBench(SWEBenchConfig(**settings))
    task: Task = env.tasks("train")[0]
    rollout = env.run(task, skill=Skill(""), student=submitting(patch), workdir=tmp_path / "work")
    assert (rollout.hard, rollout.outcome, rollout.answer) == (hard, "ok", f"{patch}\n")
    assert [line.split()[0] for line in calls(settings)] == ["info", "image", "run", "exec", "exec", "rm"]
    assert calls(settings)[-1] == "rm --force c0ffee"


def test_a_broken_evaluation_leaves_no_score_and_keeps_the_patch(settings: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "evaluate.py").write_text("raise SystemExit('no engine')")
    env = SWEBench(SWEBenchConfig(**settings))
    rollout = env.run(env.tasks("train")[0], skill=Skill(""), student=submitting("x"), workdir=tmp_path / "work")
    assert (rollout.scored, rollout.outcome, rollout.answer) == (False, "infra_error", "x\n")
    assert "no engine" in (rollout.error or "")
    assert (tmp_path / "work" / "patch.diff").read_text() == "x\n"


def test_a_container_goes_away_when_the_agent_fails(settings: dict[str, Any]) -> None:
    config = SWEBenchConfig(**settings)
    with pytest.raises(KeyError), container(config, "demo/calc:1", mini().container):
        raise KeyError("agent")
    assert calls(settings)[-1] == "rm --force c0ffee"


def test_a_container_that_does_not_start_is_told(settings: dict[str, Any]) -> None:
    refusing = CLIENT.replace("run) echo c0ffee", "run) echo 'no such runtime' >&2; exit 125")
    program(Path(settings["docker"]), refusing)
    with (
        pytest.raises(BackendError, match="no container of demo/calc:1 could be started: no such runtime"),
        container(SWEBenchConfig(**settings), "demo/calc:1", mini().container),
    ):
        pass


def test_commits_from_after_the_issue_are_warned_of(settings: dict[str, Any]) -> None:
    place = Path(settings["docker"]).parent
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    git(place, "init", "--quiet", "--initial-branch=main")
    for name in ("issue", "fix"):
        git(place, *who, "commit", "--quiet", "--allow-empty", "--message", name)
    git(place, "checkout", "--quiet", "--detach", "HEAD~1")
    with (
        pytest.warns(RuntimeWarning, match="demo/calc:1: its repository holds 1 commits from after the issue"),
        container(SWEBenchConfig(**settings), "demo/calc:1", mini().container),
    ):
        pass
