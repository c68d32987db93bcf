"""A receiver on loopback that does what a test tells it to: answer, refuse, hang, answer late."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Event = dict[str, Any]
Answer = Callable[[Event], int]


class Receiver:
    """Takes events; `answer` decides the status of each.

    While `released` is cleared requests are kept unread, while `told` is cleared the answers to those that were taken.
    """

    def __init__(self) -> None:
        self.accepted: list[Event] = []
        self.asked = 0
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Answer = lambda _: 201
        self.released = threading.Event()
        self.released.set()
        self.told = threading.Event()
        self.told.set()
        self.port = 0
        self.readiness: tuple[int, str] | None = None  # of Lineal's receiver; others have none

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def receive(self, headers: dict[str, str], body: bytes) -> int:
        """One request."""
        self.asked += 1
        self.headers.append(headers)
        self.released.wait(300)
        unpacked = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
        self.bodies.append(unpacked)
        event = json.loads(unpacked)
        status = self.answer(event)
        if status < 300:
            self.accepted.append(event)
        self.told.wait(300)
        return status


class Address:
    """A port that is ours and on which nothing listens before a receiver does."""

    def __init__(self) -> None:
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}"


@contextmanager
def silent_address() -> Iterator[Address]:
    """An address while it is ours: whoever connects is refused."""
    address = Address()
    with address.socket:
        yield address


@contextmanager
def running(receiver: Receiver, address: Address | None = None) -> Iterator[Receiver]:
    """The receiver while it listens, on a port of its own or on a given address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = receiver.receive({name.lower(): value for name, value in self.headers.items()}, body)
            text = b"" if status < 300 else b"told to"
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def do_GET(self) -> None:
            told = receiver.readiness if self.path == "/readyz" else None
            status, text = told or (400, "")
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
    if address is None:
        server.server_bind()
    else:
        server.socket.close()
        server.socket = address.socket
        server.server_address = address.socket.getsockname()
    server.server_activate()
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign] # a client that leaves is no error here
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.released.set()
        receiver.told.set()
        server.shutdown()
        server.server_close()
        thread.join()
