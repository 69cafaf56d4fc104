"""A backend that asks what the environment says of a role is told at every turn; another one is left alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from reflact import BackendSpec, ChatReply, ChatRequest, Plugins, hookimpl
from reflact.config import Config, Role, resolve
from reflact.contracts import Kind
from reflact.engine.calling import all_ways
from reflact.engine.checkup.patients import admit
from world import WorldPlugin

Environment = Mapping[str, str]


class Settings(Config):
    """The section of the backends of these tests."""

    model: str = "m"
    effort: str = ""


class Model:
    """Keeps what it was built with."""

    def __init__(self, *built_with: Any) -> None:
        self.built_with = built_with

    def chat(self, request: ChatRequest) -> ChatReply:
        return ChatReply(text="OK")


class ForChat(Model):
    """What an agent's backend builds for a role that only answers."""


def resolved(environment: Environment, kind: Kind = "chat", *, asks: bool = True, **model: Any) -> Any:
    """Return the world with a backend in both roles for which *environment* says something of each role by name."""

    class Plugin:
        @hookimpl
        def reflact_backends(self) -> list[BackendSpec]:
            spec = BackendSpec(
                name="mine",
                kind=kind,
                config=Settings,
                build=Model,
                chat=ForChat if kind == "exec" else None,
                variables=(lambda role, common: (environment.get(role), common)) if asks else None,
            )
            return [spec]

    plugins = Plugins()
    plugins.register(WorldPlugin())
    plugins.register(Plugin())
    given = {"teacher": {"backend": "mine"}, "student": {"backend": "mine"}, "reasoning_effort": "", **model}
    return resolve({"model": given, "env": {"name": "world"}}, plugins=plugins)


def built_with(role: Role) -> tuple[Any, ...]:
    player: Any = role.player(role.settings)
    return tuple(player.built_with)


def test_a_builder_is_given_what_is_said_of_its_role() -> None:
    roles = resolved({"teacher": "here", "student": "there"}).roles
    given = {name: built_with(roles[name]) for name in ("teacher", "student")}
    assert {name: (settings, said[0]) for name, (settings, said) in given.items()} == {
        "teacher": (Settings(), "here"),
        "student": (Settings(), "there"),
    }


def test_a_builder_that_does_not_ask_gets_its_settings_alone() -> None:
    assert built_with(resolved({"teacher": "here"}, asks=False).roles["teacher"]) == (Settings(),)


def test_an_agent_is_built_for_the_student_and_what_chats_for_the_teacher() -> None:
    roles = resolved({"teacher": "here"}, "exec").roles
    players = {name: role.player(role.settings) for name, role in roles.items()}
    assert {name: type(player) for name, player in players.items()} == {"teacher": ForChat, "student": Model}
    assert built_with(roles["teacher"]) == (Settings(), ("here", frozenset()))


@pytest.mark.parametrize(
    ("teacher", "common"),
    [
        ({"backend": "mine"}, frozenset({"effort"})),
        ({"backend": "mine", "effort": "low"}, frozenset()),
    ],
)
def test_it_is_told_which_settings_came_from_a_key_for_all_roles(teacher: Any, common: frozenset[str]) -> None:
    roles = resolved({}, teacher=teacher, reasoning_effort="high").roles
    assert roles["teacher"].common == common
    assert roles["student"].common == {"effort"}
    assert built_with(roles["teacher"])[1] == (None, common)


def test_roles_of_which_something_else_is_said_are_looked_at_apart() -> None:
    apart = admit(resolved({"teacher": "here", "student": "there"}).roles)
    together = admit(resolved({"teacher": "here", "student": "here"}).roles)
    assert [one.roles for one in apart] == [("teacher",), ("student",)]
    assert [one.roles for one in together] == [("teacher", "student")]


def test_roles_of_which_something_else_is_said_do_not_take_turns_together() -> None:
    apart, _ = all_ways(resolved({"teacher": "here", "student": "there"}), {})
    together, _ = all_ways(resolved({"teacher": "here", "student": "here"}), {})
    assert apart["teacher"].limiter is not apart["student"].limiter
    assert together["teacher"].limiter is together["student"].limiter
