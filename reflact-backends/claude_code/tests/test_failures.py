"""What Claude Code, or the machine below it, can do to a job."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from reflact import BackendError, ConfigError, ExecJob
from reflact_backend_claude_code import ClaudeCodeConfig
from reflact_backend_claude_code.agent import ClaudeCodeAgent

Agent = Callable[..., ClaudeCodeAgent]
Job = Callable[..., ExecJob]


def error_of(agent: ClaudeCodeAgent, job: ExecJob) -> BackendError:
    with pytest.raises(BackendError) as caught:
        agent.run(job)
    return caught.value


def test_a_command_that_reads_its_input_to_the_end_does_not_hang(agent: Agent, job: Job) -> None:
    assert agent("start(); end(str(len(sys.stdin.read())))").run(job("x" * 400_000)).answer == "400017"


def test_the_prompt_arrives_byte_for_byte_and_whole(agent: Agent, job: Job) -> None:
    prompt = 'line 1\nline 2 — "quoted" $HOME `date`\r\n\tümläut 🏔'
    body = 'start(); open("got", "wb").write(sys.stdin.buffer.read()); end("ok")'
    result = agent(body).run(job(prompt))
    assert result.workspace is not None
    assert (result.workspace / "got").read_bytes() == f"/reflact-student {prompt}".encode()


def test_a_long_skill_is_in_a_file_and_not_on_the_command_line(agent: Agent, job: Job) -> None:
    body = """
    file = os.environ["CLAUDE_CONFIG_DIR"] + "/skills/reflact-student/SKILL.md"
    start(); end(json.dumps([max(map(len, sys.argv)), len(open(file).read())]))
    """
    longest, skill = json.loads(agent(body).run(job("x" * 200_000, skill="rule\n" * 8000)).answer)
    assert longest < 200 and skill > 40_000


def test_an_error_under_exit_code_0_is_an_error(agent: Agent, job: Job) -> None:
    body = 'start(); reply("half"); end("API Error: 529 overloaded", is_error=True, api_error_status=529)'
    result = agent(body).run(job())
    assert (result.outcome, result.answer, result.usage.completion) == ("infra_error", "", 2)
    assert "529 overloaded" in (result.error or "")


def test_an_error_text_that_poses_as_the_answer_is_an_error(agent: Agent, job: Job) -> None:
    body = 'start(); reply("API Error: Connection lost", model="<synthetic>"); end("API Error: Connection lost")'
    assert agent(body).run(job()).outcome == "infra_error"


def test_an_empty_result_falls_back_to_the_last_thing_said(agent: Agent, job: Job) -> None:
    result = agent('start(); reply("first"); reply("<answer>7</answer>"); end("")').run(job())
    assert (result.outcome, result.answer) == ("ok", "<answer>7</answer>")


def test_an_exit_code_other_than_0_is_an_error_whatever_the_result_says(agent: Agent, job: Job) -> None:
    assert agent('start(); reply("fine"); end("fine", code=3)').run(job()).outcome == "infra_error"


def test_a_flag_that_a_version_lacks_is_left_out_once_for_all_jobs(agent: Agent, job: Job, tmp_path: Path) -> None:
    body = f"""
    open({str(tmp_path / "calls")!r}, "a").write("x")
    if "--max-turns" in sys.argv:
        sys.exit("error: unknown option '--max-turns'")
    start(); end("ok")
    """
    made = agent(body)
    assert [made.run(job()).answer for _ in range(2)] == ["ok", "ok"]
    assert (tmp_path / "calls").read_text() == "xxx"
    assert [one.level for one in made.examine()] == ["good", "warning", "good"]


def test_a_flag_no_job_can_do_without_is_told_before_and_during_a_run(agent: Agent, job: Job) -> None:
    made = agent("sys.stderr.write(\"error: unknown option '--tools'\\n\"); sys.exit(2)")
    error = error_of(made, job())
    assert error.fault == "bad_request"
    assert "--tools" in str(error) and "9.8.7" in str(error)
    assert [(one.what, one.level) for one in made.examine()][-1] == ("command", "error")


def test_a_sandbox_that_cannot_start_is_named(agent: Agent, job: Job) -> None:
    error = error_of(agent('sys.exit("bwrap: setting up uid map: Permission denied")'), job())
    assert "bwrap: setting up uid map" in str(error)


def test_a_lost_login_ends_the_run(agent: Agent, job: Job) -> None:
    error = error_of(agent('start(); end("Not logged in · Please run /login", code=1, is_error=True)'), job())
    assert (error.fault, error.fatal) == ("auth", True)


@pytest.mark.parametrize(
    ("status", "told", "fault"),
    [
        (401, "Failed to authenticate", "auth"),
        (403, "Forbidden", "auth"),
        (400, "Credit balance is too low", "quota"),
        (429, "You have reached your usage limit", "quota"),
        (429, "slow down", "rate_limit"),
        (413, "Request too large", "context"),
        (400, "Prompt is too long", "context"),
        (404, "There's an issue with the selected model", "bad_request"),
        (504, "gateway", "timeout"),
        (529, "overloaded", "unavailable"),
        (None, "Connection to the API was lost (ECONNRESET).", "unavailable"),
        (None, "Request timed out.", "timeout"),
        (None, "API returned an empty or malformed response (HTTP 200)", "protocol"),
    ],
)
def test_what_the_api_says_is_the_fault(agent: Agent, job: Job, status: int | None, told: str, fault: str) -> None:
    usage = {"input_tokens": 0, "output_tokens": 0}
    body = f"start(); end({told!r}, code=1, is_error=True, api_error_status={status!r}, usage={usage!r})"
    error = error_of(agent(body), job())
    assert error.fault == fault
    assert told in str(error)


def test_a_student_without_its_skill_is_not_graded(agent: Agent, job: Job) -> None:
    result = agent('start(skills=["other"]); reply("done"); end("done")').run(job())
    assert result.outcome == "infra_error"
    assert "did not load the skill" in (result.error or "")


def test_home_and_settings_of_the_user_are_not_seen(
    agent: Agent, job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "theirs" / ".claude" / "skills" / "reflact-student"
    theirs.mkdir(parents=True)
    (theirs / "SKILL.md").write_text("not this one")
    monkeypatch.setenv("HOME", str(tmp_path / "theirs"))
    monkeypatch.setenv("MY_OWN_TOKEN", "value-of-my-own")
    body = """
    home, config = os.environ["HOME"], os.environ["CLAUDE_CONFIG_DIR"]
    skill = open(config + "/skills/reflact-student/SKILL.md").read()
    start(); end(json.dumps([os.listdir(home), sorted(os.listdir(config)), skill, dict(os.environ)]))
    """
    result = agent(body).run(job(skill="this one"))
    home, config, skill, environment = json.loads(result.answer)
    assert (home, config) == ([], ["settings.json", "skills"])
    assert "this one" in skill and "not this one" not in skill
    assert "MY_OWN_TOKEN" not in environment


def test_a_timeout_leaves_no_process_and_does_not_wait_for_one(agent: Agent, job: Job) -> None:
    body = """
    import subprocess
    start(); reply("so far")
    subprocess.Popen(["sleep", "613.25"], start_new_session=True)
    time.sleep(600)
    """
    started = time.monotonic()
    result = agent(body).run(job(timeout_s=0.7))
    assert time.monotonic() - started < 10
    assert (result.outcome, result.trace[0]["content"]) == ("timeout", "so far")
    assert "no end within" in (result.error or "")
    assert not [one for one in _command_lines() if "613.25" in one]


def _command_lines() -> list[str]:
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def test_a_command_that_is_nowhere_ends_the_run_before_it_begins() -> None:
    with pytest.raises(ConfigError, match=r"/nowhere/claude.*npm install"):
        ClaudeCodeAgent(ClaudeCodeConfig(path="/nowhere/claude", use_sdk="cli", base_url="http://127.0.0.1:9"))


def test_a_command_that_went_away_is_an_error_that_names_it(agent: Agent, job: Job, tmp_path: Path) -> None:
    made = agent('end("ok")')
    (tmp_path / "bin" / "claude").unlink()
    error = error_of(made, job())
    assert str(tmp_path / "bin" / "claude") in str(error)


def test_a_stream_without_events_shows_the_end_of_what_was_printed(agent: Agent, job: Job) -> None:
    body = 'print("x" * 5000 + " last words"); sys.stderr.write("the reason\\n")'
    told = str(error_of(agent(body), job()))
    assert "the reason" in told and "last words" in told
    assert len(told) < 1600


def test_a_stream_that_breaks_off_is_no_answer(agent: Agent, job: Job) -> None:
    result = agent('start(); reply("<answer>7</answer>")').run(job())
    assert (result.outcome, result.answer) == ("infra_error", "")


def test_path_and_version_of_the_command_are_kept(agent: Agent, job: Job, tmp_path: Path) -> None:
    given = job()
    agent('start(); end("ok")').run(given)
    told = json.loads((given.workdir / "agent_result.json").read_text())
    assert (told["path"], told["version"]) == (str(tmp_path / "bin" / "claude"), "9.8.7")


def test_many_jobs_at_once_are_all_done(agent: Agent, job: Job) -> None:
    made = agent("start(); end(sys.stdin.read())")
    jobs = [job(f"job {n}") for n in range(16)]
    with ThreadPoolExecutor(16) as pool:
        answers = [one.answer for one in pool.map(made.run, jobs)]
    assert answers == [f"/reflact-student job {n}" for n in range(16)]


@pytest.mark.parametrize(
    ("ending", "outcome", "answer"),
    [
        ('end("safeguards flagged this", code=1, is_error=True, stop_reason="refusal")', "refused", ""),
        ('end(None, code=1, is_error=True, subtype="error_max_turns", terminal_reason="max_turns")', "truncated", "so"),
        (
            'end("API Error: Claude\'s response exceeded the 9 output token maximum.", code=1, is_error=True)',
            "truncated",
            "so",
        ),
    ],
)
def test_an_end_that_is_the_students_own_is_an_outcome(
    agent: Agent, job: Job, ending: str, outcome: str, answer: str
) -> None:
    result = agent(f'start(); reply("so"); {ending}').run(job())
    assert (result.outcome, result.answer, result.error) == (outcome, answer, None)


def test_no_words_at_all_are_empty(agent: Agent, job: Job) -> None:
    assert agent('start(); end("")').run(job()).outcome == "empty"


def test_a_key_is_in_nothing_that_is_given_or_kept(
    agent: Agent, job: Job, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    key = "sk-ant-marker-of-the-test"
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    body = """
    told = json.dumps([dict(os.environ), sys.argv])
    open("leak.txt", "w").write(told)
    start(); reply(told); sys.stderr.write(told)
    end("API Error: bad key " + told, code=1, is_error=True, api_error_status=401)
    """
    given = job()
    error = error_of(agent(body), given)
    kept = [file for file in given.workdir.rglob("*") if file.is_file()]
    assert {"leak.txt", "events.jsonl", "claude_raw.txt", "stderr.txt"} <= {file.name for file in kept}
    texts = [str(error), caplog.text, *(file.read_text() for file in kept)]
    assert not [text for text in texts if key in text]


@pytest.mark.parametrize("shift", range(0, 24, 6))
def test_a_message_that_is_cut_short_shows_no_half_of_a_key(agent: Agent, job: Job, shift: int) -> None:
    key = "QWERTZUIOPASDFGHJKLYXCVBNM"
    usage = {"input_tokens": 0, "output_tokens": 0}
    said = f'"x" * {400 - shift} + {key!r} + "y" * 999'
    body = f"start(); end({said}, code=1, is_error=True, api_error_status=500, usage={usage!r})"
    told = str(error_of(agent(body, api_key=key), job()))
    tail = f'sys.stderr.write({key!r} + "z" * {600 - shift}); sys.exit(1)'
    told += str(error_of(agent(tail, api_key=key), job()))
    assert not [piece for piece in (key[:6], key[-6:]) if piece in told]


def test_a_key_that_a_student_finds_all_the_same_is_masked(agent: Agent, job: Job) -> None:
    key = "key-found-on-the-disk"
    body = f'open("found.txt", "w").write({key!r}); start(); reply({key!r}); end({key!r})'
    result = agent(body, api_key=key).run(job())
    kept = "".join(file.read_text() for file in (result.workspace or Path()).parent.rglob("*") if file.is_file())
    assert (result.answer, key in kept, key in repr(result)) == ("***", False, False)
