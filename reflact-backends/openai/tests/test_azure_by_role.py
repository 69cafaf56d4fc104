"""Azure's variables for one role: which of them counts, and that the other roles are left alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, ConfigError, Message, Plugins
from reflact.config import Role, resolve
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_openai import OpenAIConfig
from reflact_backend_openai.client import connect
from reflact_backend_openai.endpoint import Endpoint
from reflact_backend_openai.own import SETTINGS, said_of

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))
VALUES = {
    "endpoint": "https://{}.openai.azure.com",
    "api_version": "{}-preview",
    "api_key": "{}",
}


def roles(**model: Any) -> Mapping[Any, Role]:
    given = {"judge": {"backend": "openai_chat"}, **model}
    return resolve({"model": given, "env": {"name": "qa", "data_path": "q.jsonl"}}, plugins=Plugins()).roles


def connected(role: str, environ: Mapping[str, str], **model: Any) -> Endpoint:
    """Return where *role* is connected to under *model* and *environ*, as the engine would have it."""
    found = roles(**model)[role]
    assert isinstance(found.settings, OpenAIConfig)
    return connect(found.settings, said_of(found.name, found.common, environ), environ=environ)


def host(endpoint: Endpoint) -> str:
    return endpoint.base.split("/")[2].partition(".")[0]


@pytest.mark.parametrize(
    ("teachers", "students"), list(product(("TEACHER_AZURE_OPENAI_{}", "AZURE_OPENAI_TEACHER_{}"), repeat=2))
)
def test_two_roles_can_have_an_endpoint_and_a_key_each_by_the_environment_alone(
    teachers: str, students: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    students = students.replace("TEACHER", "STUDENT")
    with FakeModelServer(lambda _: "T", key="key-t") as one, FakeModelServer(lambda _: "S", key="key-s") as two:
        for form, server, key, version in (
            (teachers, one, "key-t", "v1"),
            (students, two, "key-s", "2025-04-01-preview"),
        ):
            monkeypatch.setenv(form.format("ENDPOINT"), server.url)
            monkeypatch.setenv(form.format("API_KEY"), key)
            monkeypatch.setenv(form.format("API_VERSION"), version)
        found = roles(teacher="big", student="small")
        said = {name: _player(found[name]).chat(ASK).text for name in ("teacher", "student", "judge")}
        paths = [[request.path for request in server.requests] for server in (one, two)]
    assert said == {"teacher": "T", "student": "S", "judge": "T"}
    assert paths == [
        ["/openai/v1/chat/completions"] * 2,
        ["/openai/deployments/small/chat/completions?api-version=2025-04-01-preview"],
    ]


def _player(role: Role) -> Any:
    return role.player(role.settings)


@pytest.mark.parametrize("role", ["teacher", "student"])
@pytest.mark.parametrize("setting", VALUES)
def test_the_roles_key_comes_first_then_its_variables_then_the_key_and_the_variable_for_all(
    role: str, setting: str
) -> None:
    part, name = role.upper(), setting.upper()
    places = [
        ("key", f"{role}_azure_openai_{setting}"),
        ("variable", f"{part}_AZURE_OPENAI_{name}"),
        ("variable", f"AZURE_OPENAI_{part}_{name}"),
        ("key", f"azure_openai_{setting}"),
        ("variable", f"AZURE_OPENAI_{name}"),
    ]
    rest = {"azure_openai_endpoint": "https://any.openai.azure.com", "azure_openai_api_key": "any"}
    rest.pop(f"azure_openai_{setting}", None)
    won = []
    for first in range(len(places)):
        given = [(kind, where, VALUES[setting].format(f"p{n}")) for n, (kind, where) in enumerate(places) if n >= first]
        model = {where: value for kind, where, value in given if kind == "key"}
        environ = {where: value for kind, where, value in given if kind == "variable"}
        endpoint = connected(role, environ, **rest, **model)
        told = f"{endpoint.base} {endpoint.query} {endpoint.credentials()['api-key']}"
        won += re.findall(r"\bp\d", told)
    assert won == ["p0", "p1", "p2", "p3", "p4"]


def test_a_key_in_the_roles_own_mapping_is_the_roles_key() -> None:
    environ = {"TEACHER_AZURE_OPENAI_ENDPOINT": "https://variable.openai.azure.com", "AZURE_OPENAI_API_KEY": "k"}
    own = {"model": "m", "azure_openai_endpoint": "https://mapping.openai.azure.com"}
    common = "https://common.openai.azure.com"
    assert host(connected("teacher", environ, teacher=own, azure_openai_endpoint=common)) == "mapping"
    assert host(connected("teacher", environ, azure_openai_endpoint=common)) == "variable"
    assert host(connected("student", environ, teacher=own, azure_openai_endpoint=common)) == "common"


def test_a_judge_has_the_teachers_variables_and_its_own_keys() -> None:
    environ = {"TEACHER_AZURE_OPENAI_ENDPOINT": "https://teacher.openai.azure.com", "AZURE_OPENAI_API_KEY": "k"}
    own = {"backend": "openai_chat", "azure_openai_endpoint": "https://judge.openai.azure.com"}
    assert host(connected("judge", environ)) == "teacher"
    assert host(connected("judge", environ, judge=own)) == "judge"


def test_a_variable_that_is_empty_says_nothing() -> None:
    environ = {
        "TEACHER_AZURE_OPENAI_ENDPOINT": " ",
        "AZURE_OPENAI_TEACHER_ENDPOINT": "",
        "AZURE_OPENAI_ENDPOINT": "https://all.openai.azure.com",
        "AZURE_OPENAI_API_KEY": "k",
    }
    assert host(connected("teacher", environ)) == "all"


def test_an_endpoint_of_the_role_comes_before_an_address_for_all_but_not_before_its_base_url() -> None:
    environ = {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "STUDENT_AZURE_OPENAI_ENDPOINT": "https://student.openai.azure.com",
        "STUDENT_AZURE_OPENAI_API_KEY": "k",
    }
    assert host(connected("student", environ)) == "student"
    assert connected("teacher", environ).base == "http://127.0.0.1:9/v1"
    own = {"model": "m", "base_url": "http://127.0.0.1:8/v1"}
    assert connected("student", environ, student=own).base == "http://127.0.0.1:8/v1"


def test_every_setting_can_be_said_of_a_role() -> None:
    environ = {f"AZURE_OPENAI_STUDENT_{name.upper()}": f"of-{name}" for name in SETTINGS}
    said = said_of("student", frozenset(), environ)
    assert {one.name: one.value for one in said.said} == {name: f"of-{name}" for name in SETTINGS}
    assert said_of("teacher", frozenset(), environ).said == ()


def test_a_role_can_sign_in_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeModelServer(lambda _: "ok") as server:
        monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", server.url)
        monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
        monkeypatch.setenv("STUDENT_AZURE_OPENAI_AUTH_MODE", "compat")
        for role in ("teacher", "student"):
            _player(roles()[role]).chat(ASK)
        sent = [{"api-key", "authorization"} & one.headers.keys() for one in server.requests]
    assert sent == [{"api-key"}, {"authorization"}]


@pytest.mark.parametrize("role", ["teacher", "student", "judge"])
@pytest.mark.parametrize("named", ["", "api_key"])
def test_every_variable_that_a_missing_key_names_would_have_done(role: str, named: str) -> None:
    environ = {"AZURE_OPENAI_ENDPOINT": "https://all.openai.azure.com", "AZURE_OPENAI_AUTH_MODE": named}
    with pytest.raises(ConfigError) as caught:
        connected(role, environ)
    variables = re.findall(r"\b[A-Z_]*AZURE_OPENAI_[A-Z_]+\b", str(caught.value))
    assert len(variables) == 3
    for one in variables:
        assert connected(role, {**environ, one: "sk-own"}).credentials()["api-key"] == "sk-own"


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"AZURE_OPENAI_TEACHER_AUTH_MODE": "ad"}, r"unknown \$AZURE_OPENAI_TEACHER_AUTH_MODE 'ad'\."),
        (
            {"TEACHER_AZURE_OPENAI_ENDPOINT": "http://plain.example", "AZURE_OPENAI_AUTH_MODE": "azure_cli"},
            r"\$TEACHER_AZURE_OPENAI_ENDPOINT: no token of Azure goes to http://plain\.example",
        ),
    ],
)
def test_what_is_wrong_in_a_variable_is_told_with_its_name(environ: Mapping[str, str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        connected("teacher", {"AZURE_OPENAI_ENDPOINT": "https://all.openai.azure.com", **environ})


def test_a_key_that_is_refused_is_named_by_its_variable_and_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    def echo(request: Any) -> FakeReply:
        return FakeReply(status=401, message=f"not with {dict(request.headers)}")

    with FakeModelServer(echo) as server:
        monkeypatch.setenv("AZURE_OPENAI_STUDENT_ENDPOINT", server.url)
        monkeypatch.setenv("STUDENT_AZURE_OPENAI_API_KEY", "sk-students-own-secret")
        with pytest.raises(BackendError, match=r"\$STUDENT_AZURE_OPENAI_API_KEY") as caught:
            _player(roles()["student"]).chat(ASK)
    assert "students-own-secret" not in str(caught.value)


def test_what_is_said_of_a_role_shows_no_value_and_is_equal_when_it_is_the_same() -> None:
    environ = {"TEACHER_AZURE_OPENAI_API_KEY": "sk-secret", "AZURE_OPENAI_STUDENT_API_KEY": "sk-secret"}
    teacher, student = (said_of(role, frozenset(), environ) for role in ("teacher", "student"))
    assert "sk-secret" not in repr(teacher)
    assert teacher == student
    assert len({teacher, student}) == 1
    assert said_of("student", frozenset(), {**environ, "STUDENT_AZURE_OPENAI_API_KEY": "sk-other"}) != teacher
