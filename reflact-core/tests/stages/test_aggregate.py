"""Merging: which calls are made, what becomes of support, and what happens when the teacher fails."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from importlib.resources import files
from math import ceil

import pytest
from reflact.errors import BackendError
from reflact.llm.ask import Teacher
from reflact.llm.prompts import Prompts
from reflact.modes.patch import Patch
from reflact.stages.aggregate import Strategy, aggregate
from reflact.testing import ScriptedModel
from reflact.types import ChatReply, ChatRequest, Edit, Failure, Proposal, Skill, Source, Usage

PROMPTS = Prompts((files("reflact.prompts") / "default",))
COST = Usage(calls=1, prompt=10, completion=2)
Reply = Callable[[ChatRequest], "str | ChatReply"]


def edit(content: str, name: str, kind: Source = "failure", support: int = 4) -> Edit:
    return Edit(op="append", content=content, sources=(name,), support_count=support, source_type=kind)


def proposal(number: int, kind: Source = "failure", *contents: str) -> Proposal:
    name = f"minibatch_{kind[:4]}_{number:03d}"
    items = tuple(edit(content, name, kind) for content in contents or (f"{kind} rule {number}",))
    return Proposal(name=name, source_type=kind, batch_size=4, items=items, usage=Usage(calls=7))


def failures(count: int) -> list[Proposal]:
    return [proposal(number) for number in range(count)]


def successes(count: int) -> list[Proposal]:
    return [proposal(number, "success") for number in range(count)]


def shown(request: ChatRequest) -> list[tuple[int, str]]:
    """Return the number and text of every item a merge was shown."""
    found = re.findall(r"^\[(\d+)\] append.*?\ncontent:\n```\n(.*?)\n```", request.messages[1].text, re.M | re.S)
    return [(int(number), text) for number, text in found]


def level(request: ChatRequest) -> int:
    found = re.search(r"merge level (\d+)", request.messages[1].text)
    return int(found.group(1)) if found else 0


def template(request: ChatRequest) -> str:
    system = request.messages[0].text
    if "failed tasks, the second from solved" in system:
        return "final"
    return "failure" if "some failed tasks" in system else "success"


def join_all(request: ChatRequest) -> ChatReply:
    """Merge everything shown into one item that names all of it."""
    items = shown(request)
    merged = {"op": "append", "content": " + ".join(text for _, text in items), "sources": [n for n, _ in items]}
    return ChatReply(text=json.dumps({"reasoning": "joined", "edits": [merged]}), usage=COST)


def run(
    proposals: Sequence[Proposal], reply: Reply = join_all, *, size: int = 2, strategy: Strategy = "teacher"
) -> tuple[Proposal, tuple[ChatRequest, ...]]:
    model = ScriptedModel(reply)
    merged = aggregate(
        proposals,
        Skill("the skill"),
        "the memory",
        teacher=Teacher(model=model, prompts=PROMPTS),
        mode=Patch(),
        batch_size=size,
        workers=4,
        strategy=strategy,
    )
    return merged, model.requests


def expected_calls(count: int, size: int) -> int:
    calls = 0
    while count > 1:
        groups = ceil(count / size)
        calls += groups - (count % size == 1)
        count = groups
    return calls


@pytest.mark.parametrize("size", [2, 3, 16])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 7, 16, 17, 33])
def test_a_tree_takes_one_call_for_each_group_of_more_than_one(count: int, size: int) -> None:
    merged, requests = run(failures(count), size=size)
    assert len(requests) == expected_calls(count, size)
    assert merged.usage.calls == len(requests)
    assert len(merged.items) == min(count, 1)
    assert len(set(merged.items[0].sources if merged.items else ())) == count


def test_levels_are_counted_and_pass_on_a_group_of_one() -> None:
    merged, requests = run(failures(5))
    assert [level(one) for one in requests if level(one) > 1] == [2, 3]
    assert merged.items[0].merge_level == 3


def test_one_proposal_is_returned_unchanged_without_a_call() -> None:
    only = failures(1)[0]
    merged, requests = run([only, Proposal(name="empty", source_type="success")])
    assert (merged.items, requests, merged.usage) == (only.items, (), Usage())
    assert merged.items[0].merge_level == 0


def test_nothing_proposed_is_nothing_merged() -> None:
    merged, requests = run([Proposal(name="empty", note="unusable")])
    assert (merged.items, requests) == ((), ())


def test_failures_and_successes_are_kept_apart_until_the_last_merge() -> None:
    merged, requests = run([*failures(2), *successes(2)])
    assert [template(one) for one in requests] == ["failure", "success", "final"]
    assert [text for _, text in shown(requests[2])] == [
        "failure rule 0 + failure rule 1",
        "success rule 0 + success rule 1",
    ]
    assert merged.items[0].merge_level == 2


def test_the_last_merge_is_skipped_when_one_kind_has_nothing() -> None:
    assert [template(one) for one in run(successes(3), size=3)[1]] == ["success"]


def test_the_last_merge_is_asked_even_for_two_lone_proposals() -> None:
    merged, requests = run([*failures(1), *successes(1)])
    assert [template(one) for one in requests] == ["final"]
    assert (merged.items[0].source_type, merged.items[0].support_count) == ("failure", 8)


def test_support_and_kind_are_computed_whatever_the_model_claims() -> None:
    def claim(request: ChatRequest) -> str:
        return json.dumps(
            {"edits": [{"op": "append", "content": "x", "sources": [1], "support_count": 99, "source_type": "success"}]}
        )

    item = run(failures(2), claim)[0].items[0]
    assert (item.sources, item.support_count, item.source_type) == (("minibatch_fail_001",), 4, "failure")


def test_every_item_of_a_group_has_a_number_of_its_own_even_equal_ones() -> None:
    twice = proposal(0, "failure", "same", "same")
    _, requests = run([twice, proposal(1)])
    assert shown(requests[0]) == [(0, "same"), (1, "same"), (2, "failure rule 1")]


def test_the_teacher_sees_skill_memory_counts_and_level() -> None:
    _, requests = run([proposal(0, "failure", "a", "b"), proposal(1)])
    text = requests[0].messages[1].text
    assert all(part in text for part in ("the skill", "the memory", "Group 1: 2 edits", "Group 2: 1 edits", "level 1"))
    assert requests[0].stage == "merge"


def test_an_empty_merge_is_an_answer() -> None:
    merged, requests = run([*failures(2), *successes(1)], lambda _: '{"reasoning": "nothing new", "edits": []}')
    assert [template(one) for one in requests] == ["failure"]
    assert [item.content for item in merged.items] == ["success rule 0"]


def test_a_merge_that_fails_joins_its_group_and_says_so() -> None:
    merged, requests = run(
        [proposal(0, "failure", "a", "b"), proposal(1, "failure", "b", "c")],
        lambda _: ChatReply(text='{"edits": [1, 2]}', usage=COST),
    )
    assert [item.content for item in merged.items] == ["a", "b", "c"]
    assert [item.support_count for item in merged.items] == [4, 8, 4]
    assert merged.note.startswith("merge failed, proposals joined as they are: merge: edits.0")
    assert (len(requests), merged.usage) == (2, COST + COST)


def test_a_failed_merge_is_still_known_after_later_merges_worked() -> None:
    def reply(request: ChatRequest) -> str | ChatReply:
        return "no" if level(request) == 1 and template(request) == "failure" else join_all(request)

    merged, _ = run([*failures(3), *successes(2)], reply)
    assert len(merged.items) == 1
    assert merged.note.startswith("merge failed")


def test_a_last_merge_that_fails_puts_failures_first() -> None:
    merged, _ = run([*successes(1), *failures(1)], lambda _: "no")
    assert [item.content for item in merged.items] == ["failure rule 0", "success rule 0"]
    assert [item.source_type for item in merged.items] == ["failure", "success"]


def test_a_teacher_that_cannot_be_reached_ends_the_merge() -> None:
    def fail(_: ChatRequest) -> str:
        raise BackendError("gone")

    with pytest.raises(BackendError, match="gone"):
        run(failures(2), fail)


def test_the_order_of_replies_changes_nothing() -> None:
    second_came = threading.Event()

    def late_first(request: ChatRequest) -> ChatReply:
        if "failure rule 0\n" in request.messages[1].text and level(request) == 1:
            assert second_came.wait(10)
        elif level(request) == 1:
            second_came.set()
        return join_all(request)

    assert run(failures(4), late_first)[0] == run(failures(4))[0]


def test_failure_patterns_of_all_minibatches_are_carried_along() -> None:
    pattern = Failure(failure_type="unit", count=2)
    habit = Failure(failure_type="brief")
    noted = [
        Proposal(name="a", failures=(pattern,), items=failures(1)[0].items),
        Proposal(name="b", failures=(pattern,)),
        Proposal(name="c", source_type="success", failures=(habit,)),
    ]
    assert run(noted)[0].failures == (pattern, pattern)
    assert run(noted, strategy="concat")[0].failures == (pattern, pattern)


def test_concat_joins_without_a_call_and_adds_support_of_equal_items() -> None:
    proposals = [proposal(0, "failure", "a", "b"), proposal(1, "failure", "b"), proposal(0, "success", "c")]
    merged, requests = run(proposals, strategy="concat")
    assert requests == ()
    assert [(item.content, item.support_count) for item in merged.items] == [("a", 4), ("b", 8), ("c", 4)]
    assert merged.items[1].sources == ("minibatch_fail_000", "minibatch_fail_001")


def test_concat_counts_a_minibatch_once() -> None:
    merged, _ = run([proposal(0, "failure", "a", "a")], strategy="concat")
    assert [(item.content, item.support_count) for item in merged.items] == [("a", 4)]
