"""The official repository: a real HTTP server that breaks off, continues, or is not there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from reflact.errors import BackendError
from reflact_backend_local.hub import download
from reflact_backend_local.progress import silent


@contextmanager
def serving(content: bytes, *, at_most: int = 10**9, ranges: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Serve *content*, breaking off after *at_most* bytes; yields the address and the ranges that were asked for."""
    asked: list[str] = []

    class Replying(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "")
            asked.append(wanted)
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and ranges else 0
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            self.wfile.write(content[start : start + at_most])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Replying)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/model.gguf", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_file_is_downloaded_whole(made, tmp_path):
    with serving(made.content) as (url, asked):
        file = download(replace(made.weights, url=url), tmp_path, silent)
    assert file.read_bytes() == made.content
    assert asked == [""]


def test_a_download_that_broke_off_is_continued_where_it_stopped(made, tmp_path):
    with serving(made.content, at_most=20_000) as (url, asked):
        weights = replace(made.weights, url=url)
        with pytest.raises(BackendError, match="got 20000 of 30000 bytes"):
            download(weights, tmp_path, silent)
        assert download(weights, tmp_path, silent).read_bytes() == made.content
    assert asked == ["", "bytes=20000-"]


def test_a_server_that_knows_no_ranges_is_read_from_the_start(made, tmp_path):
    (tmp_path / "hub.part").write_bytes(b"x" * 1000)
    with serving(made.content, ranges=False) as (url, asked):
        assert download(replace(made.weights, url=url), tmp_path, silent).read_bytes() == made.content
    assert asked == ["bytes=1000-"]


def test_a_file_that_is_too_long_is_dropped(made, tmp_path):
    with serving(made.content + b"more") as (url, _), pytest.raises(BackendError, match="got 30004 of 30000"):
        download(replace(made.weights, url=url), tmp_path, silent)
    assert not list(tmp_path.glob("hub.part"))


def test_a_server_that_is_not_there_is_named_at_once(made, tmp_path):
    started = time.monotonic()
    with pytest.raises(BackendError, match=r"127\.0\.0\.1:9: .*refused"):
        download(made.weights, tmp_path, silent)
    assert time.monotonic() - started < 2
