"""Take something out of the log, and let everything be as if it had never been said.

The whole log is folded again beside the store, with the records changed, while writers go on; then they wait until
what came meanwhile is folded, too, and the tables say what the new ones say. All of that is one transaction.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Any

from lineal_receiver.errors import CommandRefused
from lineal_receiver.ingest.commands import build_command
from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.known import Known
from lineal_receiver.ingest.redaction.masking import Text
from lineal_receiver.ingest.redaction.records import Everywhere, Places, Rule
from lineal_receiver.ingest.redaction.refused import redact_refused
from lineal_receiver.ingest.refold import AT_ONCE, Unfoldable, read_record, refold
from lineal_receiver.ingest.shadowing import shadowing
from lineal_receiver.ingest.transaction import write_events
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.pool import Pool
from lineal_receiver.store import compare, shadow, swap
from lineal_receiver.store.connection import Connection, plan_writes
from lineal_receiver.store.read_log import LogRecord, fetch_missing_records, fetch_records, fetch_some_records
from lineal_receiver.store.write_log import insert_records
from lineal_receiver.store.write_redactions import lift_limits, own_log, update_records
from lineal_receiver.store.write_statistics import analyze

ACQUIRE_SECONDS = 10.0
IDS_SHOWN = 100
Key = tuple[date, bytes]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be taken out: a text, or what stands at places of the record `key`; and who says so, and why."""

    said: Mapping[str, str]
    text: Text | None = None
    key: Key | None = None
    pointers: tuple[str, ...] = ()

    def build_rule(self) -> Rule:
        """What to do with a record."""
        if self.text is not None:
            return Everywhere(self.text)
        if self.key is None:
            raise ValueError("neither a text nor a record")
        return Places(*self.key, self.pointers)

    def build_arguments(self, records: int, rejected: int) -> dict[str, Any]:
        """What the command says: not the text, nor anything that it could be guessed by."""
        if self.key is None:
            return {"what": "text", "records": records, "rejected": rejected, **self.said}
        named = {"record": self.key[1].hex(), "pointers": list(self.pointers)}
        return {"what": "pointers", "records": records, "rejected": rejected, **named, **self.said}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many records and refused bodies are changed, which (the first of them), and how many rows of each table."""

    records: int
    rejected: int
    ids: tuple[bytes, ...]
    rows: dict[str, int]
    command: Event | None = None


@dataclass(slots=True)
class _Changer:
    """Changes records, and remembers which."""

    rule: Rule
    hits: list[Key] = field(default_factory=list)

    def change(self, record: LogRecord) -> LogRecord:
        changed = self.rule.apply(record)
        if changed is None:
            return record
        self.hits.append((record.day, record.id))
        return changed


async def preview(pool: Pool, judge: Judge, wanted: Wanted) -> Outcome:
    """What a redaction would change; `rows`: in which tables the text stands. CommandRefused: it can't be done."""
    changer = _Changer(wanted.build_rule())
    async with _unlimited(pool) as live, live.transaction(isolation="repeatable_read", readonly=True):
        async for records in _read(live, wanted):
            for record in records:
                changed = changer.change(record)
                if changed is not record:
                    _check([read_record(judge, changed)])
        rejected, rows = 0, {}
        if wanted.text is not None:
            rejected = await redact_refused(live, wanted.text, write=False)
            schema = await shadow.find_live_schema(live) or "public"
            rows = await swap.count_rows_with(live, schema, wanted.text.spellings)
    return Outcome(len(changer.hits), rejected, _first(changer.hits), rows)


def _read(live: Connection, wanted: Wanted) -> AsyncIterator[list[LogRecord]]:
    if wanted.key is not None:
        return fetch_some_records(live, [wanted.key], 1)
    return fetch_records(live, AT_ONCE)


async def redact(pool: Pool, judge: Judge, wanted: Wanted) -> Outcome:
    """Take it out, and keep a command that says so; where there is nothing, nothing is kept.

    CommandRefused: what would be left can't be folded, or the text would still stand somewhere. VerifyRunning.
    """
    changer = _Changer(wanted.build_rule())
    async with _unlimited(pool) as live, _unlimited(pool) as beside, shadowing(beside):
        async with live.transaction(isolation="repeatable_read", readonly=True):
            async for step in refold(live, beside, judge, change=changer.change):
                _check(step.unfoldable)
        async with live.transaction():
            await own_log(live)
            async for step in refold(live, beside, judge, read=fetch_missing_records, change=changer.change):
                _check(step.unfoldable)
            outcome = await _replace(live, beside, judge, wanted, changer.hits)
    if outcome.command is not None:
        async with _unlimited(pool) as live:
            await swap.sweep(live, sorted({"log", "rejected", *outcome.rows}))
    return outcome


async def _replace(live: Connection, beside: Connection, judge: Judge, wanted: Wanted, hits: list[Key]) -> Outcome:
    """Write the changed records and all that follows from them; the transaction is the caller's."""
    rejected = 0 if wanted.text is None else await redact_refused(live, wanted.text, write=True)
    if not hits and not rejected:
        return Outcome(0, 0, (), {})
    await _write_records(live, judge, wanted.build_rule(), hits)
    command = build_command("redact", datetime.now(timezone.utc), wanted.build_arguments(len(hits), rejected))
    await _keep_command(live, beside, command)
    await analyze(beside)
    schema, rows = await shadow.find_live_schema(live) or "public", {}
    for table in await compare.fetch_tables(beside, shadow.SCHEMA):
        if table.name != "log":
            swapped = await swap.swap_table(live, schema, shadow.SCHEMA, table)
            rows[table.name] = max(swapped.removed, swapped.added)
    if wanted.text is not None:
        left = await swap.count_rows_with(live, schema, wanted.text.spellings)
        if left:
            where = ", ".join(f"{table} ({count})" for table, count in left.items())
            raise CommandRefused(reason=f"nothing was changed: the text would still stand in rows of {where}")
    changed = {name: count for name, count in rows.items() if count and name not in ("redaction", "event_hour")}
    return Outcome(len(hits), rejected, _first(hits), changed, command)


async def _write_records(live: Connection, judge: Judge, rule: Rule, hits: list[Key]) -> None:
    async for records in fetch_some_records(live, hits, AT_ONCE):
        rows = []
        for record in records:
            changed = rule.apply(record)
            if changed is None:
                raise ValueError("a record that was to be changed isn't what it was")
            event = read_record(judge, changed)
            if isinstance(event, Unfoldable):
                raise _refuse(event)
            rows.append((record.day, record.id, changed.body, event.job, event.run))
        await update_records(live, rows)


async def _keep_command(live: Connection, beside: Connection, command: Event) -> None:
    """The command in the live log, and with all that follows from it in the shadow."""
    row = (
        command.time.date(), command.id, command.kind, command.event_type, command.time, command.time, command.flags,
        command.job, command.run, command.body,
    )  # fmt: skip
    await insert_records(live, [row], judge_late=False)
    async with beside.transaction():
        await plan_writes(beside, transaction=True)
        await write_events(beside, [command], command.time, Known(), again=True)


def _check(found: Any) -> None:
    for one in found:
        if isinstance(one, Unfoldable):
            raise _refuse(one)


def _refuse(found: Unfoldable) -> CommandRefused:
    where = f"record {found.record.id.hex()} of {found.record.day}"
    return CommandRefused(reason=f"nothing was changed, because {where} can't be folded then: {found.reason}")


def _first(hits: list[Key]) -> tuple[bytes, ...]:
    return tuple(identity for _, identity in hits[:IDS_SHOWN])


@asynccontextmanager
async def _unlimited(pool: Pool) -> AsyncIterator[Connection]:
    """A connection whose statements take as long as they need."""
    async with pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
        await lift_limits(connection)
        yield connection
