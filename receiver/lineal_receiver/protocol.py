"""HTTP as uvicorn speaks it, to clients that send the head of a request in time and of a sane size."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 64 * 1024


class PatientProtocol(HttpToolsProtocol):
    """A connection that is closed when a request's head doesn't come within `head_seconds`, or is too large."""

    head_seconds = 60.0
    _timer: asyncio.TimerHandle | None = None
    _head_bytes: int | None = 0
    """How much of a head has come; None once it is whole, until the next request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn narrows it
        """Wait for the first request."""
        super().connection_made(transport)
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._disarm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; what comes after a request was answered begins another."""
        answered = self.cycle is not None and self.cycle.response_complete
        if self._head_bytes is None and answered:
            self._head_bytes = 0
            self._arm()
        super().data_received(data)
        if self._head_bytes is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES:
                self._end(b"431 Request Header Fields Too Large", f"the head is larger than {MOST_HEAD_BYTES} bytes")

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._head_bytes = None
        self._disarm()
        super().on_headers_complete()

    def _arm(self) -> None:
        self._disarm()
        self._timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._end(b"408 Request Timeout", f"the head of a request didn't come within {self.head_seconds:g} seconds")

    def _end(self, status: bytes, message: str) -> None:
        self._disarm()
        if self.transport.is_closing():
            return
        body = b'{"code":%b,"message":"%b"}' % (status[:3], message.encode())
        head = b"HTTP/1.1 %b\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        self.transport.write(head % (status, len(body)) + body)
        self.transport.close()


def build_protocol(seconds: float) -> Any:
    """The protocol of connections that wait so long for the head of a request."""
    return type("Protocol", (PatientProtocol,), {"head_seconds": seconds})
