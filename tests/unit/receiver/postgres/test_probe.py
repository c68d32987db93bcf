"""What answers a probe, judged by real sockets."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lineal_receiver.postgres.probe import Answer, probe_server


@contextmanager
def answering(answer: bytes | None) -> Iterator[int]:
    """A port where one connection gets `answer`, or nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        release = threading.Event()

        def run() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1024)
                if answer is None:
                    release.wait(10)
                else:
                    connection.sendall(answer)

        thread = threading.Thread(target=run)
        thread.start()
        yield listener.getsockname()[1]
        release.set()
        thread.join()


@pytest.mark.parametrize(
    ("answer", "judged"),
    [
        (b"R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0", Answer.READY),
        (b"E\0\0\0\x40SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0", Answer.STARTING),
        (b"E\0\0\0\x40SFATAL\0VFATAL\0C53300\0Mtoo many clients\0\0", Answer.SILENT),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", Answer.SILENT),
        (b"", Answer.SILENT),
        (None, Answer.SILENT),
    ],
)
def test_answers(answer: bytes | None, judged: Answer) -> None:
    with answering(answer) as port:
        assert probe_server("127.0.0.1", port, "u", "d", seconds=0.2) is judged


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert probe_server("127.0.0.1", port, "u", "d") is Answer.SILENT
