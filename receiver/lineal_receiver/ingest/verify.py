"""Is the store what its log says? Fold the log again beside it, compare whole tables, and check what must add up."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TextIO

import orjson

from lineal_receiver.errors import LinealError
from lineal_receiver.ingest.refold import refold
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.shadowing import VerifyRunning, shadowing
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.migrate import fetch_applied, find_missing, read_migrations
from lineal_receiver.postgres.pool import connect
from lineal_receiver.resources import find_data
from lineal_receiver.store import check_references, compare, shadow
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.read_log import count_records

__all__ = ["NothingToVerify", "Report", "VerifyRunning", "verify"]

PROGRESS_SECONDS = 2.0
VALUE_SHOWN = 160


@dataclass(eq=False)
class NothingToVerify(LinealError):
    """There is no store of Lineal's here, or one that lacks migrations ({missing}): run `lineal migrate` first."""

    exit_code = 2
    missing: str


@dataclass(slots=True)
class Report:
    """What was looked at, and what isn't as it should be."""

    records: int = 0
    tables: int = 0
    findings: int = 0


class _Reporter:
    """Says findings as they come, and how far it got."""

    def __init__(self, out: TextIO, err: TextIO, most: int) -> None:
        self.report = Report()
        self.most = most
        self._out, self._err = out, err
        self._last = time.monotonic()

    def find(self, text: str) -> None:
        self.report.findings += 1
        self._out.write(f"{text}\n")

    def more(self, where: str) -> None:
        self._out.write(f"{where}: there are more; only the first are shown\n")

    def progress(self, text: str) -> None:
        if time.monotonic() - self._last >= PROGRESS_SECONDS:
            self._last = time.monotonic()
            self._err.write(f"{text}\n")
            self._err.flush()


async def verify(address: str, *, out: TextIO, err: TextIO, most: int = 10, quick: bool = False) -> Report:
    """Compare the store at `address` with what its log says, and say what differs, up to `most` of each kind.

    Reads one snapshot, so that a server may go on writing; writes only into a schema of its own, which is gone
    afterwards. With `quick`, nothing is folded: only counts, references and ids of names are checked.
    NothingToVerify and VerifyRunning say why it can't be done.
    """
    reporter = _Reporter(out, err, most)
    live = await connect(address)
    try:
        await check_migrated(live)
        async with live.transaction(isolation="repeatable_read", readonly=True):
            await live.execute("set local idle_in_transaction_session_timeout = 0")
            await _check_sums(live, reporter)
            if not quick:
                async with _shadow(address) as beside:
                    await _refold(live, beside, reporter)
                    await _compare(live, beside, reporter)
    finally:
        await live.close()
    out.write(f"{_sum_up(reporter.report, quick)}\n")
    return reporter.report


def _sum_up(report: Report, quick: bool) -> str:
    looked = "counts, references and names" if quick else f"{report.records} records, {report.tables} tables"
    return f"{looked}: " + (f"{report.findings} differences" if report.findings else "all as it should be")


async def check_migrated(connection: Connection) -> None:
    """NothingToVerify: there is no store here, or it lacks migrations."""
    missing = find_missing(read_migrations(find_data("migrations")), await fetch_applied(connection))
    if missing:
        raise NothingToVerify(missing=", ".join(migration.name for migration in missing))


@asynccontextmanager
async def _shadow(address: str) -> AsyncIterator[Connection]:
    """A connection that sees an empty set of the store's tables, which go with it."""
    connection = await connect(address)
    try:
        async with shadowing(connection):
            yield connection
    finally:
        await connection.close()


async def _refold(live: Connection, beside: Connection, reporter: _Reporter) -> None:
    every, shown = await count_records(live), 0
    async for step in refold(live, beside, Judge(read_bundle())):
        reporter.report.records = step.done
        for found in step.unfoldable:
            shown += 1
            if shown <= reporter.most:
                reporter.find(f"log {found.record.day} {found.record.id.hex()}: {found.reason}")
            elif shown == reporter.most + 1:
                reporter.more("log")
        reporter.progress(f"folded {step.done} of {every} records")


async def _compare(live: Connection, beside: Connection, reporter: _Reporter) -> None:
    schema = await shadow.find_live_schema(live) or "public"
    for table in await compare.fetch_tables(beside, shadow.SCHEMA):
        reporter.report.tables += 1
        reporter.progress(f"comparing {table.name}")
        found, more = await compare.compare_table((live, schema), (beside, shadow.SCHEMA), table, reporter.most)
        for difference in found:
            reporter.find(f"{table.name} {_show(difference.key)}: {_tell(difference)}")
        if more:
            reporter.more(table.name)


def _tell(difference: compare.Difference) -> str:
    old, new = difference.live, difference.shadow
    if old is None:
        return f"isn't there, but the log says {_show(new)}"
    if new is None:
        return f"is there, but doesn't follow from the log: {_show(old)}"
    parts = [f"{name} is {_show(old[name])}, the log says {_show(new[name])}" for name in old if old[name] != new[name]]
    return "; ".join(parts)


def _show(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= VALUE_SHOWN else f"{text[:VALUE_SHOWN]}…"


async def _check_sums(live: Connection, reporter: _Reporter) -> None:
    """Counts that are kept beside what they count, ids that are hashes of names, and references without a target."""
    for row in _limited(await check_references.fetch_wrong_totals(live, reporter.most + 1), "total", reporter):
        reporter.find(f"total of {row['kind']} in {row['scope']}: is {row['kept']}, counted {row['counted']}")
    for row in _limited(await check_references.fetch_wrong_hours(live, reporter.most + 1), "event_hour", reporter):
        where = " ".join((row["hour"].isoformat(), row["kind"], row["event_type"])).strip()
        reporter.find(f"event_hour {where}: is {row['kept']}, the log holds {row['counted']}")
    for row in _limited(await check_references.fetch_wrong_names(live, reporter.most + 1), "names", reporter):
        reporter.find(f"{row['kind']} {row['id']}: isn't the id of {_show(row['parts'])}")
    for reference in check_references.REFERENCES:
        reporter.progress(f"checking references of {reference.table}")
        found = await check_references.fetch_dangling(live, reference, reporter.most + 1)
        for named in _limited(found, reference.table, reporter):
            reporter.find(f"{reference.table} {_show(named)}: there is no such row in {reference.target}")


def _limited(rows: Sequence[Any], where: str, reporter: _Reporter) -> Sequence[Any]:
    if len(rows) > reporter.most:
        reporter.more(where)
    return rows[: reporter.most]
