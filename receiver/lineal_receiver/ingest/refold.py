"""Fold records of the log again, as they were accepted: their time of receipt and flags are those of the first time."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace

from lineal_receiver.ingest.commands import UnknownCommand, read_command
from lineal_receiver.ingest.envelope import UnreadableError, open_envelope
from lineal_receiver.ingest.event import Event, build_event
from lineal_receiver.ingest.known import Known
from lineal_receiver.ingest.transaction import write_events
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.store.connection import Connection, plan_writes
from lineal_receiver.store.read_log import LogRecord, fetch_records
from lineal_receiver.store.write_redactions import REDACTED
from lineal_receiver.store.write_statistics import analyze

AT_ONCE = 200
GROWN = (100, 1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Unfoldable:
    """A record that can't be folded again, and why."""

    record: LogRecord
    reason: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How many records were read so far, and those of the last step that can't be folded."""

    done: int
    unfoldable: tuple[Unfoldable, ...]


def read_record(judge: Judge, record: LogRecord) -> Event | Unfoldable:
    """The event or command that a record was accepted as."""
    if record.kind == "command":
        return _read_command(record)
    try:
        envelope = open_envelope(record.body)
    except UnreadableError as error:
        return Unfoldable(record, f"its body can't be read any more: {error.message}")
    verdict = judge.judge(envelope)
    if verdict.faults:
        fault = verdict.faults[0]
        return Unfoldable(record, f"its body would be refused now: {fault.pointer or 'the body'}: {fault.message}")
    return _as_accepted(build_event(envelope, verdict, record.received_at), record)


def _read_command(record: LogRecord) -> Event | Unfoldable:
    try:
        return _as_accepted(read_command(record.body), record)
    except UnknownCommand as error:
        return Unfoldable(record, error.reason)


def _as_accepted(event: Event, record: LogRecord) -> Event | Unfoldable:
    if record.flags & REDACTED:  # its id is that of what it said first
        if (event.kind, event.event_type, event.time) != (record.kind, record.event_type, record.event_time):
            return Unfoldable(record, "its body isn't what was left of it: kind, type or time is another")
        return replace(event, id=record.id, flags=record.flags)
    if event.id != record.id:
        return Unfoldable(record, f"its body isn't what was accepted: its id is {event.id.hex()} now")
    return replace(event, flags=record.flags)


def _keep(record: LogRecord) -> LogRecord:
    return record


async def refold(
    source: Connection,
    target: Connection,
    judge: Judge,
    *,
    read: Callable[[Connection, int], AsyncIterator[list[LogRecord]]] = fetch_records,
    change: Callable[[LogRecord], LogRecord] = _keep,
) -> AsyncIterator[Progress]:
    """Fold the log that `source` sees (in a transaction) into the store of `target`, some records a step.

    Not the whole log, but what `read` gives; each record as `change` lets it be.
    """
    known, done = Known(), 0
    async for records in read(source, AT_ONCE):
        found = [read_record(judge, change(record)) for record in records]
        # Bodies aren't compared: their ids are, and say the same.
        events = [replace(event, body=b"") for event in found if isinstance(event, Event)]
        await _write(target, events, records, known)
        before, done = done, done + len(records)
        if any(before < size <= done for size in GROWN):
            await analyze(target)
        yield Progress(done, tuple(one for one in found if isinstance(one, Unfoldable)))


async def _write(target: Connection, events: Sequence[Event], records: Sequence[LogRecord], known: Known) -> None:
    if not events:
        return
    async with target.transaction():
        await plan_writes(target, transaction=True)
        written = await write_events(target, events, records[0].received_at, known, again=True)
    known.learn(written.changes, written.redactions)
