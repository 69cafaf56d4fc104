import logging
from datetime import UTC, datetime
from math import inf, nan

import pytest
from reflact import ChatReply
from reflact.errors import BackendFault
from reflact.llm.complaints import redactor
from reflact.llm.http import (
    Complaint,
    Reporter,
    added,
    address,
    complaint_in,
    count,
    dollars,
    fault_of,
    is_loopback,
    proxy_for,
    retry_after_s,
    roomier,
    said_nothing,
    without_queries,
)
from reflact.types import Usage

NOW = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000", True),
        ("http://localhost", True),
        ("http://10.0.0.1", False),
        ("https://localhost.example.com", False),
        ("", False),
    ],
)
def test_loopback_addresses_are_known(url: str, expected: bool) -> None:
    assert is_loopback(url) == expected


def test_an_address_is_parted_from_its_secrets() -> None:
    at = address("https://me:pa%20ss@gateway.example:8443/v1/?api-version=7")
    assert (at.base, at.query) == ("https://gateway.example:8443/v1", {"api-version": "7"})
    assert at.headers == {"authorization": "Basic bWU6cGEgc3M="}
    assert "pa ss" in at.secrets


def test_a_proxy_leads_out_and_never_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_for("https://api.example/v1") == "http://proxy.example:3128"
    assert proxy_for("https://inside.example/v1") == ""
    assert proxy_for("https://127.0.0.1/v1") == ""


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "7200"}, 7200),
        ({"retry-after": "Sun, 29 Nov 2026 12:01:30 GMT"}, 90),
        ({"retry-after": "Sun, 29 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "later"}, None),
        ({}, None),
    ],
)
def test_what_a_server_asks_to_wait_is_read_in_each_of_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers, now=NOW) == seconds


@pytest.mark.parametrize(
    ("status", "told", "fault"),
    [
        (401, "", "auth"),
        (403, "", "auth"),
        (403, "Your billing is not set up", "quota"),
        (402, "", "quota"),
        (429, "slow down", "rate_limit"),
        (429, "You exceeded your current quota", "quota"),
        (400, "Your credit balance is too low", "quota"),
        (400, "maximum context length is 8192 tokens", "context"),
        (422, "prompt is too long", "context"),
        (400, "no such tool", "bad_request"),
        (404, "", "bad_request"),
        (408, "", "timeout"),
        (409, "", "unavailable"),
        (413, "", "context"),
        (425, "", "unavailable"),
        (500, "context window", "unavailable"),
        (504, "", "timeout"),
        (529, "", "unavailable"),
    ],
)
def test_a_status_and_its_words_have_one_fault(status: int, told: str, fault: BackendFault) -> None:
    assert fault_of(status, Complaint(message=told)) == fault


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        ({"error": {"message": "no", "code": 404}}, "no", "404"),
        ({"message": "no", "type": "x"}, "no", ""),
        ({"detail": [{"loc": ["body"], "msg": "no"}]}, '[{"loc": ["body"], "msg": "no"}]', ""),
        ({"error": "no"}, "no", ""),
        ("<html>\n  no </html>", "<html> no </html>", ""),
        (None, "", ""),
    ],
)
def test_every_servers_form_of_complaint_is_read(body: object, message: str, code: str) -> None:
    assert (complaint_in(body).message, complaint_in(body).code) == (message, code)


def test_a_long_page_is_cut() -> None:
    assert len(complaint_in("x" * 100_000).message) < 500


def test_words_that_only_resemble_a_key_stay() -> None:
    assert redactor(["none"])("none of the task-based sk rules; risk-free sk-live-12345678") == (
        "none of the task-based sk rules; risk-free ***"
    )


@pytest.mark.parametrize("value", [True, False, None, nan, inf, -0.01, "0.5", [1]])
def test_what_is_no_amount_of_money_is_unknown_not_zero(value: object) -> None:
    assert dollars(value) is None


def test_an_amount_of_money_is_taken() -> None:
    assert (dollars(0), dollars(0.25)) == (0.0, 0.25)


@pytest.mark.parametrize("value", [True, -1, 2.5, "7", None])
def test_what_is_no_count_is_zero(value: object) -> None:
    assert count(value) == 0


@pytest.mark.parametrize(("most", "expected"), [(None, 400), (1000, 400), (250, 250), (50, 100)])
def test_more_room_stays_within_what_is_configured(most: int | None, expected: int) -> None:
    assert roomier(100, most) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (ChatReply(text=" ", finish="length"), True),
        (ChatReply(text="half", finish="length"), False),
        (ChatReply(text="", finish="stop"), False),
    ],
)
def test_only_a_cut_before_the_first_word_is_silence(reply: ChatReply, expected: bool) -> None:
    assert said_nothing(reply) == expected


def test_two_calls_for_one_reply_cost_both() -> None:
    silent = ChatReply(text="", usage=Usage(calls=1, completion=100), usd=0.5)
    reply = added(silent, ChatReply(text="at last", usage=Usage(calls=1, completion=150)))
    assert (reply.text, reply.usage.calls, reply.usage.completion, reply.usd) == ("at last", 2, 250, 0.5)


def test_an_error_names_backend_place_reason_and_remedy() -> None:
    report = Reporter(
        name="my_chat", url="http://x", model="m", key="$MY_KEY", timeout_s=5, redact=redactor(["hidden-word"])
    )
    error = report.status(429, Complaint(message="hidden-word is busy."), 7)
    assert str(error) == "my_chat: 429 from http://x: *** is busy. Use fewer workers, or raise `max_retries`."
    assert (error.fault, error.retry_after_s) == ("rate_limit", 7)


def test_a_log_of_calls_shows_addresses_without_their_queries(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    without_queries("some.http.library")
    log = logging.getLogger("some.http.library")
    log.info("%s %s %d", "POST", "https://host/v1?token=abc", 200)
    log.info('"%s %s"', "GET", "/v1?token=abc")
    log.info("%s %r", "Why?", {"a": 1})
    log.info("done")
    assert caplog.messages == ["POST https://host/v1 200", '"GET /v1"', "Why? {'a': 1}", "done"]
