"""What can go wrong on the way to a receiver."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lineal_receiver.cli.asking.over_http import HttpTransport


@contextmanager
def asking() -> Iterator[tuple[str, socket.socket, subprocess.Popen[str]]]:
    """A `lineal search` whose question has come: the address, our end of the connection, the process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        command = [sys.executable, "-m", "lineal_receiver.cli", "search", "orders", "--url", url]
        env = {"NO_PROXY": "127.0.0.1", "PATH": "/usr/bin:/bin"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
            connection, _ = server.accept()
            with connection:
                assert connection.recv(65536).startswith(b"GET /api/v2/search?q=orders")
                yield url, connection, process


def test_ctrl_c_ends_the_wait_for_an_answer() -> None:
    with asking() as (_, _, process):
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=300)

    assert (process.returncode, *said) == (130, "", "lineal: interrupted\n")


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", 3, "doesn't answer: IncompleteRead"),
        (
            b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nlate",
            3,
            "doesn't answer: it answers 503: late",
        ),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 1, "older than this command"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 1, "is no answer of Lineal's"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 1, "is no answer of Lineal's"),
    ],
    ids=["cut short", "busy", "older", "no JSON", "other JSON"],
)
def test_an_answer_that_is_none_is_told_in_a_sentence(answer: bytes, code: int, said: str) -> None:
    with asking() as (_, connection, process):
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_RDWR)
        out, err = process.communicate(timeout=300)

    assert (process.returncode, out) == (code, "")
    assert said in err
    assert err.count("\n") == 1


async def test_what_an_answer_leaves_out_is_told_in_its_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nLineal-Cut: the rest\r\nContent-Length: 2\r\n\r\nab")

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        parts: list[bytes] = []
        reply = await HttpTransport(f"http://127.0.0.1:{server.getsockname()[1]}").ask("/x", parts.append)
        answering.join()
    assert (reply.status, reply.body, reply.cut, b"".join(parts)) == (200, b"", "the rest", b"ab")
