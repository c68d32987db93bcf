"""What is to be taken out, applied to a record of the log."""

from dataclasses import replace
from datetime import date
from typing import Any, Protocol

import orjson

from lineal_receiver.ingest.parsing import parse
from lineal_receiver.ingest.redaction.masking import Text, mask_everywhere, mask_places, write_json
from lineal_receiver.store.read_log import LogRecord
from lineal_receiver.store.write_redactions import REDACTED


class Rule(Protocol):
    """Says what a record is to say from now on."""

    def apply(self, record: LogRecord) -> LogRecord | None:
        """The record as it is to be; None if nothing of it changes."""
        ...


class Everywhere:
    """A text is taken out wherever it stands."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def apply(self, record: LogRecord) -> LogRecord | None:
        """The record without the text."""
        if not self._text.is_in(record.body):
            return None
        value = read_body(record)
        if record.kind == "command":  # what it is and when it was given stays
            value["arguments"], changed = mask_everywhere(value["arguments"], self._text.mask)
        else:
            value, changed = mask_everywhere(value, self._text.mask)
        return _write(record, value) if changed else None


class Places:
    """What one record says at some places is taken out."""

    def __init__(self, day: date, identity: bytes, pointers: tuple[str, ...]) -> None:
        self._key, self._pointers = (day, identity), pointers

    def apply(self, record: LogRecord) -> LogRecord | None:
        """The record without that, if it is this one."""
        if (record.day, record.id) != self._key:
            return None
        value, changed = mask_places(read_body(record), self._pointers)
        return _write(record, value) if changed else None


def read_body(record: LogRecord) -> Any:
    """What a record says."""
    return orjson.loads(record.body) if record.kind == "command" else parse(record.body)[0]


def _write(record: LogRecord, value: Any) -> LogRecord:
    return replace(record, body=write_json(value), flags=record.flags | REDACTED)
