"""Read a request's body: unpacked, and never more of it than the limit."""

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass

from starlette.types import Receive, Scope

from lineal_receiver.api.patience import Patience, TooSlow
from lineal_receiver.api.room import LARGE, Visit
from lineal_receiver.ingest.unpacking import BrokenGzip, Unpacker

BEGINNING = 4096
"""How much is kept of a body that isn't read to its end."""
PLAIN = ("", "identity")
PACKED = ("gzip", "x-gzip")


@dataclass(eq=False)
class BodyRefused(Exception):
    """A body that isn't taken as it came: its beginning, or the whole of it (`whole`), and how many bytes are known."""

    status: int
    rule: str
    expected: str
    message: str
    beginning: bytes = b""
    size: int = 0
    whole: bool = False
    coding: str = ""


class NoRoom(Exception):
    """Too many large bodies are under way: this one has to be sent again."""


class ClientGone(Exception):
    """The client hung up before the end of its body."""


def header(scope: Scope, name: bytes) -> str:
    """A request header's values, joined as they may be; '' if it isn't there."""
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


def check_type(scope: Scope) -> None:
    """Refuse another content type than JSON in UTF-8."""
    media, _, parameters = header(scope, b"content-type").partition(";")
    media = media.strip().lower()
    if media not in ("", "application/json") and not (media.startswith("application/") and media.endswith("+json")):
        shown = f"the content type is {media[:80]!r}; add the header 'Content-Type: application/json'"
        if media == "application/x-www-form-urlencoded":
            shown += " (curl -d says that it sends a form, unless told -H 'Content-Type: application/json')"
        raise BodyRefused(415, "content_type", "Content-Type: application/json", shown)
    for parameter in parameters.split(";"):
        name, _, value = parameter.strip().partition("=")
        if name.lower() == "charset" and value.strip("\"' ").lower().replace("-", "") != "utf8":
            raise BodyRefused(415, "charset", "JSON in UTF-8", f"the charset is {value[:40]!r}")


class BodyReader:
    """One request's body, read once."""

    def __init__(self, scope: Scope, receive: Receive, limit: int, seconds: float, visit: Visit | None = None) -> None:
        """At most `limit` bytes, unpacked; slower than `seconds` is refused (see Patience); a large one needs room."""
        self._scope, self._receive, self._visit = scope, receive, visit
        self._limit, self._seconds = limit, seconds
        self._more = True

    async def read(self, *, typed: bool = True) -> bytes:
        """The whole body, unpacked; not `typed`: of any content type.

        BodyRefused says why it can't be had, ClientGone that nobody waits for an answer any more.
        """
        patience = Patience(self._seconds)
        raw: list[bytes] = []
        try:
            with patience:
                if typed:
                    check_type(self._scope)
                coding = self._read_coding()
                return await self._read(coding, patience, raw)
        except TooSlow:
            if self._visit is not None and self._visit.waiting:
                raise NoRoom from None
            expected = f"a request within {self._seconds:g} seconds, or faster than 64 KiB a second"
            shown = "the request didn't come in time"
            came = b"".join(raw)
            raise BodyRefused(408, "slow", expected, shown, came[:BEGINNING], len(came)) from None
        except BodyRefused as error:
            if error.status == 415 and not raw:
                with suppress(TooSlow), Patience(self._seconds):
                    error.beginning = await self._read_beginning()
                    error.size = max(len(error.beginning), self._length())
            raise

    def _read_coding(self) -> str:
        """'gzip' or ''; BodyRefused for any other coding."""
        sent = header(self._scope, b"content-encoding")
        codings = [one for one in (part.strip().lower() for part in sent.split(",")) if one not in PLAIN]
        if len(codings) > 1 or any(one not in PACKED for one in codings):
            shown = f"the coding is {sent[:40]!r}"
            raise BodyRefused(415, "content_encoding", "Content-Encoding: gzip, or none", shown)
        return "gzip" if codings else ""

    def _length(self) -> int:
        sent = header(self._scope, b"content-length")
        return int(sent) if sent.isdecimal() and len(sent) < 19 else 0

    async def _read(self, coding: str, patience: Patience, raw: list[bytes]) -> bytes:
        if not coding and self._length() > self._limit:
            beginning = await self._read_beginning()
            raise self._too_large(beginning, self._length())
        unpacker = Unpacker(min(self._limit, LARGE)) if coding else None
        parts: list[bytes] = [] if coding else raw
        size = packed = 0
        try:
            async for chunk in self._chunks():
                patience.received(len(chunk))
                packed += len(chunk)
                if unpacker is not None:
                    raw.append(chunk)
                for part in [chunk] if unpacker is None else unpacker.feed(chunk):
                    size += len(part)
                    parts.append(part)
                    await self._admit(max(size, packed), parts)
            if unpacker is not None:
                unpacker.finish()
        except BrokenGzip as error:
            shown = f"the body can't be unpacked: {error}"
            async for chunk in self._chunks():
                packed += len(chunk)
                if packed > self._limit:
                    break
                raw.append(chunk)
            whole = packed <= self._limit
            body = b"".join(raw) if whole else _begin(raw)
            raise BodyRefused(400, "gzip", "a whole gzip stream", shown, body, packed, whole, coding) from None
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _admit(self, size: int, parts: list[bytes]) -> None:
        """Let a body have so many bytes, once there is room for it; BodyRefused above the limit."""
        if size > self._limit:
            raise self._too_large(_begin(parts), size)
        if self._visit is not None:
            await self._visit.grow(size)

    async def _read_beginning(self) -> bytes:
        """The first bytes of a body of which nothing was read yet."""
        return (await anext(self._chunks(), b""))[:BEGINNING]

    def _too_large(self, beginning: bytes, size: int) -> BodyRefused:
        expected = f"at most {self._limit} bytes, unpacked"
        shown = f"the body is larger than {self._limit} bytes"
        return BodyRefused(413, "size", expected, shown, beginning[:BEGINNING], size)

    async def _chunks(self) -> AsyncIterator[bytes]:
        """What hasn't been read yet."""
        while self._more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            self._more = message.get("more_body", False)
            if message.get("body"):
                yield message["body"]


def _begin(parts: list[bytes]) -> bytes:
    return b"".join(_first(parts))[:BEGINNING]


def _first(parts: list[bytes]) -> Iterator[bytes]:
    size = 0
    for part in parts:
        yield part[:BEGINNING]
        size += len(part)
        if size >= BEGINNING:
            return
