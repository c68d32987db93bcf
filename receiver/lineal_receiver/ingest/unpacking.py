"""Unpack gzip: one member after the other, never more at once than a limit."""

import zlib
from collections.abc import Iterator

GZIP = 31


class BrokenGzip(Exception):
    """The bytes aren't a whole gzip stream."""


class Unpacker:
    """Takes packed bytes as they come."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._member = zlib.decompressobj(GZIP)
        self._fed = False

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """What is in these further bytes, at most `limit` + 1 bytes at a time; BrokenGzip."""
        waiting = packed
        while waiting:
            if self._member.eof:
                self._member = zlib.decompressobj(GZIP)
            try:
                part = self._member.decompress(waiting, self._limit + 1)
            except zlib.error as error:
                raise BrokenGzip(str(error)) from None
            self._fed = True
            if part:
                yield part
            waiting = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if not part and not self._member.eof:
                break

    def finish(self) -> None:
        """BrokenGzip if there should be more."""
        if not self._fed or not self._member.eof:
            raise BrokenGzip("it ends too early")


def unpack(packed: bytes, limit: int) -> bytes:
    """What is in these bytes; BrokenGzip, also if that is more than `limit` bytes."""
    unpacker, parts, size = Unpacker(limit), [], 0
    for part in unpacker.feed(packed):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise BrokenGzip(f"it holds more than {limit} bytes")
    unpacker.finish()
    return b"".join(parts)
