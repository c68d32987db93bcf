"""HTTP as uvicorn speaks it, to clients that send the head of a request in time and of a sane size."""

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 64 * 1024
CONNECT = b"CONNECT"
LAST_LOOK_SECONDS = 0.001
"""The least that isn't now: the loop reads what has come before it is over."""


class PlainParser:
    """httptools' parser, for which nothing is upgraded: an offer of another protocol isn't taken up (RFC 9110, 7.8).

    By itself it leaves the body of such a request unread, and Java's HttpClient offers HTTP/2 with each.
    """

    def __init__(self, protocol: Any, parser: httptools.HttpRequestParser) -> None:
        self._protocol = protocol
        self._use(parser)

    def feed_data(self, data: bytes) -> None:
        """Call the protocol back with what these bytes are of a request."""
        while data:
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as offer:  # noqa: PERF203 - several requests may have come at once
                if not self.has_offer():
                    return
                data = self._build_head() + data[offer.args[0] :]
                self._use(httptools.HttpRequestParser(self._protocol))
            else:
                return

    def has_offer(self) -> bool:
        """Whether the head that was read last is to be read again without its offer."""
        return self._parser.should_upgrade() and self.get_method() != CONNECT

    def should_upgrade(self) -> bool:
        """Never."""
        return False

    def _use(self, parser: httptools.HttpRequestParser) -> None:
        self._parser = parser
        self.get_http_version, self.get_method = parser.get_http_version, parser.get_method
        self.should_keep_alive = parser.should_keep_alive

    def _build_head(self) -> bytes:
        first = b"%b %b HTTP/%b" % (self.get_method(), self._protocol.url, self.get_http_version().encode())
        kept = (b"%b: %b" % header for header in self._protocol.headers if header[0] != b"upgrade")
        return b"\r\n".join([first, *kept, b"", b""])


class PatientProtocol(HttpToolsProtocol):
    """A connection that is closed when a request's head doesn't come within `head_seconds`, or is too large."""

    head_seconds = 60.0
    _timer: asyncio.TimerHandle | None = None
    parser: Any
    _head_bytes: int | None = 0
    """How much of a head has come; None once it is whole, until the next request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn narrows it
        """Wait for the first request."""
        super().connection_made(transport)
        self.parser = PlainParser(self, self.parser)
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

    def eof_received(self) -> bool:  # type: ignore[override] # uvicorn leaves it to the transport, which closes
        """The client sends nothing more: keep the connection until what it asked for whole is answered, then close.

        Half of a request is never answered, nor is what comes of it waited for.
        """
        last = self.pipeline[0][0] if self.pipeline else self.cycle
        if self._head_bytes or last is None or last.more_body or last.response_complete:
            return False
        last.keep_alive = False
        return True

    def on_headers_complete(self) -> None:
        """The head is there."""
        if self.parser.has_offer():
            return
        self._head_bytes = None
        self._disarm()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body is there; none comes after a head with an offer until that is read again."""
        if not self.parser.has_offer():
            super().on_message_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, unless a request has come that wasn't read yet: a busy loop looks at its timers
        before its sockets, and the sender would see its request fail without an answer."""
        self.timeout_keep_alive_task = self.loop.call_later(LAST_LOOK_SECONDS, super().timeout_keep_alive_handler)

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
