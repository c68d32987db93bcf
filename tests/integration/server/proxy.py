"""A door before PostgreSQL that a test opens, shuts, and lets swallow answers."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit, urlunsplit

COMMIT = b"COMMIT"
SECONDS = 120.0


class Door:
    """Forwards connections to a PostgreSQL; while it is shut they are refused."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "", parts.port or 5432)
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._listener = self._bind(0)
        self.port = self._listener.getsockname()[1]
        user = f"{parts.username}:{parts.password}@" if parts.password else f"{parts.username}@"
        self.url = urlunsplit(parts._replace(netloc=f"{user}127.0.0.1:{self.port}"))
        self.swallow_commit = threading.Event()

    def open(self) -> None:
        """Let connections in."""
        self._listener.listen()
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        """Cut all connections and refuse new ones."""
        # Waking up `accept` first: closing alone leaves the socket listening while it is in use.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._cut()
        self._listener = self._bind(self.port)

    def close(self) -> None:
        """Done with it."""
        self._listener.close()
        self._cut()

    def _cut(self) -> None:
        with self._lock:
            left, self._open = self._open, []
        for one in left:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    @staticmethod
    def _bind(port: int) -> socket.socket:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))  # bound and not listening: connections are refused
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._target)
            with self._lock:
                self._open += [client, server]
            mute, answered = threading.Event(), threading.Event()
            threading.Thread(target=self._ask, args=(client, server, mute, answered), daemon=True).start()
            threading.Thread(target=self._answer, args=(server, client, mute, answered), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket, mute: threading.Event, done: threading.Event) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                if COMMIT in data and self.swallow_commit.is_set():
                    self.swallow_commit.clear()
                    mute.set()
                    server.sendall(data)
                    done.wait(SECONDS)  # PostgreSQL has committed, and nobody is told
                    break
                server.sendall(data)
        _end(client, server)

    @staticmethod
    def _answer(server: socket.socket, client: socket.socket, mute: threading.Event, done: threading.Event) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if mute.is_set():
                    break
                client.sendall(data)
        done.set()
        if not mute.is_set():
            _end(client, server)


def _end(*ends: socket.socket) -> None:
    for one in ends:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
