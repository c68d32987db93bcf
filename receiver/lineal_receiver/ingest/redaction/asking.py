"""What a request for a redaction asks for, read and checked."""

from collections.abc import Mapping
from typing import Any

from lineal_receiver.errors import CommandRefused
from lineal_receiver.ingest.redaction.masking import read_pointers, read_text
from lineal_receiver.ingest.redaction.redact import Key, Wanted
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.read_log import find_records

SHORTEST = 6
"""So many characters of a record's id may stand for it, if only one begins so."""


async def read_wanted(connection: Connection, asked: Mapping[str, Any], said: Mapping[str, str]) -> Wanted:
    """A `text`, or a `record` and `pointers`; `said`: who and why. CommandRefused: it can't be done so."""
    if (asked.get("text") is None) == (asked.get("record") is None):
        raise CommandRefused(reason="give either 'text', or 'record' and 'pointers'")
    if asked.get("text") is not None:
        text = read_text(asked["text"])
        if any(text.mask(value) != value for value in said.values()):
            raise CommandRefused(reason="'why' and 'by' hold the text that is to be taken out")
        return Wanted(said, text=text)
    pointers = read_pointers(asked.get("pointers"))
    return Wanted(said, key=await _find(connection, asked["record"]), pointers=pointers)


async def _find(connection: Connection, text: object) -> Key:
    wanted = text.strip().lower() if isinstance(text, str) else ""
    if not SHORTEST <= len(wanted) <= 64 or not all(digit in "0123456789abcdef" for digit in wanted):
        raise CommandRefused(
            reason=f"'record' must be a record's id, or {SHORTEST} or more characters of its beginning"
        )
    found = await find_records(connection, bytes.fromhex(wanted.ljust(64, "0")), bytes.fromhex(wanted.ljust(64, "f")))
    if len(found) != 1:
        count = "more than one record has" if found else "no record has"
        raise CommandRefused(reason=f"{count} an id that begins with {wanted}")
    return found[0]
