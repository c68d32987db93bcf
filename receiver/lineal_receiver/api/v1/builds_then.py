"""What counts together of writes that were in force at a time, and which readings of columns: chosen as for now."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from uuid import UUID

from lineal_receiver.ingest.slots import BuildMark, StandIn, Write, count_together, newest_builds, stand_in
from lineal_receiver.store.read_builds_at import BuildAt, fetch_other_builds, fetch_together
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_writes_at import JobWrite

PENDING = (3, 1)
Key = tuple[UUID, UUID]
"""A dataset and a job, as they were called then."""


async def find_runs_together(
    connection: Connection, standing: dict[Key, JobWrite], dropped: dict[UUID, datetime]
) -> dict[Key, list[UUID]]:
    """The runs that count together with each write; dropped: when datasets were dropped last."""
    groups = await _fetch_groups(connection, standing)
    return {
        key: [write.run for write in count_together(list(map(_write, groups[key])), dropped.get(key[0]))]
        if key in groups
        else [one.run_id]
        for key, one in standing.items()
    }


async def choose_builds(
    connection: Connection, newest: dict[Key, BuildAt], dropped: dict[UUID, datetime]
) -> dict[Key, list[JobWrite]]:
    """The readings in force where these are the newest of each dataset and job, newest first; then the last known."""
    groups = await _fetch_groups(connection, newest)
    counted: dict[Key, list[BuildAt]] = {}
    bases: dict[Key, list[BuildMark]] = {}
    for key, one in newest.items():
        counted[key] = groups.get(key, [one])
        together = count_together([_write(each) for each in counted[key]], dropped.get(key[0]))
        bases[key] = newest_builds(together)
    others = await _fetch_others(connection, newest, bases)
    chosen: dict[Key, list[JobWrite]] = {}
    for key, marks in bases.items():
        rows = {row.build_id: row for row in reversed([*others[key], *counted[key]]) if row.build_id is not None}
        pending = newest[key].rank in PENDING
        stands = [StandIn(_mark(row), row.effective_at) for row in others[key] if (row.rank in PENDING) == pending]
        picked = {
            stand_in(base, (one for one in stands if one.build.sql_hash == base.sql_hash), dropped.get(key[0])): base
            for base in reversed(marks)
        }
        found = [_as_write(rows[one], rows[base.id]) for one, base in reversed(picked.items())]
        if found and all(rows[one].status == "unresolved" for one in picked):
            found += _find_last_known(others[key], dropped.get(key[0]))
        chosen[key] = found
    return chosen


def _find_last_known(others: Sequence[BuildAt], dropped_at: datetime | None) -> list[JobWrite]:
    """The newest effective reading with edges, marked."""
    fit = (row for row in others if row.rank not in PENDING and (dropped_at is None or row.effective_at >= dropped_at))
    newest = max(fit, key=lambda row: (row.rank, row.effective_at, -row.run_id.int), default=None)
    return [] if newest is None else [replace(_as_write(newest, newest), last_known=True)]


async def _fetch_groups(
    connection: Connection, anchors: dict[Key, JobWrite] | dict[Key, BuildAt]
) -> dict[Key, list[BuildAt]]:
    """The writes under the parent run of each that is effective and has one, newest first."""
    keys = [key for key, one in anchors.items() if one.parent_run is not None and one.rank not in PENDING]
    asked = [
        (place, one.dataset_id, one.since, one.until, one.job_id, one.run_id, one.parent_run, one.rank)
        for place, key in enumerate(keys)
        if (one := anchors[key]).parent_run is not None
    ]
    rows = await fetch_together(connection, asked)
    return {keys[place]: list(found) for place, found in groupby(rows, key=lambda row: row.place)}


async def _fetch_others(
    connection: Connection, newest: dict[Key, BuildAt], bases: dict[Key, list[BuildMark]]
) -> dict[Key, list[BuildAt]]:
    """All readings with edges of those of which any can't be told whole now."""
    keys = [key for key, marks in bases.items() if any(mark.status != "resolved" for mark in marks)]
    asked = [
        (place, one.dataset_id, one.since, one.until, one.job_id)
        for place, key in enumerate(keys)
        for one in (newest[key],)
    ]
    others: dict[Key, list[BuildAt]] = defaultdict(list)
    for row in await fetch_other_builds(connection, asked):
        others[keys[row.place]].append(row)
    return others


def _write(row: BuildAt) -> Write:
    return Write(row.run_id, row.effective_at, row.lifecycle, None if row.build_id is None else _mark(row))


def _mark(row: BuildAt) -> BuildMark:
    return BuildMark(
        row.build_id or b"",
        row.sql_hash,
        row.schema_hash,
        row.sqlglot_version,
        row.rules_version,
        row.status or "",
        row.columns or 0,
    )


def _as_write(row: BuildAt, base: BuildAt) -> JobWrite:
    """The write of `base` with the edges of `row`."""
    own = (base.place, base.dataset_id, base.job_id, base.run_id, base.effective_at, base.since, base.until)
    return JobWrite(*own, base.rank, base.parent_run, row.edge_set_id)
