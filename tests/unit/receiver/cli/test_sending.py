"""Sending events to a receiver that isn't there, is busy, or isn't one."""

import io
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from lineal_receiver.cli.sending import send_files
from lineal_receiver.errors import ReceiverUnreachable, SettingInvalid


@contextmanager
def answering(*answers: tuple[int, dict[str, str], bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that gives these answers in turn; its address, and what it got."""
    waiting = list(answers)
    got: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, body = waiting.pop(0)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", got
        server.shutdown()
        thread.join()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "events.ndjson"
    path.write_text('{"a": 1}\n\n{"b": 2}\n', encoding="utf-8")
    return path


def test_a_busy_receiver_is_asked_again(file: Path) -> None:
    busy = (503, {"Retry-After": "0", "Connection": "close"}, b"")
    with answering(busy, (201, {}, b""), (429, {}, b""), (422, {}, b'{"message": "no"}')) as (url, got):
        out = io.StringIO()
        sent = send_files(url, [str(file)], out, io.StringIO())
    assert (sent.taken, sent.rejected) == (1, 1)
    assert got == [b'{"a": 1}', b'{"a": 1}', b'{"b": 2}', b'{"b": 2}']
    assert out.getvalue() == f"rejected {file}:3: no\n1 accepted or duplicate, 1 rejected\n"


def test_patience_ends(file: Path) -> None:
    with (
        answering((503, {"Retry-After": "120"}, b"")) as (url, _got),
        pytest.raises(ReceiverUnreachable, match=r"it answers 503 .*kept"),
    ):
        send_files(url, [str(file)], io.StringIO(), io.StringIO(), patience=0.1)


def test_something_else_answers(file: Path) -> None:
    with answering((404, {}, b"")) as (url, _got), pytest.raises(ReceiverUnreachable, match="404") as caught:
        send_files(url, [str(file)], io.StringIO(), io.StringIO())
    assert caught.value.exit_code == 3


def test_nobody_answers(file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    err = io.StringIO()
    with pytest.raises(ReceiverUnreachable, match="Connection refused"):
        send_files(f"http://127.0.0.1:{port}", [str(file)], io.StringIO(), err, patience=0.3)
    assert "Connection refused; trying for 0 seconds" in err.getvalue()


@pytest.mark.parametrize("url", ["", "127.0.0.1:5000", "ftp://h", "http://", "http://h:port", "http://[::1"])
def test_no_address(file: Path, url: str) -> None:
    with pytest.raises(SettingInvalid, match=r"--url is .* such as http://"):
        send_files(url, [str(file)], io.StringIO(), io.StringIO())
