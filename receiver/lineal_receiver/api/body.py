"""Read a request's body: unpacked, and never more of it than the limit."""

import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from starlette.types import Receive, Scope

GZIP = 31
BEGINNING = 4096
"""How much is kept of a body that isn't read to its end."""
PLAIN = ("", "identity")
PACKED = ("gzip", "x-gzip")


@dataclass(eq=False)
class BodyRefused(Exception):
    """A body that isn't read to its end."""

    status: int
    rule: str
    expected: str
    message: str
    beginning: bytes = b""


class ClientGone(Exception):
    """The client hung up before the end of its body."""


def header(scope: Scope, name: bytes) -> str:
    """A request header's value, '' if it isn't there."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


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
        if name.lower() == "charset" and value.strip("\"'").lower().replace("-", "") != "utf8":
            raise BodyRefused(415, "charset", "JSON in UTF-8", f"the charset is {value[:40]!r}")


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The whole body, unpacked; BodyRefused if it is larger than `limit` bytes, or can't be unpacked."""
    coding = header(scope, b"content-encoding").strip().lower()
    if coding not in (*PLAIN, *PACKED):
        raise BodyRefused(415, "content_encoding", "Content-Encoding: gzip, or none", f"the coding is {coding[:40]!r}")
    length = header(scope, b"content-length")
    if coding in PLAIN and length.isdigit() and int(length) > limit:
        raise _too_large(limit, await read_beginning(receive))
    parts: list[bytes] = []
    size = 0
    chunks = _chunks(receive)
    async for part in _unpack(chunks, limit) if coding in PACKED else chunks:
        size += len(part)
        parts.append(part)
        if size > limit:
            raise _too_large(limit, b"".join(parts)[:BEGINNING])
    return parts[0] if len(parts) == 1 else b"".join(parts)


async def read_beginning(receive: Receive) -> bytes:
    """The first bytes of a body of which nothing was read yet."""
    return (await anext(_chunks(receive), b""))[:BEGINNING]


def _too_large(limit: int, beginning: bytes) -> BodyRefused:
    expected = f"at most {limit} bytes, unpacked"
    return BodyRefused(413, "size", expected, f"the body is larger than {limit} bytes", beginning[:BEGINNING])


async def _chunks(receive: Receive) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        more = message.get("more_body", False)
        if message.get("body"):
            yield message["body"]


async def _unpack(chunks: AsyncIterator[bytes], limit: int) -> AsyncIterator[bytes]:
    """The content of one gzip member after the other, at most `limit` + 1 bytes at a time."""
    unpacker = zlib.decompressobj(GZIP)
    fed = False
    async for chunk in chunks:
        waiting = chunk
        while waiting:
            if unpacker.eof:
                unpacker = zlib.decompressobj(GZIP)
            try:
                part = unpacker.decompress(waiting, limit + 1)
            except zlib.error as error:
                raise _broken(str(error), chunk) from None
            fed = True
            yield part
            waiting = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
            if not part and not unpacker.eof:
                break
    if not fed or not unpacker.eof:
        raise _broken("it ends too early", b"")


def _broken(reason: str, beginning: bytes) -> BodyRefused:
    return BodyRefused(
        400, "gzip", "a whole gzip stream", f"the body can't be unpacked: {reason}", beginning[:BEGINNING]
    )
