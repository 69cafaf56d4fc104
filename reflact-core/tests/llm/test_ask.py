"""Asking until there is a usable answer, and what that takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from reflact import BackendError, ChatReply, ChatRequest, Usage
from reflact.llm.ask import NoAnswer, Teacher
from reflact.llm.prompts import Prompts
from reflact.stages.replies import Ranking
from reflact.testing import ScriptedModel

GOOD = '{"reasoning": "so", "selected_indices": [1]}'
COST = Usage(calls=1, prompt=10, completion=5)


def teacher(
    tmp_path: Path, replies: Sequence[str | ChatReply | BackendError], attempts: int = 2
) -> tuple[Teacher, ScriptedModel]:
    (tmp_path / "rank.md.j2").write_text("Rank.\n---user---\n{{ pool }}")
    (tmp_path / "bare.md.j2").write_text("Rank.")
    (tmp_path / "ask_again.md.j2").write_text("Unusable: {{ fault }}")
    left = list(replies)

    def reply(_: ChatRequest) -> ChatReply:
        said = left.pop(0)
        if isinstance(said, BackendError):
            raise said
        return said if isinstance(said, ChatReply) else ChatReply(text=said, usage=COST)

    model = ScriptedModel(reply)
    return Teacher(model=model, prompts=Prompts((tmp_path,)), attempts=attempts), model


def test_a_good_reply_is_returned_with_its_usage(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, [GOOD])
    answer = asking.ask("rank", Ranking, stage="ranking", pool="a b", repeat=3, max_tokens=7, effort="low")
    assert (answer.value.selected_indices, answer.usage) == ([1], COST)
    request = model.requests[0]
    assert [one.text for one in request.messages] == ["Rank.", "a b"]
    assert (request.stage, request.schema_name) == ("ranking", "ranking")
    assert (request.repeat, request.max_tokens, request.effort) == (3, 7, "low")
    assert request.schema and request.schema["required"] == ["reasoning", "selected_indices"]


def test_a_bad_reply_is_asked_about_once_with_its_fault(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, ["no JSON", GOOD])
    answer = asking.ask("rank", Ranking, stage="ranking", pool="a b")
    assert answer.usage == COST + COST
    assert [(one.role, one.text) for one in model.requests[1].messages] == [
        ("system", "Rank."),
        ("user", "a b"),
        ("assistant", "no JSON"),
        ("user", "Unusable: the reply holds no JSON object that can be read"),
    ]


@pytest.mark.parametrize(("template", "first"), [("rank", ["system", "user"]), ("bare", ["user"])])
def test_each_further_attempt_shows_the_last_reply_only(tmp_path: Path, template: str, first: list[str]) -> None:
    asking, model = teacher(tmp_path, ["one", "two", GOOD], attempts=3)
    asking.ask(template, Ranking, stage="ranking", pool="a")
    assert [one.role for one in model.requests[2].messages] == [*first, "assistant", "user"]
    assert model.requests[2].messages[-2].text == "two"


def test_without_a_usable_reply_the_last_fault_and_all_usage_are_told(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, ["no", '{"selected_indices": 3, "reasoning": []}'])
    with pytest.raises(NoAnswer, match=r"ranking: reasoning: input should be a valid string") as caught:
        asking.ask("rank", Ranking, stage="ranking", pool="a")
    assert caught.value.usage == COST + COST
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (ChatReply(text=GOOD, finish="length"), "cut off at the token limit"),
        (ChatReply(text=GOOD, finish="refused"), "refused to answer"),
        (ChatReply(text=""), "no JSON object"),
    ],
)
def test_a_reply_that_was_cut_refused_or_empty_is_asked_again(tmp_path: Path, reply: ChatReply, fault: str) -> None:
    asking, model = teacher(tmp_path, [reply, GOOD])
    assert asking.ask("rank", Ranking, stage="ranking", pool="a").value.selected_indices == [1]
    assert fault in model.requests[1].messages[-1].text


def test_a_long_reply_that_was_cut_is_not_sent_back_whole(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, [ChatReply(text="x" * 90_000, finish="length"), GOOD])
    asking.ask("rank", Ranking, stage="ranking", pool="a")
    assert len(model.requests[1].messages[-2].text) < 1000


def test_an_empty_reply_is_quoted_as_nothing(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, ["", GOOD])
    asking.ask("rank", Ranking, stage="ranking", pool="a")
    assert model.requests[1].messages[-2].text == "(nothing)"


def test_a_check_can_refuse_a_well_formed_reply(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, [GOOD, '{"selected_indices": [0]}'])

    def check(ranking: Ranking) -> str:
        return "" if ranking.selected_indices == [0] else "must be 0"

    assert asking.ask("rank", Ranking, stage="ranking", pool="a", check=check).value.selected_indices == [0]
    assert model.requests[1].messages[-1].text == "Unusable: must be 0"


def test_a_backend_error_is_passed_on(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, ["no", BackendError("gone", fault="unavailable")], attempts=5)
    with pytest.raises(BackendError, match="gone"):
        asking.ask("rank", Ranking, stage="ranking", pool="a")
    assert len(model.requests) == 2


def test_a_call_may_have_more_attempts_than_the_teacher(tmp_path: Path) -> None:
    asking, _ = teacher(tmp_path, ["no", "no", "no", GOOD])
    assert asking.ask("rank", Ranking, stage="ranking", attempts=4, pool="a").usage.calls == 4


def test_a_schema_file_replaces_the_replys_schema(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, [GOOD])
    (tmp_path / "rank.schema.json").write_text('{"type": "object", "title": "mine"}')
    asking.ask("rank", Ranking, stage="ranking", pool="a")
    assert model.requests[0].schema == {"type": "object", "title": "mine"}


def test_braces_in_a_fault_are_inert(tmp_path: Path) -> None:
    asking, model = teacher(tmp_path, [GOOD, GOOD])
    with pytest.raises(NoAnswer):
        asking.ask("rank", Ranking, stage="ranking", pool="a", check=lambda _: "{{ 7 * 7 }}")
    assert model.requests[1].messages[-1].text == "Unusable: {{ 7 * 7 }}"
