"""What is missing is said before anything is paid for, and what is there is used as it should be."""

from __future__ import annotations

import json
import stat
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ConfigError
from reflact_env_swebench import SWEBenchConfig
from reflact_env_swebench.agent.container import image_of, pull, run_words
from reflact_env_swebench.agent.mini import MISSING, absent
from reflact_env_swebench.environment import inherited, silence
from reflact_env_swebench.equipment import equipment
from reflact_env_swebench.item import gold_of, to_task
from reflact_env_swebench.judge.harness import Harness

RAW: dict[str, Any] = {
    "instance_id": "demo__calc-1",
    "repo": "demo/calc",
    "base_commit": "0" * 40,
    "problem_statement": "add(2, 3) returns -1 instead of 5.",
    "FAIL_TO_PASS": ["t::a"],
}
ENRICHED = {"image": "demo/calc:1", "eval_script": "…", "log_parser": "parse_log_pytest", "eval_type": "pass_and_fail"}


def docker(folder: Path, script: str) -> str:
    """Return a stand-in for the Docker client that does *script*."""
    program = folder / "docker"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def made(raw: dict[str, Any], **settings: Any) -> Any:
    return equipment(SWEBenchConfig(**settings), [(to_task(raw), gold_of(raw))])


def info(**changes: Any) -> str:
    return f"cat <<'END'\n{json.dumps({'ServerVersion': '28', 'DockerRootDir': '/', **changes})}\nEND"


def test_everything_that_is_missing_is_told_at_once(tmp_path: Path) -> None:
    down = docker(tmp_path, "echo '{}'; echo 'Cannot connect to the Docker daemon at unix:///none' >&2; exit 1")
    with pytest.raises(ConfigError) as refused:
        made(RAW, docker=down, harness="/nowhere/evaluate")
    told = str(refused.value)
    assert "the Docker engine cannot be reached (Cannot connect to the Docker daemon at unix:///none)" in told
    assert "DOCKER_HOST" in told and "env.environment_class=local" in told
    assert "env.harness: there is no command '/nowhere/evaluate'" in told
    assert "1 of the items, such as 'demo__calc-1', lack the column 'image'" in told


def test_a_missing_client_is_told_from_an_engine_that_is_down() -> None:
    with pytest.raises(ConfigError, match="there is no command 'no-such-docker'; install Docker"):
        made({**RAW, **ENRICHED}, docker="no-such-docker")


def test_a_missing_evaluation_is_told_with_what_installs_it(tmp_path: Path) -> None:
    if find_spec("swebench") is not None:
        pytest.skip("swebench is installed here")
    with pytest.raises(ConfigError, match=r"pip install \"reflact-env-swebench\[harness\]\""):
        made({**RAW, **ENRICHED}, docker=docker(tmp_path, info()))


def test_a_full_disk_is_told_before_images_are_fetched(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"/ has \d+ GB free.* env.min_free_gb is 999999999"):
        made({**RAW, **ENRICHED}, docker=docker(tmp_path, info()), harness="true", min_free_gb=999_999_999)


def test_with_everything_there_the_official_evaluation_judges(tmp_path: Path) -> None:
    found = made({**RAW, **ENRICHED}, docker=docker(tmp_path, info()), harness="true --flag", min_free_gb=0)
    assert isinstance(found.judge, Harness) and found.local is None
    assert Path(found.judge.command[0]).is_absolute() and found.judge.command[1] == "--flag"


def test_local_work_is_refused_without_repositories(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no repository at .*demo__calc; set env.data_root"):
        made(RAW, environment_class="local", data_root=str(tmp_path))


def test_a_folder_that_is_no_repository_is_told(tmp_path: Path) -> None:
    (tmp_path / "demo__calc").mkdir()
    with pytest.raises(ConfigError, match="is no git repository"):
        made(RAW, environment_class="local", data_root=str(tmp_path))


def test_an_image_is_the_items_own_or_the_benchmarks_name_for_it() -> None:
    assert image_of("a__b-1", {"image": "mine:1"}) == "mine:1"
    assert image_of("Django__django-1", {}) == "docker.io/swebench/sweb.eval.x86_64.django_1776_django-1:latest"


def test_a_container_is_bounded_and_has_no_folder_of_the_machine() -> None:
    words = run_words(SWEBenchConfig(rollout_network=False, container_mem_mb=1000, container_pids=7))
    assert {"--memory", "1000m", "--pids-limit", "7", "--rm"} <= set(words)
    assert words[-2:] == ("--network", "none")
    assert not {"--volume", "-v", "--mount", "--privileged", "--env"} & set(words)
    assert "--network" not in run_words(SWEBenchConfig())


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("[ $1 = pull ] && echo 'write /x: no space left on device' >&2; exit 1", "the disk of Docker is full"),
        ("[ $1 = pull ] && echo 'manifest unknown' >&2; exit 1", "the image cannot be had"),
    ],
)
def test_a_full_disk_is_told_from_an_image_that_is_not_there(tmp_path: Path, script: str, told: str) -> None:
    with pytest.raises(BackendError, match=told):
        pull(SWEBenchConfig(docker=docker(tmp_path, script)), "demo/calc:1")


def test_an_image_that_does_not_arrive_is_given_up(tmp_path: Path) -> None:
    slow = docker(tmp_path, "[ $1 = pull ] && exec sleep 30; exit 1")
    with pytest.raises(BackendError, match=r"did not arrive within 1 s; raise env.pull_timeout"):
        pull(SWEBenchConfig(docker=slow, pull_timeout=1), "demo/calc:1")


def test_an_image_that_is_there_is_not_fetched(tmp_path: Path) -> None:
    pull(SWEBenchConfig(docker=docker(tmp_path, '[ "$1 $2" = "image inspect" ]')), "demo/calc:1")


def test_bug_5_no_key_of_a_model_reaches_a_program_of_the_benchmarks() -> None:
    kept = inherited({"PATH": "/bin", "OPENAI_API_KEY": "sk", "DOCKER_HOST": "tcp://x", "HF_TOKEN": "hf"})
    assert kept == {"PATH": "/bin", "DOCKER_HOST": "tcp://x"}


def test_the_agents_package_is_kept_quiet_and_out_of_the_home() -> None:
    environ = {"MSWEA_SILENT_STARTUP": "yes"}
    silence(environ)
    assert environ["MSWEA_SILENT_STARTUP"] == "yes" and "reflact" in environ["MSWEA_GLOBAL_CONFIG_DIR"]


def test_the_agents_package_is_missing_along_with_the_rest(tmp_path: Path) -> None:
    config = SWEBenchConfig(docker="no-such-docker", harness="true")
    with pytest.raises(ConfigError) as refused:
        equipment(config, [(to_task({**RAW, **ENRICHED}), gold_of({**RAW, **ENRICHED}))], missing=[MISSING])
    assert len(str(refused.value).splitlines()) == 3
    assert 'pip install "reflact-env-swebench[agent]"' in str(refused.value)


def test_the_agents_package_is_found_or_told() -> None:
    assert list(absent()) == ([] if find_spec("minisweagent") else [MISSING])
