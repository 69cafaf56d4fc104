"""Pages from a hostile little web: bounded in time, size, kind and in where redirects lead."""

import gzip
import json
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from socket import create_server
from typing import Any

import pytest
from reflact.kit.web import FetchConfig, Fetcher, Refused
from reflact.testing.pages import Asked, PageServer, Served

PAGE = b"<html><head><title>A page</title></head><body><p>Seven rings.</p><script>x()</script></body></html>"

BOMB = gzip.compress(b"a" * 10_000_000, compresslevel=1)


def answers(asked: Asked) -> Served:
    path, _, query = asked.path.partition("?")
    if path == "/to":
        return Served(status=302, headers={"location": query})
    if path.startswith("/hop"):
        return Served(status=301, headers={"location": f"/hop{int(path[4:] or 0) - 1}" if path != "/hop1" else "/page"})
    gzipped = {"content-encoding": "gzip"}
    return {
        "/page": Served(parts=(PAGE,), headers={"set-cookie": "id=1"}),
        "/latin": Served(parts=("Größe".encode("latin-1"),), kind="text/plain; charset=iso-8859-1"),
        "/odd": Served(parts=(b"text",), kind="text/plain; charset=no-such"),
        "/json": Served(parts=(json.dumps({"rings": [7]}).encode(),), kind="application/json"),
        "/image": Served(parts=(b"\x89PNG",), kind="image/png"),
        "/gzip": Served(parts=(gzip.compress(PAGE),), headers=gzipped),
        "/not-gzip": Served(parts=(PAGE,), headers=gzipped),
        "/brotli": Served(parts=(PAGE,), headers={"content-encoding": "br"}),
        "/bomb": Served(parts=(BOMB,), headers=gzipped, kind="text/plain"),
        "/huge": Served(parts=(b"b" * 65536,) * 400, kind="text/plain"),
        "/drip": Served(parts=(b"c",) * 1000, pause_s=0.05, kind="text/plain"),
        "/empty": Served(parts=()),
    }.get(path, Served(status=404))


@pytest.fixture
def web() -> Iterator[PageServer]:
    with PageServer(answers) as server:
        yield server


def fetcher(web: PageServer, **options: Any) -> Fetcher:
    return Fetcher(**{"own_hosts": frozenset({web.host}), "seconds": 10.0, **options})


def test_a_page_has_a_title_a_text_and_a_time(web: PageServer) -> None:
    page = fetcher(web)(f"{web.url}/page")
    assert (page.title, page.text, page.truncated) == ("A page", "Seven rings.", False)
    assert page.retrieved.endswith("+00:00")


def test_nothing_of_us_is_told_but_a_name(web: PageServer) -> None:
    fetch = fetcher(web)
    fetch(f"{web.url}/page")
    fetch(f"{web.url}/page")
    assert [set(one.headers) for one in web.asked] == [{"host", "user-agent", "accept", "accept-encoding"}] * 2
    assert web.asked[0].headers["host"] == web.host


@pytest.mark.parametrize(
    ("path", "text"), [("/latin", "Größe"), ("/odd", "text"), ("/json", '{\n "rings": [\n 7\n ]\n}'), ("/empty", "")]
)
def test_the_text_is_decoded_as_the_server_says_or_as_utf8(web: PageServer, path: str, text: str) -> None:
    assert fetcher(web)(f"{web.url}{path}").text == text


def test_a_compressed_page_is_read(web: PageServer) -> None:
    assert fetcher(web)(f"{web.url}/gzip").text == "Seven rings."


@pytest.mark.parametrize("path", ["/bomb", "/huge"])
def test_a_page_is_read_up_to_its_limit_and_no_further(web: PageServer, path: str) -> None:
    page = fetcher(web, most=100_000)(f"{web.url}{path}")
    assert (len(page.text), page.truncated) == (100_000, True)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/image", "type image/png"),
        ("/brotli", "compressed with br"),
        ("/not-gzip", "not gzip"),
        ("/nothing", "answered 404"),
        ("/hop6", "more than 5 redirects"),
        ("/to?file:///etc/passwd", "only http and https"),
        ("/to?http://127.0.0.1:1/", "port 1 is not allowed"),
        ("/to?http://127.0.0.1/", "127.0.0.1 is not on the public internet"),
        ("/to?http://169.254.169.254/latest/meta-data/", "169.254.169.254 is not on the public internet"),
        ("/to?http://[::1]/", "::1 is not on the public internet"),
        ("/to?//10.0.0.1/x", "10.0.0.1 is not on the public internet"),
        ("/to?http://[::1", "not a URL"),
    ],
)
def test_what_is_not_to_be_had_is_refused_with_the_reason(web: PageServer, path: str, told: str) -> None:
    with pytest.raises(Refused, match=told.replace("[", r"\[")):
        fetcher(web)(f"{web.url}{path}")


def test_five_redirects_are_followed_each_checked_anew(web: PageServer) -> None:
    assert fetcher(web)(f"{web.url}/hop5").url == f"{web.url}/page"
    looked_up: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        looked_up.append(host)
        return ["127.0.0.1"]

    fetcher(web, resolve=resolve)(f"{web.url}/hop2")
    assert looked_up == ["127.0.0.1"] * 3


def test_a_redirect_to_another_own_server_name_is_no_way_round_the_check(web: PageServer) -> None:
    with pytest.raises(Refused, match="not on the public internet"):
        fetcher(web, resolve=lambda host, port: ["127.0.0.1"])(f"{web.url}/to?http://rebound.example/")


def test_a_server_that_drips_is_cut_off_in_time(web: PageServer) -> None:
    began = time.monotonic()
    with pytest.raises(Refused, match=r"took longer than 0\.3 s"):
        fetcher(web, seconds=0.3)(f"{web.url}/drip")
    assert time.monotonic() - began < 3


def test_a_server_that_says_nothing_is_cut_off_in_time() -> None:
    with create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(Refused, match="took longer"):
            Fetcher(own_hosts=frozenset({host}), seconds=0.2)(f"http://{host}/")


def test_a_server_that_is_not_there_is_told() -> None:
    with create_server(("127.0.0.1", 0)) as gone:
        host = f"127.0.0.1:{gone.getsockname()[1]}"
    with pytest.raises(Refused, match="gave no page"):
        Fetcher(own_hosts=frozenset({host}))(f"http://{host}/")


def test_a_proxy_of_the_environment_is_not_used(web: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert fetcher(web)(f"{web.url}/page").title == "A page"


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A server with a certificate of its own for pages.example: its port and the certificate."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=pages.example"]
    made += ["-addext", "subjectAltName=DNS:pages.example", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([program, *made], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    ended = threading.Event()
    with create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)

        def serve() -> None:
            while not ended.is_set():
                try:
                    connection, _ = listening.accept()
                    connection.settimeout(2)
                    with context.wrap_socket(connection, server_side=True) as safe:
                        safe.recv(4096)
                        safe.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\nsafe")
                except OSError:
                    continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1], certificate
        ended.set()
        thread.join()


def test_the_certificate_must_be_that_of_the_name_though_the_address_is_connected_to(
    encrypted: tuple[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, certificate = encrypted
    hosts = frozenset({f"pages.example:{port}", f"other.example:{port}"})
    fetch = Fetcher(own_hosts=hosts, seconds=5, resolve=lambda host, port: ["127.0.0.1"])
    with pytest.raises(Refused, match="certificate"):
        fetch(f"https://pages.example:{port}/")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert fetch(f"https://pages.example:{port}/").text == "safe"
    with pytest.raises(Refused, match="certificate"):
        fetch(f"https://other.example:{port}/")


def test_the_keys_of_a_configuration_make_a_fetcher() -> None:
    made = FetchConfig(fetch_timeout=3, max_fetch_bytes=5000, own_hosts=("127.0.0.1:1",)).fetcher()
    assert (made.seconds, made.most, made.own_hosts) == (3, 5000, {"127.0.0.1:1"})
    assert FetchConfig().fetcher().own_hosts == frozenset()
