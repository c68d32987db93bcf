"""What runs read and wrote, and whose writes they read: under whatever names their datasets had at the time."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.identities import Identities, open_identities
from lineal_receiver.api.v1.renames import Span
from lineal_receiver.ids import NONE, STATIC, unwritten_version
from lineal_receiver.store.read_renames import fetch_renamed_by
from lineal_receiver.store.read_run_datasets import RunDatasetRow, fetch_run_datasets
from lineal_receiver.store.read_runs import RunKey
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import WriteAt, fetch_named_writes, fetch_newest_writes

RunDatasets = dict[RunKey, list[RunDatasetRow]]
Read = tuple[UUID, datetime, UUID | None]
"""A dataset as the run called it, when it was read, and the version that the run named."""


async def fetch_what_was_read(connection: Connection, keys: list[RunKey]) -> RunDatasets:
    """What each of the runs read and wrote, called as the run did; of what was read, the write under any name then."""
    found = await fetch_run_datasets(connection, keys)
    identities = await open_identities(connection)
    return await _look_under_all_names(identities, found) if identities.any else found


async def fetch_what_was_read_or_renamed(connection: Connection, keys: list[RunKey]) -> RunDatasets:
    """The same, and what a run gave another name as read by it: the data is that of before."""
    found = await fetch_run_datasets(connection, keys)
    identities = await open_identities(connection)
    if not identities.any:
        return found
    renamed: set[Read] = set()
    moved = await fetch_renamed_by(connection, keys) if identities.renames else []
    roots = await identities.find_roots(old.old_id for old in moved)
    await identities.learn(list(roots.values()))
    for old in moved:
        until = identities.history.before(roots[old.old_id], old.at)
        rows = found.setdefault((old.job_id, old.run_id), [])
        if all(row.side != "i" or row.dataset_id != old.old_id for row in rows):
            known = (old.job_id, old.run_id, "i", old.old_id, old.namespace, old.name)
            rows.append(RunDatasetRow(*known, NONE, None, None, old.at, None, until, None))
            renamed.add((old.old_id, until, None))
    found = await _look_under_all_names(identities, found, frozenset(renamed))
    return {key: [row for row in rows if row.version_id != NONE] for key, rows in found.items()}


async def _look_under_all_names(
    identities: Identities, found: RunDatasets, renamed: frozenset[Read] = frozenset()
) -> RunDatasets:
    reads = {(row.dataset_id, row.read_at, row.named) for rows in found.values() for row in rows if row.side == "i"}
    settled = await _find_writes(identities, reads, renamed)

    def settle(row: RunDatasetRow) -> RunDatasetRow:
        key = (row.dataset_id, row.read_at, row.named)
        if row.side != "i" or key not in settled:
            return row
        choice = settled[key]
        if choice is None:
            return replace(
                row, version_id=unwritten_version(row.dataset_id, row.schema_id), writer_job=None, writer_run=None
            )
        write, by = choice
        return replace(row, version_id=write.version_id, writer_job=by.job_id, writer_run=by.run_id)

    return {key: [settle(row) for row in rows] for key, rows in found.items()}


async def _find_writes(
    identities: Identities, reads: set[Read], renamed: frozenset[Read]
) -> dict[Read, tuple[WriteAt, WriteAt] | None]:
    """By read of what has several names, one for a time, or was `renamed`: the write, and that which made the data."""
    spans = await identities.trace((dataset, at) for dataset, at, _ in reads)
    plain = {read for read in reads if spans[read[0], read[1]] == [Span(read[0], until=read[1])]} - renamed
    asked = [read for read in reads if read not in plain]
    names = [
        (place, span.name, span.since, span.until)
        for place, (dataset, at, _) in enumerate(asked)
        for span in spans[dataset, at]
    ]
    versions = [(place, name, version) for place, name, _, _ in names if (version := asked[place][2]) is not None]
    until: dict[int, list[WriteAt]] = {}
    for write in await fetch_newest_writes(identities.connection, names):
        until.setdefault(write.place, []).append(write)
    named: dict[int, list[WriteAt]] = {}
    for write in await fetch_named_writes(identities.connection, versions):
        named.setdefault(write.place, []).append(write)
    return {read: _choose(read[1], named.get(place, []), until.get(place, [])) for place, read in enumerate(asked)}


def _choose(at: datetime, named: list[WriteAt], until: list[WriteAt]) -> tuple[WriteAt, WriteAt] | None:
    """The write that was read: that of the version which was named, else the newest (of a tie, the later name's)."""
    newest_first = sorted(until, key=lambda write: (not write.future, write.effective_at), reverse=True)
    given = sorted(
        named, key=lambda write: (not write.future, write.effective_at <= at, write.effective_at), reverse=True
    )
    if given:
        return given[0], given[0]
    made = (write for write in newest_first if write.run_id not in STATIC or write.lifecycle != "RENAME")
    return (newest_first[0], next(made, newest_first[0])) if newest_first else None
