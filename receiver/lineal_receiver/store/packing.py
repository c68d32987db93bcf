"""Bodies as the log keeps them: compressed, which is faster and smaller than what PostgreSQL would do with them."""

import zlib

_MARK = b"z"
_HEAD = 5
_LEVEL = 1
_SHORT = 200


def pack(body: bytes) -> bytes:
    """A mark that no JSON begins with, the size in 4 bytes (big endian) and a zlib stream; a short body as it is."""
    if len(body) < _SHORT:
        return body
    return b"".join((_MARK, len(body).to_bytes(_HEAD - 1, "big"), zlib.compress(body, _LEVEL)))


def unpack(kept: bytes) -> bytes:
    """The body that was packed, or that was kept as it came."""
    return zlib.decompress(memoryview(kept)[_HEAD:]) if kept[:1] == _MARK else kept
