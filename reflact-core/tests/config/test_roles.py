"""Who plays the roles, however it is spelled and wherever it is said."""

from collections.abc import Callable
from importlib.metadata import distribution
from typing import Any

import pytest
from reflact.config import Resolved, resolve
from reflact.errors import ConfigError
from reflact.plugins import Plugins

Given = Callable[..., Resolved]
Faults = Callable[..., list[str]]
Loaded = Callable[..., Resolved]

ENV = "env: {name: capitals}\n"
SHIPPED = """
model:
  teacher: gpt-5.4
  student: gpt-5.4
  teacher_backend: openai_chat
  student_backend: openai_chat
  reasoning_effort: medium
  codex_exec_path: codex
"""


def played(found: Resolved) -> tuple[str, str]:
    return found.roles["teacher"].backend, found.roles["student"].backend


def settings(found: Resolved, role: Any) -> dict[str, Any]:
    return found.roles[role].settings.model_dump()


def test_flat_and_nested_spellings_are_equal(given: Given) -> None:
    flat = given(model={"student": "gpt-9", "student_backend": "codex_exec", "codex_exec_path": "/bin/codex"})
    nested = given(model={"student": {"backend": "codex_exec", "model": "gpt-9", "path": "/bin/codex"}})
    assert flat.roles == nested.roles
    assert flat.warnings == nested.warnings == ()


def test_optimizer_and_target_are_the_teacher_and_the_student(given: Given) -> None:
    found = given(model={"optimizer": "a", "target_model": "b", "target_backend": "claude_chat"})
    assert (found.run.model.teacher, found.run.model.student) == ("a", "b")
    assert played(found) == ("openai_chat", "claude_chat")


def test_one_key_in_two_spellings_is_a_fault_unless_they_agree(given: Given, faults: Faults) -> None:
    (line,) = faults(model={"teacher_backend": "claude_chat", "teacher": {"backend": "openai_chat"}})
    assert line == "given: model.teacher.backend is given as model.teacher_backend too (given); keep one"
    assert played(given(model={"teacher_backend": "claude_chat", "teacher": {"backend": "claude_chat"}}))


def test_a_setting_the_backend_does_not_have_is_refused(faults: Faults) -> None:
    (line,) = faults(model={"student": {"backend": "codex_exec", "sandbx": "read-only"}})
    assert line == "given: unknown key 'model.student.sandbx'. Did you mean 'model.student.sandbox'?"


def test_the_shared_effort_reaches_chat_models_that_have_one(given: Given) -> None:
    found = given(model={"reasoning_effort": "high", "student_backend": "codex_exec"})
    assert settings(found, "teacher")["effort"] == "high"
    assert settings(found, "student")["effort"] == "none"
    assert given(model={"teacher_backend": "claude_chat"}).roles["teacher"].backend == "claude_chat"


def test_an_effort_the_backend_does_not_know_is_blamed_on_the_shared_key(faults: Faults) -> None:
    lines = faults(model={"reasoning_effort": "banana"})
    assert lines == [
        "given: model.reasoning_effort: input should be '', 'low', 'medium' or 'high' (got 'banana')",
    ]


def test_a_roles_own_setting_beats_the_shared_one(given: Given) -> None:
    found = given(model={"reasoning_effort": "high", "student": {"effort": "low"}})
    assert (settings(found, "teacher")["effort"], settings(found, "student")["effort"]) == ("high", "low")


def test_azure_keys_reach_both_roles_or_one(given: Given) -> None:
    found = given(model={"azure_openai_endpoint": "https://a", "student_azure_openai_endpoint": "https://b"})
    assert settings(found, "teacher")["azure_endpoint"] == "https://a"
    assert settings(found, "student")["azure_endpoint"] == "https://b"


def test_a_shared_key_that_reaches_no_role_is_warned_about(given: Given) -> None:
    found = given(model={"codex_exec_sandbox": "read-only", "codex_exec_path": "codex"})
    assert found.warnings == ("given: model.codex_exec_sandbox has no effect: no role's backend has such a setting",)


def test_a_wrong_value_of_a_shared_key_is_found_though_no_role_uses_it(faults: Faults) -> None:
    (line,) = faults(model={"codex_exec_sandbox": "open"})
    assert line.startswith("given: model.codex_exec_sandbox: input should be 'read-only'")


def test_qwen_chat_is_a_local_openai_server(given: Given) -> None:
    found = given(
        model={"student_backend": "qwen_chat", "qwen_chat_temperature": 0.5, "qwen_chat_enable_thinking": False}
    )
    assert found.roles["student"].backend == "openai_chat"
    assert settings(found, "student") == {
        "model": "Qwen/Qwen3.5-4B",
        "effort": "",
        "base_url": "http://localhost:8000/v1",
        "api_key": None,
        "azure_endpoint": "",
        "azure_api_version": "",
        "temperature": 0.5,
        "timeout_s": 60.0,
        "thinking": "off",
    }
    assert settings(found, "teacher")["base_url"] == ""


def test_qwen_settings_may_differ_by_role(given: Given) -> None:
    found = given(
        model={
            "student_backend": "qwen",
            "teacher_backend": "qwen",
            "qwen_chat_base_url": "http://a/v1",
            "student_qwen_chat_base_url": "http://b/v1",
        }
    )
    assert (settings(found, "teacher")["base_url"], settings(found, "student")["base_url"]) == (
        "http://a/v1",
        "http://b/v1",
    )


def test_a_role_on_another_backend_gets_that_backends_model(given: Given) -> None:
    found = given(model={"student_backend": "codex_exec", "teacher_backend": "claude_chat"})
    assert (found.run.model.teacher, found.run.model.student) == ("claude-sonnet-4-6", "gpt-5.4-codex")


def test_a_default_model_the_user_wrote_is_kept(given: Given) -> None:
    assert given(model={"student_backend": "codex_exec", "student": "gpt-5.4"}).run.model.student == "gpt-5.4"


def test_an_untouched_model_of_the_base_file_gives_way(loaded: Loaded) -> None:
    found = loaded("_base_: base.yaml\n" + ENV + "model: {student_backend: codex_exec}", base=SHIPPED)
    assert found.run.model.student == "gpt-5.4-codex"


def test_a_model_given_without_a_backend_moves_with_the_role(loaded: Loaded) -> None:
    found = loaded("_base_: base.yaml\n" + ENV + "model: {teacher: opus}", "model.teacher_backend=claude", base=SHIPPED)
    assert found.run.model.teacher == "opus"


def test_settings_given_with_the_old_backend_stay_behind(loaded: Loaded) -> None:
    text = ENV + "model: {student: {backend: openai_chat, model: mine, base_url: 'http://a/v1', timeout_s: 5}}"
    found = loaded(text, "model.student.backend=claude_chat")
    assert settings(found, "student") == {"model": "claude-sonnet-4-6", "timeout_s": 60.0}


def test_a_lower_setting_that_does_not_fit_the_new_backend_is_idle(loaded: Loaded, tmp_path: Any) -> None:
    found = loaded(ENV + "model: {student: {effort: low, timeout_s: 5}}", "model.student.backend=claude_chat")
    assert settings(found, "student")["timeout_s"] == 5
    place = f"{tmp_path}/run.yaml:2"
    assert found.warnings == (f"{place}: model.student.effort has no effect: claude_chat has no such setting",)


@pytest.mark.parametrize(
    ("label", "pair"),
    [
        ("azure_openai", ("openai_chat", "openai_chat")),
        ("openai_chat", ("openai_chat", "openai_chat")),
        ("openai", ("openai_chat", "openai_chat")),
        ("azure", ("openai_chat", "openai_chat")),
        ("azure-openai", ("openai_chat", "openai_chat")),
        (" Azure ", ("openai_chat", "openai_chat")),
        ("claude", ("claude_chat", "claude_chat")),
        ("claude_chat", ("claude_chat", "claude_chat")),
        ("Anthropic", ("claude_chat", "claude_chat")),
        ("codex", ("openai_chat", "codex_exec")),
        ("codex_exec", ("openai_chat", "codex_exec")),
        ("qwen", ("openai_chat", "openai_chat")),
        ("qwen_chat", ("openai_chat", "openai_chat")),
    ],
)
def test_the_legacy_backend_sets_both_roles_above_the_base_file(
    loaded: Loaded, label: str, pair: tuple[str, str]
) -> None:
    found = loaded("_base_: base.yaml\n" + ENV, flags={"backend": label}, base=SHIPPED)
    assert played(found) == pair
    assert len(found.warnings) == 1


def test_the_legacy_backend_in_a_file_beats_the_base_file(loaded: Loaded) -> None:
    found = loaded("_base_: base.yaml\n" + ENV + "model: {backend: codex}", base=SHIPPED)
    assert played(found) == ("openai_chat", "codex_exec")
    assert found.run.model.student == "gpt-5.4-codex"


@pytest.mark.parametrize("explicit", [{"student_backend": "claude_chat"}, {"student": {"backend": "claude_chat"}}])
def test_an_explicit_backend_in_the_same_layer_beats_the_legacy_one(given: Given, explicit: dict[str, Any]) -> None:
    assert played(given(model={"backend": "codex", **explicit})) == ("openai_chat", "claude_chat")


def test_an_explicit_backend_on_the_command_line_beats_the_legacy_flag(loaded: Loaded) -> None:
    found = loaded(
        "_base_: base.yaml\n" + ENV, "model.teacher_backend=openai_chat", flags={"backend": "claude"}, base=SHIPPED
    )
    assert played(found) == ("openai_chat", "claude_chat")


def test_the_legacy_backend_on_the_command_line_beats_an_explicit_one_in_the_file(loaded: Loaded) -> None:
    found = loaded(ENV + "model: {student_backend: codex_exec}", "model.backend=claude")
    assert played(found) == ("claude_chat", "claude_chat")


def test_an_unknown_legacy_backend_is_a_fault(faults: Faults) -> None:
    (line,) = faults(model={"backend": "codexx"})
    assert line == "given: model.backend: unknown backend 'codexx'. Did you mean 'codex'?"


def test_an_unknown_backend_is_named_with_the_nearest(faults: Faults) -> None:
    (line,) = faults(model={"student_backend": "claud_chat"})
    assert line == "given: model.student_backend: unknown backend 'claud_chat'. Did you mean 'claude_chat'?"


def test_a_known_backend_that_is_not_installed_is_said_to_be_so(faults: Faults) -> None:
    (line,) = faults(model={"student_backend": "claude_code"})
    assert line == (
        "given: model.student_backend: backend 'claude_code_exec' is not installed: pip install "
        "reflact-backend-claude-code; installed: claude_chat, codex_exec, openai_chat, pair_exec, tiny_chat"
    )


def test_a_backend_that_is_no_name_is_refused_once(faults: Faults) -> None:
    (line,) = faults(model={"student_backend": ["openai_chat"]})
    assert line.startswith("given: model.student_backend: input should be a valid string")


def test_a_backend_that_cannot_play_the_role_is_refused(faults: Faults) -> None:
    (line,) = faults(model={"teacher_backend": "tiny_chat"})
    assert line == (
        "given: model.teacher_backend: 'tiny_chat' cannot be the teacher; use one of: "
        "claude_chat, openai_chat, pair_exec"
    )


def test_an_env_that_talks_to_its_student_takes_no_agent(faults: Faults) -> None:
    (line,) = faults(env={"name": "talks"}, model={"student_backend": "codex_exec"})
    assert line == (
        "given: model.student_backend: env 'talks' takes no exec student; use one of: "
        "claude_chat, openai_chat, tiny_chat"
    )


def test_an_env_may_take_an_agent_under_some_settings_only(faults: Faults, given: Given) -> None:
    agent = {"student_backend": "codex_exec"}
    assert faults(env={"name": "picky", "polite": True}, model=agent) == ["env.polite: an agent is not asked kindly"]
    assert given(env={"name": "picky", "polite": False}, model=agent).roles["student"].backend == "codex_exec"
    assert given(env={"name": "picky", "polite": True}).roles["student"].backend == "openai_chat"


def test_the_judge_is_the_teacher_unless_said_otherwise(given: Given) -> None:
    teacher = {"model": "gpt-9", "effort": "low"}
    found = given(env={"name": "judged"}, model={"teacher": teacher})
    assert found.roles["judge"].settings == found.roles["teacher"].settings
    found = given(env={"name": "judged"}, model={"teacher": teacher, "judge": "cheap"})
    assert settings(found, "judge") == settings(found, "teacher") | {"model": "cheap"}


def test_a_judge_on_another_backend_takes_nothing_from_the_teacher(given: Given) -> None:
    found = given(model={"teacher": {"model": "gpt-9", "timeout_s": 5}, "judge_backend": "claude_chat"})
    assert settings(found, "judge") == {"model": "claude-sonnet-4-6", "timeout_s": 60.0}


def test_there_is_no_judge_where_none_is_needed(given: Given) -> None:
    assert set(given().roles) == {"teacher", "student"}


def test_whether_a_judge_is_needed_may_depend_on_the_configuration(given: Given) -> None:
    strict, kind = given(env={"name": "strict"}), given(env={"name": "strict", "polite": True})
    assert (strict.judged, "judge" in strict.roles) == (True, True)
    assert (kind.judged, "judge" in kind.roles) == (False, False)


def test_a_faulty_env_of_that_sort_is_told_by_its_own_fault_alone(faults: Faults) -> None:
    (line,) = faults(env={"name": "strict", "polite": "maybe"})
    assert "env.polite" in line


def test_a_student_whose_provider_runs_no_tool_is_told_who_does(given: Given, faults: Faults) -> None:
    (line,) = faults(env={"name": "surfing"}, model={"student_backend": "claude_chat"})
    assert line == (
        "model.student_backend: env 'surfing' as configured needs a student whose provider has a 'web_search' of its "
        "own, and 'claude_chat' has none; use one of: openai_chat"
    )
    assert given(env={"name": "surfing"}).needs == {"web_search"}


def test_a_provider_that_runs_a_tool_under_other_settings_says_which(faults: Faults) -> None:
    (line,) = faults(env={"name": "surfing"}, model={"student": {"effort": "low"}})
    assert line.endswith("of its own: model.student.effort: no web_search is made at low effort")


def test_what_an_agent_can_do_is_not_asked_of_its_provider(given: Given) -> None:
    assert given(env={"name": "surfing"}, model={"student_backend": "codex_exec"}).roles["student"].spec.kind == "exec"


@pytest.mark.parametrize("role", ["teacher", "judge"])
def test_an_agent_that_can_also_chat_may_be_teacher_or_judge(given: Given, role: Any) -> None:
    found = given(env={"name": "judged"}, model={f"{role}_backend": "pair_exec"})
    assert (found.roles[role].backend, found.roles[role].spec.kind) == ("pair_exec", "exec")


def test_a_judge_who_cannot_be_one_is_told_who_can(faults: Faults) -> None:
    (line,) = faults(env={"name": "judged"}, model={"judge_backend": "codex_exec"})
    assert line == (
        "given: model.judge_backend: 'codex_exec' is a command-line agent and cannot be the judge; use one of: "
        "claude_chat, openai_chat, pair_exec"
    )


@pytest.mark.parametrize(
    ("label", "package"),
    [
        ("openai_chat", "reflact-backend-openai"),
        ("qwen", "reflact-backend-openai"),
        ("azure", "reflact-backend-openai"),
        ("claude", "reflact-backend-anthropic"),
        ("codex", "reflact-backend-codex"),
        ("claude_code", "reflact-backend-claude-code"),
        ("local_chat", "reflact-backend-local"),
    ],
)
def test_a_backend_that_is_known_but_not_installed_comes_with_its_pip_line(label: str, package: str) -> None:
    with pytest.raises(ConfigError, match=f"is not installed: pip install {package}; installed: none"):
        resolve({"model": {"student_backend": label}}, plugins=Plugins([distribution("reflact-core")]))


@pytest.mark.parametrize("empty", ["", "  ", {"model": ""}, {"model": " "}, {"model": None}])
@pytest.mark.parametrize("role", ["teacher", "student"])
def test_an_empty_name_of_a_model_is_a_fault_that_names_the_role(faults: Faults, role: str, empty: Any) -> None:
    (line,) = (one for one in faults(model={role: empty}) if "has no name" in one)
    assert f"the {role}'s model has no name; name one, or leave the key out" in line


def test_an_empty_judge_is_the_teacher(given: Given) -> None:
    found = given(env={"name": "judged"}, model={"teacher": "gpt-9", "judge": "", "judge_backend": ""})
    assert settings(found, "judge")["model"] == "gpt-9"
    assert "judge" not in given(model={"judge": ""}).roles


def test_an_empty_backend_is_the_default_one(given: Given) -> None:
    assert played(given(model={"teacher_backend": "", "student_backend": "codex"})) == ("openai_chat", "codex_exec")
