"""The chunks of a generation, in the form the server sends them."""

from __future__ import annotations

import pytest
from reflact.errors import BackendError
from reflact_backend_local.stream import Completion, Stream

USAGE = {"prompt_tokens": 31, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 24}}


def piece(text: str | None, finish: str | None = None) -> dict[str, object]:
    return {"choices": [{"finish_reason": finish, "index": 0, "delta": {"content": text}}]}


def test_pieces_become_a_text_with_its_counts():
    stream = Stream(timeout_s=60)
    chunks = [piece(None), piece("Hel"), piece("lo"), piece(None, "stop"), {"choices": [], "usage": USAGE}]
    assert [stream.take(chunk) for chunk in chunks] == [False] * 5
    assert stream.completion() == Completion(text="Hello", finish="stop", prompt=31, cached=24, completion=2)


def test_a_generation_past_its_deadline_is_stopped_and_a_timeout():
    stream = Stream(timeout_s=0)
    assert stream.take(piece("Hel"))
    with pytest.raises(BackendError, match="no complete reply within 0 s") as caught:
        stream.completion()
    assert caught.value.fault == "timeout"


def test_a_reply_that_is_complete_at_its_deadline_counts():
    stream = Stream(timeout_s=0)
    assert not stream.take(piece("Hello", "stop"))
    stream.take({"choices": [], "usage": USAGE})
    assert stream.completion().text == "Hello"


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        ({"type": "exceed_context_size_error", "n_prompt_tokens": 3030, "n_ctx": 2048}, "context"),
        ({"type": "invalid_request_error", "message": "no"}, "bad_request"),
        ({"type": "unavailable_error", "message": "no"}, "unavailable"),
        ({"type": "server_error", "message": "no"}, "protocol"),
    ],
)
def test_what_the_server_refuses_is_classified(error, fault):
    stream = Stream(timeout_s=60)
    stream.take({"error": error})
    with pytest.raises(BackendError) as caught:
        stream.completion()
    assert caught.value.fault == fault


def test_a_prompt_that_is_too_long_is_told_with_both_sizes():
    stream = Stream(timeout_s=60)
    stream.take({"error": {"type": "exceed_context_size_error", "n_prompt_tokens": 3030, "n_ctx": 2048}})
    with pytest.raises(BackendError, match=r"prompt has 3030 tokens, the context holds 2048\. Raise `context`"):
        stream.completion()


def test_a_stream_that_ends_in_the_middle_is_a_protocol_error():
    stream = Stream(timeout_s=60)
    stream.take(piece("Hel"))
    with pytest.raises(BackendError, match="in the middle of a reply") as caught:
        stream.completion()
    assert caught.value.fault == "protocol"
