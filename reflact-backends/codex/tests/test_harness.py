"""What goes wrong around command-line agents, one stand-in each, and what has to come of it."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from reflact import BackendError, ExecJob, Skill, Usage
from reflact_backend_codex import CodexAgent

Job = Callable[..., ExecJob]
Stub = Callable[..., CodexAgent]
KEY = "marker-key-0123456789"
"""The key that stand-ins are given, see `conftest.py`."""


def error_of(call: Callable[[], object]) -> BackendError:
    with pytest.raises(BackendError) as caught:
        call()
    return caught.value


def told(workdir: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((workdir / "agent_result.json").read_text())
    return found


def test_an_answer_comes_with_its_trace_its_usage_and_its_record(stub: Stub, job: Job) -> None:
    agent = stub(
        """
        item(type="command_execution", command="cat task.md", aggregated_output="Do it.", exit_code=0)
        item(type="file_change", changes=[{"kind": "add", "path": "a.txt"}])
        answer("<answer>7</answer>")
        """
    )
    result = agent.run(job())
    assert (result.answer, result.outcome, result.error) == ("<answer>7</answer>", "ok", None)
    assert [step["kind"] for step in result.trace] == ["command", "file_change", "message"]
    assert result.usage == Usage(calls=1, prompt=10, cached=4, completion=3)
    assert "- commands: 1 run, 0 failed" in result.summary
    names = {file.name for file in job().workdir.iterdir()}
    assert {"codex_raw.txt", "codex_trace_summary.txt", "events.jsonl", "agent_result.json", "workspace"} <= names


def test_a_prompt_of_many_lines_and_any_length_arrives_whole_and_names_the_skill(stub: Stub, job: Job) -> None:
    prompt = 'first\nsecond — "third"\n' * 10_000
    agent = stub("pathlib.Path('got').write_text(prompt); answer('ok')")
    result = agent.run(job(prompt=prompt))
    assert result.workspace
    assert (result.workspace / "got").read_text() == f"$reflact-student\n\n{prompt}"


def test_a_grown_skill_lies_in_a_file_and_not_on_the_command_line(stub: Stub, job: Job) -> None:
    skill = "- A rule.\n" * 20_000
    agent = stub("answer(str(max(map(len, sys.argv))))")
    result = agent.run(job(skill=Skill(skill)))
    assert int(result.answer) < 1000
    assert result.workspace
    assert skill.strip() in (result.workspace / ".agents/skills/reflact-student/SKILL.md").read_text()


@pytest.mark.parametrize(
    "body",
    [
        "say(type='turn.failed', error={'message': 'boom: the server is overloaded'})",
        "answer('boom'); sys.stderr.write('boom: overloaded'); sys.exit(1)",
        "say(type='error', message='boom: overloaded'); sys.exit(1)",
        "sys.stderr.write('boom: overloaded'); sys.exit(1)",
    ],
    ids=["failed-with-exit-0", "completed-with-exit-1", "error-only", "words-only"],
)
def test_any_sign_of_an_error_is_an_error_and_never_an_answer(stub: Stub, job: Job, body: str) -> None:
    error = error_of(lambda: stub(body).run(job()))
    assert error.fault == "unavailable"
    assert "boom" in str(error)
    assert told(job().workdir)["outcome"] == "infra_error"


def test_a_flag_this_version_does_not_know_is_not_sent(stub: Stub, job: Job) -> None:
    body = "answer(' '.join(sys.argv[1:]))"
    assert "--ignore-rules" in stub(body).run(job()).answer
    assert "--ignore-rules" not in stub(body, told="--json -s --sandbox -C --cd resume").run(job()).answer


def test_a_flag_that_is_refused_all_the_same_is_told_in_the_programs_own_words(stub: Stub, job: Job) -> None:
    body = "sys.stderr.write(\"error: unexpected argument '--json' found\"); sys.exit(2)"
    error = error_of(lambda: stub(body).run(job()))
    assert error.fault == "bad_request"
    assert "exit code 2: error: unexpected argument '--json' found" in str(error)


@pytest.mark.parametrize(
    ("settings", "mode"),
    [({}, "workspace-write"), ({"sandbox": "read-only"}, "read-only"), ({"full_auto": True}, "workspace-write")],
)
def test_the_sandbox_is_passed_on_and_full_auto_is_not(
    stub: Stub, job: Job, settings: dict[str, object], mode: str
) -> None:
    words = stub("answer(json.dumps(sys.argv))", **settings).run(job()).answer
    assert f'"-s", "{mode}"' in words
    assert "full-auto" not in words


def test_a_sandbox_that_cannot_start_is_no_wrong_answer(stub: Stub, job: Job) -> None:
    body = """
        output = "bwrap: execvp codex-linux-sandbox: No such file or directory"
        item(type="command_execution", command="ls", aggregated_output=output, exit_code=1)
        answer("I could not do anything.")
        """
    error = error_of(lambda: stub(body).run(job()))
    assert "the sandbox does not work here: bwrap: execvp" in str(error)
    assert "codex sandbox -- /bin/true" in str(error)


def test_a_command_that_fails_for_its_own_reasons_is_the_students_affair(stub: Stub, job: Job) -> None:
    body = """
        item(type="command_execution", command="grep -r bwrap: .", aggregated_output="log: bwrap: gone", exit_code=2)
        answer("found it")
        """
    assert stub(body).run(job()).outcome == "ok"


def test_isolation_keeps_the_login_and_hands_a_renewed_one_back(stub: Stub, job: Job, tmp_path: Path) -> None:
    login = tmp_path / "me" / ".codex" / "auth.json"
    login.parent.mkdir(parents=True)
    login.write_text(json.dumps({"tokens": {"access_token": "old-token-0123456789"}}))
    body = """
        home = pathlib.Path(os.environ["CODEX_HOME"])
        old = (home / "auth.json").read_text()
        (home / "auth.json").write_text(old.replace("old", "new"))
        answer(old + "model_provider" * ("model_provider" in (home / "config.toml").read_text()))
        """
    result = stub(body, environ={"SOMETHING": "1"}).run(job())
    assert result.answer == '{"tokens": {"access_token": "***"}}'
    assert json.loads(login.read_text()) == {"tokens": {"access_token": "new-token-0123456789"}}
    assert login.stat().st_mode & 0o077 == 0
    assert not list(job().workdir.glob(".private-*"))


def test_a_codex_that_is_not_logged_in_stops_the_run(stub: Stub, job: Job) -> None:
    error = error_of(lambda: stub("sys.stderr.write('Not logged in'); sys.exit(1)").run(job()))
    assert (error.fault, error.fatal) == ("auth", True)


def test_without_a_key_and_without_a_login_nothing_is_started(stub: Stub, job: Job) -> None:
    error = error_of(lambda: stub("answer('x')", environ={"SOMETHING": "1"}).run(job()))
    assert (error.fault, error.fatal) == ("auth", True)
    assert "codex login" in str(error) and "OPENAI_API_KEY" in str(error)


def test_the_users_own_skills_settings_and_instructions_are_out_of_reach(stub: Stub, job: Job, tmp_path: Path) -> None:
    for name in ("AGENTS.md", "config.toml", "skills/reflact-student/SKILL.md"):
        file = tmp_path / "me" / ".codex" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("MINE")
    body = """
        homes = [pathlib.Path(os.environ[name]) for name in ("HOME", "CODEX_HOME", "TMPDIR")]
        assert not str(homes[1]).startswith(str(homes[2]))
        answer(json.dumps(sorted(str(one.relative_to(home)) for home in homes for one in home.rglob("*"))))
        """
    assert json.loads(stub(body).run(job()).answer) == ["config.toml"]


def test_a_timeout_ends_everything_that_was_started(stub: Stub, job: Job) -> None:
    seconds = f"71.{time.time_ns() % 10**9:09d}"
    body = f"""
        item(type="command_execution", command="sleep", aggregated_output="", exit_code=0)
        subprocess.Popen(["/usr/bin/setsid", "/bin/sleep", "{seconds}"])
        time.sleep(60)
        """
    result = stub(body).run(job(timeout_s=1.0))
    assert (result.outcome, result.answer) == ("timeout", "")
    assert "no answer within 1 s" in (result.error or "")
    assert [step["kind"] for step in result.trace] == ["command", "error"]
    assert not subprocess.run(["pgrep", "-f", f"sleep {seconds}"], capture_output=True, check=False).stdout


def test_a_program_that_is_not_there_is_named_with_what_to_do(stub: Stub, job: Job) -> None:
    error = error_of(lambda: stub("", path="codex-of-another-name").run(job()))
    assert error.fault == "bad_request"
    assert "no command 'codex-of-another-name'" in str(error) and "npm install -g @openai/codex" in str(error)


@pytest.mark.parametrize("words", ["out of nowhere", ""])
def test_a_stream_without_an_end_keeps_the_last_words(stub: Stub, job: Job, words: str) -> None:
    error = error_of(lambda: stub(f"sys.stderr.write({words!r})").run(job()))
    assert error.fault == "protocol"
    assert (words or "thread.started") in str(error)
    assert words in (job().workdir / "stderr.txt").read_text()


def test_the_program_that_was_used_is_on_record(stub: Stub, job: Job, tmp_path: Path) -> None:
    stub("answer('ok')").run(job())
    assert told(job().workdir)["path"] == str(tmp_path / "bin" / "codex")
    assert told(job().workdir)["version"] == "0.171.0"


def test_sixteen_at_once_all_end(stub: Stub, job: Job) -> None:
    agent = stub("answer(prompt[-3:])")
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda n: agent.run(job(f"job{n}", prompt=f"{n:03d}")), range(16)))
    assert [one.answer for one in results] == [f"{n:03d}" for n in range(16)]


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("item(type='agent_message', text=''); say(type='turn.completed', usage={})", "empty"),
        ("say(type='turn.completed', usage={})", "refused"),
        (
            "item(type='agent_message', text='hal'); say(type='turn.failed', error={'message': 'Incomplete response "
            "returned, reason: max_output_tokens'}); sys.exit(1)",
            "truncated",
        ),
        (
            "say(type='turn.failed', error={'message': 'Incomplete response returned, reason: content_filter'}); "
            "sys.exit(1)",
            "refused",
        ),
    ],
)
def test_what_the_model_did_not_say_is_an_outcome_and_no_error(stub: Stub, job: Job, body: str, outcome: str) -> None:
    assert stub(body).run(job()).outcome == outcome


def test_what_was_said_before_the_work_is_no_answer(stub: Stub, job: Job) -> None:
    body = """
        item(type="agent_message", text="I will look.")
        item(type="command_execution", command="ls", aggregated_output="", exit_code=0)
        say(type="turn.completed", usage={})
        """
    assert stub(body).run(job()).answer == ""


def test_no_key_is_in_the_arguments_the_files_or_the_answer(stub: Stub, job: Job) -> None:
    body = """
        pathlib.Path("leak").write_text(json.dumps(dict(os.environ)))
        item(type="command_execution", command="env", aggregated_output=json.dumps(dict(os.environ)), exit_code=0)
        answer(json.dumps([sys.argv, sorted(name for name, text in os.environ.items() if "marker-key" in text)]))
        """
    result = stub(body).run(job())
    assert json.loads(result.answer)[1] == ["REFLACT_CODEX_KEY"]
    assert KEY not in str(result)
    assert not [file for file in job().workdir.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


def test_no_key_is_in_an_error(stub: Stub, job: Job) -> None:
    body = "sys.stderr.write('401 bad key ' + os.environ['REFLACT_CODEX_KEY']); sys.exit(1)"
    error = error_of(lambda: stub(body).run(job()))
    assert error.fatal and KEY not in str(error)
    assert not [file for file in job().workdir.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


def test_an_environment_of_ours_reaches_codex_only_by_name(
    stub: Stub, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAK_ME", "x")
    environ = {"OPENAI_API_KEY": KEY, "AWS_SECRET": "hidden-0123", "AZURE_CONFIG_DIR": "/azure"}
    agent = stub("answer(' '.join(sorted(os.environ)))", environ=environ, pass_env=("AZURE_CONFIG_DIR",))
    found = agent.run(job()).answer.split()
    assert "AZURE_CONFIG_DIR" in found and "REFLACT_CODEX_KEY" in found
    assert not {"LEAK_ME", "AWS_SECRET", "OPENAI_API_KEY"} & set(found)


def test_an_unknown_profile_is_not_passed_over_in_silence(stub: Stub, job: Job) -> None:
    error = error_of(lambda: stub("answer('x')", profile="mine").run(job()))
    assert "profile 'mine'" in str(error) and "mine.config.toml is not there" in str(error)
