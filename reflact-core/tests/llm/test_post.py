import gzip
import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ConfigError
from reflact.llm.complaints import redactor
from reflact.llm.http import Reporter
from reflact.llm.http.post import Poster
from reflact.testing import FakeModelServer, FakeReply

ASK = {"model": "m", "messages": [{"role": "user", "content": "Where?"}]}


def poster(*, timeout_s: float = 5, **more: Any) -> Poster:
    report = Reporter(
        name="mine", url="http://x", model="m", key="$KEY", timeout_s=timeout_s, redact=redactor(["secret-word"])
    )
    return Poster(report, **{"connections": 4, **more})


class Answering(BaseHTTPRequestHandler):
    """Answers every post with its own body, in the way its path says."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        if self.path == "/gzip":
            body = gzip.compress(body)
            self.send_header("content-encoding", "gzip")
        if self.path == "/chunks":
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for start in range(0, len(body), 7):
                piece = body[start : start + 7]
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
            return
        if self.path == "/until-closed":
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("content-length", str(len(body) + 10_000 * (self.path == "/trickle")))
        self.end_headers()
        self.wfile.write(body)
        while self.path == "/trickle":
            time.sleep(0.02)
            try:
                self.wfile.write(b" ")
            except OSError:
                return

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("path", ["/length", "/chunks", "/gzip", "/until-closed"])
def test_an_answer_is_read_in_whichever_way_it_is_sent(path: str) -> None:
    sender = poster()
    with serving() as port:
        answers = [sender.post(f"http://127.0.0.1:{port}{path}", ASK, {}) for _ in range(3)]
        sender.close()
    assert [one.json() for one in answers] == [ASK] * 3
    assert all(one.ok for one in answers)


def test_an_answer_that_trickles_is_not_waited_for_beyond_the_timeout() -> None:
    sender = poster(timeout_s=0.3)
    with serving() as port:
        start = time.monotonic()
        with pytest.raises(BackendError, match=r"within 0\.3 s") as caught:
            sender.post(f"http://127.0.0.1:{port}/trickle", ASK, {})
        assert time.monotonic() - start < 2
    assert caught.value.fault == "timeout"


def test_a_server_with_a_certificate_that_is_known_is_trusted_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path))
    with serving(context) as port:
        url = f"https://127.0.0.1:{port}/length"
        with pytest.raises(BackendError, match="CERTIFICATE_VERIFY_FAILED"):
            poster().post(url, ASK, {})
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate(tmp_path)))
        sender = poster()
        assert [sender.post(url, ASK, {}).json() for _ in range(2)] == [ASK] * 2
        sender.close()


def certificate(folder: Path) -> Path:
    """Return a file with a certificate of 127.0.0.1 and its key; made once."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    file = folder / "here.pem"
    if not file.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
        alias = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
        now = datetime.now(UTC)
        made = x509.CertificateBuilder(name, name, key.public_key(), 7, now - timedelta(1), now + timedelta(1))
        signed = made.add_extension(alias, critical=False).sign(key, hashes.SHA256())
        pem = serialization.Encoding.PEM
        plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        file.write_bytes(signed.public_bytes(pem) + key.private_bytes(pem, *plain))
    return file


def test_a_proxy_is_told_the_whole_address() -> None:
    with FakeModelServer(lambda _: "ok") as proxy:
        sender = poster(proxy=proxy.url)
        sender.post("http://elsewhere.example/v1/chat/completions", ASK, {})
        sender.close()
        sent = proxy.requests[0]
    assert sent.path == "http://elsewhere.example/v1/chat/completions"
    assert sent.headers["host"] == "elsewhere.example"


def test_a_proxy_that_will_not_connect_is_named_in_the_error() -> None:
    with FakeModelServer(lambda _: "ok") as proxy, pytest.raises(BackendError, match="Tunnel connection failed"):
        poster(proxy=proxy.url).post("https://elsewhere.example/v1", ASK, {})


def test_a_proxy_of_another_kind_is_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="socks5 is not supported"):
        poster(proxy="socks5://127.0.0.1:1080")


@pytest.mark.parametrize("value", ["two\r\nX-Forged: lines", "secret-wörd", "one\nmore"])
def test_a_header_that_would_forge_another_is_not_sent(value: str) -> None:
    with FakeModelServer(lambda _: "ok") as server:
        with pytest.raises(BackendError, match="line break") as caught:
            poster().post(f"{server.url}/chat/completions", ASK, {"authorization": value})
        assert not server.requests
    assert caught.value.fault == "bad_request" and value not in str(caught.value)


def test_half_a_surrogate_pair_is_sent_as_a_question_mark() -> None:
    said = {"messages": [{"role": "user", "content": "a\ud83d"}]}
    with FakeModelServer(lambda request: request.text) as server:
        sender = poster()
        answer = sender.post(f"{server.url}/chat/completions", said, {})
        sender.close()
    assert answer.json()["choices"][0]["message"]["content"] == "a?"


def test_a_failure_brings_its_headers_with_it() -> None:
    reply = FakeReply(status=429, headers={"Retry-After": "7", "X-Request-Id": "r1"})
    with FakeModelServer(lambda _: reply) as server:
        sender = poster()
        answer = sender.post(f"{server.url}/chat/completions", ASK, {})
        sender.close()
    assert (answer.ok, answer.headers["retry-after"], answer.headers["x-request-id"]) == (False, "7", "r1")


def test_a_connection_is_used_again_and_a_broken_one_is_not() -> None:
    replies = [FakeReply(text="1"), FakeReply(drop=True), FakeReply(text="3")]
    with FakeModelServer(lambda request: replies[request.index]) as server:
        sender = poster(connections=1)
        url = f"{server.url}/chat/completions"
        assert sender.post(url, ASK, {}).ok
        with pytest.raises(BackendError, match="no reply from"):
            sender.post(url, ASK, {})
        assert json.loads(sender.post(url, ASK, {}).body)["choices"][0]["message"]["content"] == "3"
        sender.close()
