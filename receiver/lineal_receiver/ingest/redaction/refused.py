"""Take a text out of refused bodies, which may be no JSON, cut off or packed."""

import json
import zlib
from dataclasses import replace
from typing import Any

from lineal_receiver.ingest.redaction.masking import MASK, Text, mask_everywhere
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.write_redactions import RefusedBody, fetch_rejected_whole, update_rejected

UNPACKED = 64 * 1024 * 1024
CUT = 3
"""So many characters of the text at the end of what was kept may be its beginning."""
ANY_GZIP = 31
STEP = 4096
TAKEN_OUT = "redacted"


async def redact_refused(connection: Connection, text: Text, *, write: bool) -> int:
    """Take a text out of all refused bodies and what is said about them; how many held it."""
    count = 0
    async for row in fetch_rejected_whole(connection):
        changed = mask_refused(row, text)
        if changed is not None:
            count += 1
            if write:
                await update_rejected(connection, changed)
    return count


def mask_refused(row: RefusedBody, text: Text) -> RefusedBody | None:
    """The row without the text; None if it isn't in there."""
    body = _mask_packed(row, text) if row.coding else _mask_body(row, text)
    errors, in_errors = mask_everywhere(json.loads(row.errors), text.mask)
    said = {name: text.mask(getattr(row, name)) for name in ("pointer", "expected", "message", "source")}
    if body is not None:  # a message shows the beginnings of values, which may be beginnings of the text
        said["message"] = TAKEN_OUT
        errors = [{**error, "message": TAKEN_OUT} for error in errors]
    elif not in_errors and all(said[name] == getattr(row, name) for name in said):
        return None
    kept: dict[str, Any] = {**said, "errors": json.dumps(errors)}
    if body is not None:
        kept |= {"body": body, "truncated": row.truncated or bool(row.coding)}
    return replace(row, **kept)


def _mask_body(row: RefusedBody, text: Text) -> bytes | None:
    body, mask = row.body, MASK.encode()
    while text.spelled.search(body):
        body = text.spelled.sub(mask, body)
    if row.truncated:
        longest = min(len(text.text) - 1, len(body))
        for length in range(longest, CUT - 1, -1):
            beginning = text.text[:length].encode()
            if body.endswith(beginning):
                body = body[: -len(beginning)] + mask
                break
    return body if body != row.body else None


def _mask_packed(row: RefusedBody, text: Text) -> bytes | None:
    """A packed body that holds the text is given up: broken gzip can't be packed again as it was."""
    return b"" if text.spelled.search(_unpack_as_far_as_it_goes(row.body)) else None


def _unpack_as_far_as_it_goes(packed: bytes) -> bytes:
    """What comes out before the place where it is broken, up to UNPACKED bytes."""
    unpacker = zlib.decompressobj(ANY_GZIP)
    parts: list[bytes] = []
    size, step = 0, STEP
    at = 0
    while at < len(packed) and size < UNPACKED and not unpacker.eof:
        before = unpacker.copy()
        try:
            parts.append(unpacker.decompress(packed[at : at + step], UNPACKED - size))
        except zlib.error:
            if step == 1:
                break
            unpacker, step = before, 1  # byte by byte to the very place
            continue
        size += len(parts[-1])
        at += step
    return b"".join(parts)
