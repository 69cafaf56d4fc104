"""`reflact doctor`: what it looks at, what it says of it, and that it leaves nothing behind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import ToolCall

PLUGINS = Path(__file__).parent / "plugins"
DESKS = PLUGINS / "desks.py"
AGENTS = PLUGINS / "agents.py"
Reflact = Callable[..., Any]


def able(request: FakeRequest) -> FakeReply | str:
    """Be a model that can do everything."""
    if "tools" in request.body:
        return FakeReply(tool_calls=(ToolCall(id="1", name="note", arguments='{"word": "OK"}'),))
    if "response_format" in request.body:
        return '{"word": "OK"}'
    return "red" if "image_url" in json.dumps(request.body) else "OK"


def poor(request: FakeRequest) -> FakeReply | str:
    """Be a model that can answer, on a server that takes nothing else."""
    if "tools" in request.body or "image_url" in json.dumps(request.body):
        return FakeReply(status=400, message="not supported")
    return "OK, here you are."


def rows(out: str) -> dict[str, tuple[str, str]]:
    """Return what -> (level, told)."""
    found = (re.fullmatch(r"  (good|info|warning|error) +(.+?)  +(.+)", line) for line in out.splitlines())
    return {one[2]: (one[1], one[3]) for one in found if one}


@pytest.fixture
def doctor(reflact: Reflact, monkeypatch: pytest.MonkeyPatch) -> Reflact:
    pytest.importorskip("reflact_backend_openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test")

    def run(script: Any, *words: object) -> Any:
        with FakeModelServer(script) as server:
            url = f"model.student.base_url={server.url}/v1"
            return reflact("doctor", "model.student_backend=openai_chat", url, *words)

    return run


def test_a_model_that_can_do_everything_is_well(doctor: Reflact) -> None:
    ran = doctor(able)
    assert ran.code == 0
    assert {what: level for what, (level, _) in rows(ran.out).items()} == dict.fromkeys(
        ["answer", "JSON schema", "tools", "images"], "good"
    )
    assert re.fullmatch(r"gpt-5\.4 answers \(\d+\.\d s\)", rows(ran.out)["answer"][1])
    assert ran.out.splitlines()[0] == "student: gpt-5.4 by openai_chat"
    assert ran.out.splitlines()[-1] == "all is well"


def test_what_a_model_cannot_do_is_no_error_where_no_env_needs_it(doctor: Reflact) -> None:
    ran = doctor(poor)
    assert ran.code == 0
    found = rows(ran.out)
    assert (found["JSON schema"][0], found["tools"][0], found["images"][0]) == ("warning", "info", "info")
    assert found["tools"][1].startswith("cannot call tools: ")


def test_what_an_env_needs_and_the_student_cannot_do_is_an_error(doctor: Reflact) -> None:
    ran = doctor(poor, "env.name=galleries", "model.teacher_backend=coach", "--plugin", AGENTS, "--plugin", DESKS)
    assert (ran.code, rows(ran.out)["images"][0]) == (4, "error")
    assert "cannot see images, and the env needs it" in ran.out


NEWSROOMS = ("env.name=newsrooms", "model.teacher_backend=coach", "--plugin", AGENTS, "--plugin", DESKS)
OFFLINE = FakeReply(status=400, message="Hosted tool 'web_search' is not supported with this model.")
ONLINE = FakeReply(text="OK", searches=("height of Mont Blanc",))


def hosts(request: FakeRequest) -> bool:
    return [one["type"] for one in request.body.get("tools", ())] == ["web_search"]


def test_a_server_that_does_not_search_is_told_where_the_env_needs_it(doctor: Reflact) -> None:
    ran = doctor(lambda request: OFFLINE if hosts(request) else able(request), *NEWSROOMS)
    level, told = rows(ran.out)["web search"]
    assert (ran.code, level) == (4, "error")
    assert told.startswith("cannot have its provider search the web, and the env needs it: openai_chat: 400")
    ran = doctor(lambda request: ONLINE if hosts(request) else able(request), *NEWSROOMS)
    assert (ran.code, rows(ran.out)["web search"]) == (0, ("good", "searches it"))


def test_a_tool_call_in_plain_text_is_explained(doctor: Reflact) -> None:
    ran = doctor(lambda request: '<tool_call>{"name": "note"}</tool_call>')
    level, told = rows(ran.out)["tools"]
    assert (level, "tool parser" in told) == ("warning", True)


def test_only_the_role_that_is_named_is_looked_at(doctor: Reflact, reflact: Reflact) -> None:
    assert "teacher" not in doctor(able).out
    ran = reflact("doctor", "model.optimizer_backend=locked_clerk", "--plugin", DESKS)
    assert (ran.code, "student" in ran.out, "teacher: scripted by locked_clerk" in ran.out) == (4, False, True)


def test_a_configuration_is_looked_at_as_a_whole(reflact: Reflact) -> None:
    ran = reflact("doctor", "desks.yaml", "model.teacher_backend=locked_clerk", "--plugin", DESKS)
    assert ran.code == 4
    assert "teacher: scripted by locked_clerk" in ran.out and "student: scripted by clerk" in ran.out


def test_a_key_is_never_shown_and_its_source_is(doctor: Reflact) -> None:
    ran = doctor(able, "model.student.api_key=sk-very-secret")
    assert "key: model.student.api_key (command line)" in ran.out
    assert "sk-very-secret" not in ran.out + doctor(able, "model.student.api_key=sk-very-secret", "--json").out
    assert "key: $OPENAI_API_KEY (set)" in doctor(able).out


@pytest.fixture
def no_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing in the environment that names OpenAI or a server like it."""
    pytest.importorskip("reflact_backend_openai")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_openai")
def test_azure_in_the_environment_is_told_for_each_role_with_its_variables(
    reflact: Reflact, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeModelServer(able, key="sk-of-all") as one, FakeModelServer(able, key="sk-of-students") as two:
        monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", one.url)
        monkeypatch.setenv("AZURE_OPENAI_API_KEY", "sk-of-all")
        monkeypatch.setenv("STUDENT_AZURE_OPENAI_ENDPOINT", two.url)
        monkeypatch.setenv("AZURE_OPENAI_STUDENT_API_KEY", "sk-of-students")
        monkeypatch.setenv("AZURE_OPENAI_STUDENT_API_VERSION", "2025-04-01-preview")
        ran = reflact("doctor", "model.backend=openai_chat")
        assert (len(one.requests), len(two.requests)) == (4, 4)
    assert [line for line in ran.out.splitlines() if "endpoint" in line or "key" in line] == [
        f"  endpoint: {one.url}/openai/v1 from $AZURE_OPENAI_ENDPOINT",
        "  key: $AZURE_OPENAI_API_KEY (set)",
        f"  endpoint: {two.url}/openai from $STUDENT_AZURE_OPENAI_ENDPOINT",
        "  key: $AZURE_OPENAI_STUDENT_API_KEY (set)",
    ]
    assert (ran.code, "sk-of" in ran.out) == (0, False)


@pytest.mark.usefixtures("no_openai")
@pytest.mark.parametrize(
    ("mode", "key"),
    [
        ("", "  key: $AZURE_OPENAI_API_KEY (not set)"),
        ("azure_cli", "  key: the sign-in of `az login` ($AZURE_OPENAI_AUTH_MODE)"),
        ("magic", None),
    ],
)
def test_azure_without_a_key_is_told_with_what_would_let_calls_in(
    reflact: Reflact, monkeypatch: pytest.MonkeyPatch, mode: str, key: str | None
) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("AZURE_OPENAI_AUTH_MODE", mode)
    ran = reflact("doctor", "model.student_backend=openai_chat")
    assert (ran.code, rows(ran.out)["setup"][0], "OPENAI_API_KEY (" in ran.out) == (4, "error", mode == "")
    assert next((line for line in ran.out.splitlines() if line.startswith("  key: ")), None) == key


@pytest.mark.usefixtures("no_openai")
@pytest.mark.parametrize(
    ("backend", "variable", "path"),
    [("openai_chat", "OPENAI_BASE_URL", "/v1"), ("claude_chat", "ANTHROPIC_BASE_URL", "")],
)
def test_an_endpoint_of_the_environment_is_told_without_the_secrets_in_it(
    reflact: Reflact, monkeypatch: pytest.MonkeyPatch, backend: str, variable: str, path: str
) -> None:
    pytest.importorskip("reflact_backend_anthropic")
    monkeypatch.setenv(variable, f"http://me:sk-hidden@127.0.0.1:9{path}?code=sk-hidden")
    ran = reflact("doctor", f"model.student_backend={backend}")
    assert f"  endpoint: http://127.0.0.1:9{path} from ${variable}" in ran.out.splitlines()
    assert "sk-hidden" not in ran.out


def test_an_endpoint_that_is_configured_is_told_with_its_key(doctor: Reflact) -> None:
    (line,) = [one for one in doctor(able).out.splitlines() if "endpoint" in one]
    assert re.fullmatch(r"  endpoint: http://127\.0\.0\.1:\d+/v1 from model\.student\.base_url \(command line\)", line)
    (chapter,) = json.loads(doctor(able, "--json").out)["chapters"]
    assert chapter["endpoint"].endswith("/v1")
    assert chapter["endpoint_from"] == "model.student.base_url (command line)"


def test_a_script_gets_the_same_as_json(doctor: Reflact) -> None:
    found = json.loads(doctor(poor, "--json").out)
    (chapter,) = found["chapters"]
    assert (found["good"], chapter["roles"], chapter["backend"], chapter["model"]) == (
        True,
        ["student"],
        "openai_chat",
        "gpt-5.4",
    )
    assert [(one["what"], one["level"]) for one in chapter["findings"]] == [
        ("answer", "good"),
        ("JSON schema", "warning"),
        ("tools", "info"),
        ("images", "info"),
    ]


def test_an_agent_that_does_a_small_job_is_well(reflact: Reflact) -> None:
    ran = reflact("doctor", "model.student_backend=busy_exec", "--plugin", AGENTS)
    found = rows(ran.out)
    assert (ran.code, found["version"], found["job"][0]) == (0, ("good", "1.2.3"), "good")
    assert "answers, reads its skill and writes files" in found["job"][1]
    assert [path.name for path in Path().iterdir()] == ["desks.yaml"]


@pytest.mark.parametrize(
    ("agent", "code", "level", "told"),
    [
        ("absent_exec", 4, "error", "no `agent` on the PATH; install it"),
        ("numb_exec", 0, "warning", "word.txt is not there; its sandbox may not let it write"),
        ("silent_exec", 0, "warning", "gave no answer"),
        ("broken_exec", 4, "error", "the endpoint is not there"),
        ("slow_exec", 4, "error", "a small job ended with timeout"),
    ],
)
def test_what_ails_an_agent_is_told(reflact: Reflact, agent: str, code: int, level: str, told: str) -> None:
    ran = reflact("doctor", f"model.student_backend={agent}", "--plugin", AGENTS)
    assert (ran.code, [row for row in rows(ran.out).values() if row[0] == level and told in row[1]] != []) == (
        code,
        True,
    )


def test_an_agent_that_is_not_there_stops_a_run_before_it_begins(train: Reflact) -> None:
    ran = train("model.student_backend=absent_exec", "--plugin", AGENTS)
    assert (ran.code, Path("run").exists()) == (4, False)
    assert ran.err.startswith("student (absent_exec): command: no `agent` on the PATH; install it")


def test_without_anything_the_installation_is_looked_at(reflact: Reflact) -> None:
    ran = reflact("doctor")
    found = rows(ran.out)
    assert ran.code == (3 if "error" in {level for level, _ in found.values()} else 0)
    assert (found["reflact-core"], found["Python"][0]) == (("good", "0.1.0"), "good")
    assert found["update mode patch"] == ("good", "reflact-core 0.1.0")
    assert {"codex", "claude", "bwrap", "docker", "libreoffice"} <= found.keys()
    assert {found[name][0] for name in ("codex", "claude", "bwrap", "docker", "libreoffice")} == {"info"}


def test_a_program_is_told_with_its_place(reflact: Reflact, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = rows(reflact("doctor").out)
    assert found["codex"][1].startswith(str(program))
    assert found["claude"][1].startswith("not found")


def test_a_plugin_that_cannot_be_loaded_is_an_error_and_the_others_are_told(
    reflact: Reflact, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "site" / "sick-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sick\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[reflact.envs]\nsick = no_such_module_at_all\n")
    monkeypatch.syspath_prepend(str(info.parent))
    ran = reflact("doctor")
    assert ran.code == 3
    level, told = rows(ran.out)["env sick"]
    assert (level, "no_such_module_at_all" in told) == ("error", True)
    assert rows(ran.out)["update mode patch"][0] == "good"


def test_a_mistake_in_the_configuration_is_told_as_ever(reflact: Reflact) -> None:
    ran = reflact("doctor", "model.student_backend=clrk", "--plugin", DESKS)
    assert (ran.code, "Did you mean 'clerk'?" in ran.err) == (2, True)
