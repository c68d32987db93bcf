"""What follows from stored facts: state of datasets, slots and their edges. Never from the event."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

import orjson

from lineal_receiver.ids import AHEAD, NONE, STATIC, content_id, first_key
from lineal_receiver.ingest.slots import BuildMark, StandIn, Write, count_together, newest_builds, stand_in
from lineal_receiver.store import (
    write_candidates,
    write_content,
    write_datasets,
    write_edges,
    write_own_slots,
    write_slots,
)
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.write_datasets import DatasetState

REACH = 200
"""How many of a job's newest writes to a dataset can count together."""

Pair = tuple[UUID, UUID]


async def derive_datasets(connection: Connection, written: set[UUID], read: set[UUID]) -> set[UUID]:
    """The state of datasets that were written or read, whose rows are locked from here on.

    Gives those that were dropped, or not dropped after all: what counts of every job's writes to them may be another.
    """
    datasets = sorted(written | read)
    if not datasets:
        return set()
    before = await write_datasets.lock_datasets(connection, datasets)
    changed = await write_datasets.derive_datasets(connection, sorted(written)) if written else {}
    await _derive_read_schemas(connection, before, before | changed)
    return {dataset for dataset, state in changed.items() if state.dropped_at != before[dataset].dropped_at}


async def _derive_read_schemas(
    connection: Connection, before: dict[UUID, DatasetState], after: dict[UUID, DatasetState]
) -> None:
    """Show what readers saw, since a DROP, of datasets that no write gave a schema; forget it of the others."""
    shown = {dataset: state.schema_id for dataset, state in before.items() if state.schema_origin == "read"}
    unwritten = {
        dataset: b"" if state.dropped_at is None else first_key(state.dropped_at)
        for dataset, state in sorted(after.items())
        if state.schema_origin in (None, "read")
    }
    bodies: dict[bytes, str] = {}
    wanted: dict[UUID, bytes | None] = dict.fromkeys(dataset for dataset in shown if dataset in unwritten)
    for row in await write_datasets.fetch_readers(connection, list(unwritten.items())) if unwritten else []:
        text = orjson.dumps(unite_fields(row["read"]), option=orjson.OPT_SORT_KEYS)
        identity = content_id(b"read" + row["dataset_id"].bytes + text)
        bodies[identity] = text.decode()
        wanted[row["dataset_id"]] = identity
    new = [(dataset, identity) for dataset, identity in sorted(wanted.items()) if shown.get(dataset) != identity]
    if new:
        await write_content.insert_schemas(connection, [(i, bodies[i]) for _, i in new if i is not None])
        await write_datasets.update_read_schemas(connection, new)
    gone = [identity for dataset, identity in shown.items() if identity and wanted.get(dataset) != identity]
    if gone:
        await write_content.delete_schemas(connection, gone)


def unite_fields(schemas: Iterable[str]) -> list[dict[str, Any]]:
    """The fields of several schemas (oldest first) by name; of two that differ the newer one's."""
    united: dict[str, dict[str, Any]] = {}
    for schema in schemas:
        for field in orjson.loads(schema):
            united[field["name"]] = field
    return list(united.values())


async def derive_slots(connection: Connection, written: set[Pair], everywhere: set[UUID]) -> set[UUID]:
    """What is in force of each (dataset, job), and the edges that follow; the datasets' rows are locked.

    Of the datasets in `everywhere` all slots are derived again, not only those that were `written`. Gives the jobs
    whose slots were looked at.
    """
    if not written:
        return set()
    datasets = sorted({dataset for dataset, _ in written})
    before = _states(await write_slots.fetch_slots(connection, datasets))
    pairs = sorted(written | {pair for pair in before if pair[0] in everywhere})
    anchors = await write_candidates.fetch_anchors(connection, pairs)
    writes = await _fetch_groups(connection, anchors)
    rows = await _choose(connection, [row for row in anchors if row["run_id"] is not None], writes)
    gone = [(row["dataset_id"], row["job_id"]) for row in anchors if row["run_id"] is None]
    if rows:
        await write_slots.upsert_slots(connection, rows)
    if gone:
        await write_slots.delete_slots(connection, gone)
    after = {key: state for key, state in before.items() if key not in gone}
    for dataset, job, _, runs, _, builds, last_known, *_ in rows:
        ended = (dataset, job) in before and before[dataset, job][3]
        after[dataset, job] = (tuple(runs), tuple(builds), last_known, ended)
    static = sorted(dataset for dataset, job in after if job == NONE)
    for key, ended in (await write_slots.end_slots(connection, datasets, static)).items():
        after[key] = (*after[key][:3], ended)
    keys = sorted(before.keys() | after.keys())
    built = [key for key in keys if _built(before.get(key)) != _built(after.get(key))]
    changed = sorted({*pairs, *(key for key in keys if before.get(key) != after.get(key))})
    if built:
        await _settle_edges(connection, built, before, after)
    await write_edges.settle_table_edges(connection, changed, set(built))
    return {job for _, job in changed}


State = tuple[tuple[UUID, ...], tuple[bytes, ...], bytes | None, bool]


async def _settle_edges(
    connection: Connection, pairs: Sequence[Pair], before: dict[Pair, State], after: dict[Pair, State]
) -> None:
    """The column edges of these (dataset, job); where there was no slot there are none."""
    known = [key for key in pairs if key in before]
    fresh = {key: _built(after.get(key)) for key in pairs if key not in before}
    alone = {key: builds[0] for key, (builds, last) in fresh.items() if len(builds) == 1 and last is None}
    if alone:
        await write_edges.insert_edges_of_one(connection, [(*key, build) for key, build in alone.items()])
    others = known + [key for key in fresh if key not in alone]
    if others:
        await write_edges.settle_edges(connection, others)


def _states(rows: Iterable[Any]) -> dict[Pair, State]:
    return {
        (row["dataset_id"], row["job_id"]): (
            tuple(row["run_ids"]), tuple(row["build_ids"]), row["last_known_build_id"], row["ended"],
        )
        for row in rows
    }  # fmt: skip


def _built(state: State | None) -> tuple[tuple[bytes, ...], bytes | None]:
    """The builds whose edges are in force."""
    return ((), None) if state is None or state[3] else (state[1], state[2])


async def _fetch_groups(connection: Connection, anchors: Iterable[Any]) -> dict[tuple[UUID, UUID, UUID], list[Write]]:
    """By (dataset, job, anchor run): the writes that may count together with it, newest first."""
    wanted: dict[tuple[UUID, UUID, UUID], tuple[bool, UUID | None]] = {}
    for row in anchors:
        for run, kind, future, parent in (
            (row["run_id"], row["class"], row["future"], row["parent_run"]),
            (row["built_run"], row["built_class"], row["built_future"], row["built_parent"]),
        ):
            if run is not None:
                wanted[row["dataset_id"], row["job_id"], run] = (future, parent if kind == 2 else None)
    found = await write_candidates.fetch_writes(
        connection, [(*key, *rest) for key, rest in sorted(wanted.items())], REACH
    )
    grouped = groupby(found, key=lambda row: (row["dataset_id"], row["job_id"], row["anchor"]))
    return {key: [_write(row) for row in rows] for key, rows in grouped}


def _write(row: Any) -> Write:
    return Write(row["run_id"], row["effective_at"], row["lifecycle"], _mark(row) if row["build_id"] else None)


def _mark(row: Any, sql_hash: str | None = None, columns: int = 0) -> BuildMark:
    return BuildMark(
        row["build_id"],
        sql_hash or row["sql_hash"],
        row["schema_hash"],
        row["sqlglot_version"],
        row["rules_version"],
        row["status"],
        row.get("columns", columns),
    )


async def _choose(
    connection: Connection, anchors: Sequence[Any], writes: dict[tuple[UUID, UUID, UUID], list[Write]]
) -> list[tuple[Any, ...]]:
    bases: dict[Pair, list[BuildMark]] = {}
    for row in anchors:
        pair = (row["dataset_id"], row["job_id"])
        group = writes.get((*pair, row["built_run"]), []) if row["built_run"] else []
        bases[pair] = newest_builds(count_together(group, row["dropped_at"]))
    stand_ins = await _fetch_stand_ins(connection, anchors, bases)
    chosen = {
        (row["dataset_id"], row["job_id"]): list(
            dict.fromkeys(
                stand_in(
                    base,
                    stand_ins.get((row["dataset_id"], row["job_id"], base.sql_hash), []),
                    row["dropped_at"],
                )
                for base in bases[row["dataset_id"], row["job_id"]]
            )
        )
        for row in anchors
    }
    known = await _fetch_last_known(connection, anchors, bases, chosen)
    rows = []
    for row in anchors:
        pair = (row["dataset_id"], row["job_id"])
        found = writes[(*pair, row["run_id"])]
        group = count_together(found, row["dropped_at"]) or found[:1]  # a slot that ended stands for its newest write
        runs, builds = [write.run for write in group], chosen[pair]
        if row["run_id"] == AHEAD:
            runs.append(NONE)  # of which the job's inputs may be
        newest = builds[0] if builds else None
        rows.append(
            (
                *pair,
                row["run_id"],
                runs,
                newest,
                builds,
                known.get(pair),
                row["class"],
                row["future"],
                row["effective_at"],
            )
        )
    return rows


async def _fetch_stand_ins(
    connection: Connection, anchors: Sequence[Any], bases: dict[Pair, list[BuildMark]]
) -> dict[tuple[UUID, UUID, str | None], list[StandIn]]:
    keys = [
        (row["dataset_id"], row["job_id"], base.sql_hash, row["built_class"])
        for row in anchors
        for base in bases[row["dataset_id"], row["job_id"]]
        if base.sql_hash is not None and base.status != "resolved"
    ]
    found: dict[tuple[UUID, UUID, str | None], list[StandIn]] = {}
    for row in await write_candidates.fetch_stand_ins(connection, keys) if keys else []:
        mark = _mark(row, row["sql_hash"])
        found.setdefault((row["dataset_id"], row["job_id"], row["sql_hash"]), []).append(
            StandIn(mark, row["effective_at"])
        )
    return found


async def _fetch_last_known(
    connection: Connection,
    anchors: Sequence[Any],
    bases: dict[Pair, list[BuildMark]],
    chosen: dict[Pair, list[bytes]],
) -> dict[Pair, bytes]:
    """The builds whose edges are shown, marked, where all that is chosen is unresolved."""
    keys: list[tuple[UUID, UUID, datetime | None]] = []
    for row in anchors:
        pair = (row["dataset_id"], row["job_id"])
        unresolved = {base.id for base in bases[pair] if base.status == "unresolved"}
        if chosen[pair] and set(chosen[pair]) <= unresolved:
            keys.append((*pair, row["dropped_at"]))
    rows = await write_candidates.fetch_last_known(connection, keys) if keys else []
    return {(row["dataset_id"], row["job_id"]): row["build_id"] for row in rows}


async def derive_own_slots(connection: Connection, jobs: Sequence[UUID], told: Iterable[Pair]) -> None:
    """The slots of those of these (locked) jobs that write nothing: checks, dashboards. `told`: (job, run) of now."""
    if not jobs:
        return
    looked = {(job, run) for job, run in told if job in jobs} | {(job, run) for job in jobs for run in STATIC}
    held = {row["job_id"]: row for row in await write_own_slots.fetch_kept_own_slots(connection, jobs, sorted(looked))}
    others = [job for job in jobs if job not in held]
    found = {job: row for job, row in held.items() if not row["writes"]}
    for row in await write_own_slots.fetch_own_slots(connection, others) if others else []:
        found[row["job_id"]] = row
    rows: list[tuple[Any, ...]] = [
        (NONE, job, row["run_id"], [row["run_id"]], None, [], None, row["class"], row["future"], row["effective_at"])
        for job, row in found.items()
    ]
    if rows:
        await write_slots.upsert_slots(connection, rows)
    kept = {row[1] for row in rows}
    await write_slots.delete_slots(connection, [(NONE, job) for job in jobs if job not in kept])
    await write_edges.settle_table_edges(connection, [(NONE, job) for job in jobs])


async def end_own_slots(connection: Connection, jobs: Sequence[UUID]) -> None:
    """These (locked) jobs write something now: the slots of those that wrote nothing before go."""
    gone = await write_slots.delete_slots(connection, [(NONE, job) for job in jobs]) if jobs else []
    if gone:
        await write_edges.settle_table_edges(connection, gone)
