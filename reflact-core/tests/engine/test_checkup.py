"""What a check-up finds out, for whom, and at what cost; and what a run does with it."""

from __future__ import annotations

import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, BackendSpec, ConfigError, Plugins, hookimpl
from reflact.config import Config, Resolved, resolve
from reflact.contracts import Finding
from reflact.engine.checkup.examine import Checkup, check_up
from reflact.engine.checkup.patients import PATIENCE_S, admit
from reflact.engine.checkup.preflight import UnfitError
from reflact.engine.checkup.probes import ABILITIES, SCHEMA, png
from reflact.engine.evaluate import evaluate
from reflact.engine.ledger import spent
from reflact.engine.train import train
from reflact.types import ChatReply, ChatRequest, ToolCall, Usage
from world import WorldPlugin, world

Reply = Callable[[ChatRequest], ChatReply]


class Settings(Config):
    """The section of the backends of these tests."""

    model: str = "m"
    timeout_s: float = 900.0
    max_retries: int = 4
    locked: bool = False


class Model:
    """Answers by *reply*, and keeps its settings and the requests for a test to look at."""

    def __init__(self, settings: Settings, reply: Reply) -> None:
        if settings.locked:
            raise ConfigError(f"no key for {settings.model}")
        self.settings = settings
        self.asked: list[ChatRequest] = []
        self._reply = reply

    def chat(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        return self._reply(request)


class Watched(Model):
    """One that can tell how it is without being asked."""

    def examine(self) -> Iterator[Finding]:
        yield Finding(what="login", level="error", told="not signed in; run `login`")


def well(request: ChatRequest) -> ChatReply:
    return ChatReply(text="OK", usage=Usage(calls=1, prompt=3, completion=1))


def failing(fault: Any) -> Reply:
    def reply(request: ChatRequest) -> ChatReply:
        raise BackendError("it failed", fault=fault)

    return reply


def cast(reply: Reply, kind: type[Model] = Model, **roles: Any) -> tuple[Resolved, Plugins]:
    """Return the world with a model of *kind* that answers by *reply* in both roles; *roles* are laid over it."""

    class Plugin:
        @hookimpl
        def reflact_backends(self) -> list[BackendSpec]:
            return [BackendSpec(name="mine", kind="chat", config=Settings, build=lambda one: kind(one, reply))]

    plugins = Plugins()
    plugins.register(WorldPlugin())
    plugins.register(Plugin())
    model = {"teacher": {"backend": "mine"}, "student": {"backend": "mine"}, **roles}
    return resolve({"model": model, "env": {"name": "world"}}, plugins=plugins), plugins


def look(reply: Reply, tmp_path: Path, kind: type[Model] = Model, **wanted: Any) -> Checkup:
    """Return what is found out about the one model that plays both roles."""
    (found,) = check_up(admit(cast(reply, kind)[0].roles), scratch=tmp_path, **wanted)
    return found


def test_a_model_in_two_roles_is_one_patient_and_one_with_other_settings_another() -> None:
    same = admit(cast(well)[0].roles)
    other = admit(cast(well, teacher={"backend": "mine", "model": "large"})[0].roles)
    assert [one.roles for one in same] == [("teacher", "student")]
    assert [(one.roles, one.model_name) for one in other] == [(("teacher",), "large"), (("student",), "m")]


def test_a_model_is_looked_at_with_little_patience() -> None:
    (patient,) = admit(cast(well)[0].roles)
    assert isinstance(patient.model, Model)
    assert (patient.model.settings.timeout_s, patient.model.settings.max_retries) == (PATIENCE_S, 0)
    hasty = {"backend": "mine", "timeout_s": 5}
    (patient,) = admit(cast(well, teacher=hasty, student=hasty)[0].roles)
    assert isinstance(patient.model, Model)
    assert patient.model.settings.timeout_s == 5


def test_a_model_that_is_well_costs_one_call_and_all_of_its_abilities_one_each(tmp_path: Path) -> None:
    brief, thorough = look(well, tmp_path), look(well, tmp_path, thorough=True)
    assert [(one.what, one.level) for one in brief.findings] == [("answer", "good")]
    free = [one.what for one in ABILITIES.values() if not one.dear]
    assert [one.what for one in thorough.findings] == ["answer", SCHEMA.what, *free]
    assert (len(brief.calls), len(thorough.calls)) == (1, 4)
    assert {call.stage for call in thorough.calls} == {"preflight"}


def test_what_a_model_says_of_itself_comes_first_and_an_error_spares_the_call(tmp_path: Path) -> None:
    found = look(well, tmp_path, Watched)
    assert [(one.what, one.level) for one in found.findings] == [("login", "error")]
    assert (str(found.faults[0]), found.calls) == ("login: not signed in; run `login`", ())


@pytest.mark.parametrize(
    ("fault", "level", "calls"),
    [
        ("auth", "error", 1),
        ("quota", "error", 1),
        ("bad_request", "error", 1),
        ("context", "error", 1),
        ("protocol", "error", 1),
        ("timeout", "error", 1),
        ("unavailable", "error", 2),
        ("rate_limit", "warning", 1),
    ],
)
def test_each_fault_of_a_call_has_its_weight(tmp_path: Path, fault: str, level: str, calls: int) -> None:
    found = look(failing(fault), tmp_path, thorough=True)
    assert (found.findings[0].level, len(found.calls)) == (level, calls if level == "error" else 4)
    assert found.calls[0].error == fault
    assert bool(found.faults) == (level == "error")


@pytest.mark.parametrize(
    ("reply", "level"),
    [
        (ChatReply(text="Certainly: OK!"), "good"),
        (ChatReply(text=""), "warning"),
        (ChatReply(text="", finish="length"), "info"),
        (ChatReply(text="No.", finish="refused"), "warning"),
    ],
)
def test_a_reply_that_is_no_ok_is_never_an_error(tmp_path: Path, reply: ChatReply, level: str) -> None:
    assert look(lambda _: reply, tmp_path).findings[0].level == level


def test_what_the_env_needs_is_asked_for_and_missed_by_name(tmp_path: Path) -> None:
    def blind(request: ChatRequest) -> ChatReply:
        if not isinstance(request.messages[0].content, str):
            raise BackendError("images are not supported", fault="bad_request")
        return well(request)

    found = look(blind, tmp_path, needs=frozenset({"images"}))
    assert [(one.what, one.level) for one in found.findings] == [("answer", "good"), ("images", "error")]
    assert "cannot see images, and the env needs it: images are not supported" in str(found.faults[0])


@pytest.mark.parametrize("thorough", [False, True])
def test_a_search_by_the_provider_is_asked_for_once_and_only_where_the_env_needs_it(
    tmp_path: Path, thorough: bool
) -> None:
    searches: list[bool] = []

    def online(request: ChatRequest) -> ChatReply:
        searches.append(bool(request.hosted_tools))
        return replace(well(request), searches=("height of Mont Blanc",) if request.hosted_tools else ())

    look(online, tmp_path, thorough=thorough)
    assert True not in searches
    found = look(online, tmp_path, thorough=thorough, needs=frozenset({"web_search"}))
    assert (found.findings[-1].what, found.findings[-1].level) == ("web search", "good")
    assert searches.count(True) == 1
    assert len(found.calls) == (5 if thorough else 2)


@pytest.mark.parametrize(
    ("fault", "level"), [("bad_request", "error"), ("auth", "error"), ("rate_limit", "warning"), (None, "warning")]
)
def test_a_search_that_is_refused_is_an_error_and_one_that_is_not_made_a_warning(
    tmp_path: Path, fault: Any, level: str
) -> None:
    def offline(request: ChatRequest) -> ChatReply:
        return failing(fault)(request) if request.hosted_tools and fault else well(request)

    found = look(offline, tmp_path, needs=frozenset({"web_search"}))
    assert [(one.what, one.level) for one in found.findings] == [("answer", "good"), ("web search", level)]
    told = ["cannot have its provider search the web, and the env needs it: it failed"] if level == "error" else []
    assert [str(one) for one in found.faults] == told


def test_a_tool_that_is_called_is_told_from_one_that_is_not(tmp_path: Path) -> None:
    call = ToolCall(id="1", name="note", arguments='{"word": "OK"}')
    calls = look(lambda one: ChatReply(text="", tool_calls=(call,) if one.tools else ()), tmp_path, thorough=True)
    talks = look(lambda one: ChatReply(text='<tool_call>{"name": "note"}</tool_call>'), tmp_path, thorough=True)
    levels = [{one.what: one.level for one in found.findings}["tools"] for found in (calls, talks)]
    assert levels == ["good", "warning"]


def test_the_picture_is_a_whole_png_of_one_colour() -> None:
    data = png(3, (220, 20, 20))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (3, 3)
    size = struct.unpack(">I", data[33:37])[0]
    assert zlib.decompress(data[41 : 41 + size]) == (b"\0" + bytes((220, 20, 20)) * 3) * 3


def test_models_are_looked_at_side_by_side(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=10)

    def meeting(request: ChatRequest) -> ChatReply:
        both.wait()
        return well(request)

    resolved, _ = cast(meeting, teacher={"backend": "mine", "model": "large"})
    found = check_up(admit(resolved.roles), scratch=tmp_path)
    assert [one.findings[0].level for one in found] == ["good", "good"]


def test_models_that_cannot_be_built_are_told_together_before_anything_else(tmp_path: Path) -> None:
    locked = {"backend": "mine", "locked": True}
    resolved, plugins = cast(well, teacher={**locked, "model": "large"}, student=locked)
    with pytest.raises(ConfigError) as caught:
        train(resolved, plugins, tmp_path / "run", observers=plugins.observers(), preflight=True)
    assert str(caught.value).splitlines() == ["teacher (mine): no key for large", "student (mine): no key for m"]


def test_a_run_from_python_asks_nobody_first_unless_told_to(tmp_path: Path) -> None:
    resolved, plugins = world()
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    train(resolved, plugins, tmp_path / "plain", observers=silent)
    train(resolved, plugins, tmp_path / "asked", observers=silent, preflight=True)
    stages = [spent(tmp_path / name)["student"]["stages"] for name in ("plain", "asked")]
    assert ["preflight" in one for one in stages] == [False, True]
    assert stages[1]["preflight"]["calls"] == 1


def test_a_run_that_is_refused_was_never_claimed(tmp_path: Path) -> None:
    resolved, plugins = cast(failing("auth"))
    with pytest.raises(BackendError, match=r"^teacher, student \(mine\): it failed$") as caught:
        train(resolved, plugins, tmp_path / "run", observers=plugins.observers(), preflight=True)
    assert caught.value.fault == "auth"
    left = {path.name: path.stat().st_size for path in (tmp_path / "run").iterdir()}
    assert left.keys() <= {".lock", "calls.jsonl"} and not left.get("calls.jsonl")


def test_a_model_that_thinks_before_it_speaks_is_told(tmp_path: Path) -> None:
    def thinking(request: ChatRequest) -> ChatReply:
        return ChatReply(text="OK", usage=Usage(calls=1, completion=41, reasoning=40))

    assert "answers, after 40 tokens of thoughts" in look(thinking, tmp_path).findings[0].told


class StrictJudge(Model):
    """One that nobody may ask when it is to be the judge."""

    def chat(self, request: ChatRequest) -> ChatReply:
        return failing("quota")(request) if self.settings.model == "stern" else super().chat(request)


def judged(kind: type[Model] = Model) -> tuple[Resolved, Plugins]:
    """Return the world with a judge, and with a teacher that cannot even be built."""
    locked = {"backend": "mine", "model": "large", "locked": True}
    resolved, plugins = cast(well, kind, teacher=locked, judge={"backend": "mine", "model": "stern", "locked": False})
    return replace(resolved, env_spec=replace(resolved.env_spec, judge=True)), plugins


def test_an_evaluation_asks_its_student_and_a_judge_where_the_env_has_one_and_no_teacher(tmp_path: Path) -> None:
    with_judge, plugins = judged()
    without = replace(with_judge, env_spec=replace(with_judge.env_spec, judge=False))
    evaluate(with_judge, plugins, tmp_path / "with", skill=None, preflight=True)
    evaluate(without, plugins, tmp_path / "without", skill=None, preflight=True)
    evaluate(with_judge, plugins, tmp_path / "unasked", skill=None)
    asked = [
        {role: entry["stages"].get("preflight", {}).get("calls") for role, entry in spent(tmp_path / name).items()}
        for name in ("with", "without", "unasked")
    ]
    assert asked == [{"judge": 1, "student": 1}, {"student": 1}, {"student": None}]


def test_an_evaluation_that_is_refused_has_no_results_and_no_calls(tmp_path: Path) -> None:
    resolved, plugins = judged(StrictJudge)
    with pytest.raises(UnfitError, match=r"^judge \(mine\): it failed$") as caught:
        evaluate(resolved, plugins, tmp_path, skill=None, preflight=True)
    assert caught.value.fault == "quota"
    left = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert left == {".lock": left[".lock"], "calls.jsonl": 0}


def test_an_evaluation_whose_results_are_there_asks_nobody(tmp_path: Path) -> None:
    resolved, plugins = judged()
    evaluate(resolved, plugins, tmp_path, skill=None)
    before = (tmp_path / "calls.jsonl").read_bytes()
    evaluate(resolved, plugins, tmp_path, skill=None, preflight=True)
    assert (tmp_path / "calls.jsonl").read_bytes() == before
    evaluate(resolved, plugins, tmp_path, skill=None, split="val", preflight=True)
    assert spent(tmp_path)["student"]["stages"]["preflight"]["calls"] == 1
