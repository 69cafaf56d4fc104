from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from reflact.llm.http import Learnt
from reflact.types import ChatReply, Usage

SILENT = ChatReply(text="", finish="length", usage=Usage(calls=1, completion=8))
SPOKEN = ChatReply(text="Lima", usage=Usage(calls=1, completion=9))


@dataclass(frozen=True)
class Words:
    """A dialect: the words a server refused, and whether it needs room."""

    refused: frozenset[str] = frozenset()
    roomy: bool = False

    def roomier(self) -> Words:
        return replace(self, roomy=True)

    def __or__(self, other: Words) -> Words:
        return Words(self.refused | other.refused, self.roomy or other.roomy)


class Server:
    """Says a word only where there is room for it; keeps the dialects it was asked in."""

    def __init__(self) -> None:
        self.asked: list[Words] = []

    def __call__(self, dialect: Words) -> tuple[Words, ChatReply]:
        self.asked.append(dialect)
        return dialect, SPOKEN if dialect.roomy else SILENT


def body(dialect: Words) -> dict[str, bool]:
    return {"roomy": dialect.roomy}


def test_a_reply_that_was_cut_before_its_first_word_is_asked_for_again_with_room_and_both_are_counted() -> None:
    assert Learnt(Words()).reply(Server(), body) == replace(SPOKEN, usage=SILENT.usage + SPOKEN.usage)


def test_room_that_helped_is_there_from_the_start_the_next_time() -> None:
    server, learnt = Server(), Learnt(Words())
    for _ in range(2):
        learnt.reply(server, body)
    assert [one.roomy for one in server.asked] == [False, True, True]


def test_room_that_changes_nothing_is_not_paid_for() -> None:
    server = Server()
    assert Learnt(Words()).reply(server, lambda _: {}) == SILENT
    assert len(server.asked) == 1


def test_room_that_did_not_help_is_forgotten() -> None:
    asked: list[Words] = []
    learnt = Learnt(Words())
    for _ in range(2):
        learnt.reply(lambda dialect: (asked.append(dialect) or dialect, SILENT), body)
    assert [one.roomy for one in asked] == [False, True, False, True]


def test_nothing_that_threads_learn_at_once_is_lost() -> None:
    server, learnt = Server(), Learnt(Words(roomy=True))
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: learnt.add(Words(frozenset({str(n)}))), range(400)))
    learnt.reply(server, body)
    assert len(server.asked[0].refused) == 400
