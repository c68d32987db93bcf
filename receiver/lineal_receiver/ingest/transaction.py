"""Write one batch of events inside a transaction: raw bodies, facts and registers, then what is derived from them.

Tables are written in one fixed order and rows sorted by key, so that writers wait for each other and don't deadlock.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from uuid import UUID

import orjson

from lineal_receiver.ids import NONE, STATIC
from lineal_receiver.ingest.aliases import derive_aliases
from lineal_receiver.ingest.derive import derive_datasets, derive_own_slots, derive_slots, end_own_slots
from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.facet_sets import find_run_set, write_facets
from lineal_receiver.ingest.facts import Build, Changes, RunFacts
from lineal_receiver.ingest.hiding import derive_hidden, own_deletions
from lineal_receiver.ingest.io_rows import build_said, derive_io
from lineal_receiver.ingest.known import Known
from lineal_receiver.ingest.merge import collect, count_hour
from lineal_receiver.ingest.trusting import own_trust, settle_trusted
from lineal_receiver.ingest.versions import Made, Pair, derive_versions, state_versions
from lineal_receiver.ingest.write_commands import write_command_facts
from lineal_receiver.store import (
    write_content,
    write_datasets,
    write_io,
    write_jobs,
    write_log,
    write_named_versions,
    write_names,
    write_runs,
    write_statements,
    write_told,
    write_verdicts,
)
from lineal_receiver.store.arrays import literal
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.write_listing import Names


@dataclass(frozen=True, slots=True)
class Written:
    """The ids of the events that weren't there before, how many of them are late, and what the others changed.

    redactions: how many there had been before.
    """

    added: set[bytes]
    late: int
    changes: Changes
    redactions: int


async def write_events(
    connection: Connection, events: Sequence[Event], received_at: datetime, known: Known, *, again: bool = False
) -> Written:
    """Keep these events and all that follows from them; what is `known` to be kept isn't sent again.

    Events older than the horizon are kept, and nothing follows from them; `again`: which ones these are was decided
    when they were first accepted. The connection is one for writing (`plan_writes`).
    """
    unique = {event.id: event for event in events}
    rows = [_record(event, received_at) for event in unique.values()]
    kept = await write_log.insert_records(connection, rows, judge_late=not again)
    late = [unique[identity] for identity, is_late in kept.items() if is_late]
    new = [event for event in unique.values() if kept.get(event.id) is False]
    await write_verdicts.insert_facet_verdicts(connection, _verdict_rows(new))
    changes = collect(new, known.memo)
    for event in late:
        count_hour(event, changes)
    for event in unique.values():
        if event.id in kept:
            event.forget_tree()
    redactions = await _write_changes(connection, changes, known) if new else known.redactions
    if changes.hours:
        await write_log.add_hours(connection, [(*key, count) for key, count in sorted(changes.hours.items())])
    return Written(set(kept), len(late), changes, redactions)


async def _write_changes(connection: Connection, changes: Changes, known: Known) -> int:
    """What events assert, and what follows from that, in the one order of tables; how many redactions there were."""
    redactions = await own_deletions(connection, changes)
    known.check(redactions)
    await own_trust(connection, changes)
    totals = await _write_names(connection, changes, known)
    made = state_versions(changes)
    fresh, counts = await _write_facts(connection, changes, known, made)
    totals += counts
    await _write_content(connection, changes, known, fresh)
    await write_command_facts(connection, changes.commands)
    totals.update(await _derive(connection, changes, known, {key: made.get(key) for key in fresh}))
    named = [key for key in changes.dataset_names if key not in known.datasets]
    totals.update(await derive_hidden(connection, changes, named))
    rows = sorted((scope, kind, count) for (scope, kind), count in totals.items() if count)
    if rows:
        await write_names.add_totals(connection, rows)
    return redactions


def _record(event: Event, received_at: datetime) -> tuple[object, ...]:
    day = event.time.astimezone(timezone.utc).date()
    return (
        day, event.id, event.kind, event.event_type, event.time, received_at, event.flags, event.job, event.run,
        event.body,
    )  # fmt: skip


def _verdict_rows(events: Sequence[Event]) -> list[tuple[object, ...]]:
    rows = {
        (finding.facet.id, finding.facet.entity, finding.facet.key): finding
        for event in events
        for finding in event.findings
    }
    return [
        (*key, finding.version, orjson.dumps([asdict(fault) for fault in finding.faults]).decode())
        for key, finding in sorted(rows.items())
    ]


async def _write_names(connection: Connection, changes: Changes, known: Known) -> Counter[tuple[UUID, str]]:
    totals: Counter[tuple[UUID, str]] = Counter()
    names: list[tuple[UUID, str, datetime | None]] = [
        (key, name, at)
        for key, (name, at) in changes.namespaces.items()
        if key not in known.namespaces or at < known.namespaces[key]
    ]
    names += [
        (key, name, None)
        for key, name in changes.alias_namespaces.items()
        if key not in changes.namespaces and key not in known.namespaces and key not in known.mentioned
    ]
    if names:
        totals[NONE, "namespaces"] = await write_names.insert_namespaces(connection, names)
    jobs = [(key, *row) for key, row in changes.job_names.items() if key not in known.jobs]
    datasets = [
        (key, namespace, name, False)
        for key, (namespace, name, _) in changes.dataset_names.items()
        if key not in known.datasets
    ]
    datasets += [(key, *row, True) for key, row in _mentioned(changes, known)]
    added = {
        "jobs": await write_names.insert_jobs(connection, jobs) if jobs else Counter[UUID](),
        "datasets": await write_names.insert_datasets(connection, datasets) if datasets else Counter[UUID](),
    }
    for kind, counts in added.items():
        for namespace, count in counts.items():
            totals[namespace, kind] += count
            totals[NONE, kind] += count
    return +totals


def _mentioned(changes: Changes, known: Known) -> list[tuple[UUID, tuple[UUID, str]]]:
    """The datasets that only aliases name, as far as they aren't kept yet: (id, (namespace, name))."""
    return [item for item in changes.only_aliases() if item[0] not in known.mentioned and item[0] not in known.datasets]


async def _write_facts(
    connection: Connection, changes: Changes, known: Known, made: dict[Pair, Made]
) -> tuple[set[Pair], Counter[tuple[UUID, str]]]:
    """Facts of jobs, runs and what runs said of datasets; gives the runs that weren't there before, and counts."""
    totals: Counter[tuple[UUID, str]] = Counter()
    await write_jobs.upsert_jobs(connection, list(_job_rows(changes)))
    runs = [
        (*_run_row(*key, run, made.get(key)), *find_run_set(run, changes.end_facets.get(key)))
        for key, run in changes.runs.items()
    ]
    fresh = await write_runs.upsert_runs(connection, runs)
    for job, _ in fresh:
        totals[job, "runs"] += 1
    added = await _write_io(connection, changes, fresh)
    named_by = {(job, side, dataset) for dataset, job, _, side in changes.io} - known.job_datasets
    if named_by:
        await write_io.insert_job_datasets(connection, list(named_by))
    for dataset, count in added.items():
        totals[dataset, "versions"] += count
    if changes.named_versions:
        named = [(*key, *value) for key, value in changes.named_versions.items()]
        await write_named_versions.upsert_named_versions(connection, named)
    if changes.statements:
        said = [(*key, one.build, one.schema, one.datasets) for key, one in changes.statements.items()]
        await write_statements.insert_statements(connection, said)
    return fresh, totals


async def _write_io(connection: Connection, changes: Changes, fresh: set[Pair]) -> Counter[UUID]:
    """What was said of datasets; gives how many outputs are new of each. Nothing can be there of a fresh run."""
    new, others = [], []
    for key, io in changes.io.items():
        said, pair = build_said(key, io), (key[1], key[2])
        if pair in fresh:
            new.append((*said, *derive_io(key, io, changes.runs[pair])))
        else:
            others.append(said)
    if new:
        await write_io.copy_io(connection, new)
    added = await write_io.upsert_io(connection, others) if others else Counter[UUID]()
    added.update(dataset for dataset, job, run, side in changes.io if side == "o" and (job, run) in fresh)
    return added


def _job_rows(changes: Changes) -> Iterable[tuple[object, ...]]:
    for key, job in changes.jobs.items():
        placeholder = job.created_at is None
        created = job.created_at or job.mentioned_at
        parent_key, parent = job.parent or (None, None)
        streaming_key, streaming = job.streaming or (None, False)
        ahead_key, ahead_streaming = job.ahead_streaming or (None, None)
        yield (
            key, job.namespace, created, job.seen_at, job.ahead_at, parent, parent_key, streaming, streaming_key,
            ahead_streaming, ahead_key, placeholder,
        )  # fmt: skip


def _run_row(job: UUID, run_id: UUID, run: RunFacts, made: Made | None) -> tuple[object, ...]:
    end_key, end_at, end_rank, outputs, end_future = run.end or (None, None, None, None, False)
    parent_key, parent_job, parent_run, root_job, root_run = run.parent or (None, None, None, None, None)
    nominal_key, nominal_start, nominal_end = run.nominal or (None, None, None)
    streaming_key, streaming = run.streaming or (None, False)
    location_key, location = run.location or (None, None)
    first, last = run.first_at or run.mentioned_at, run.last_at or run.mentioned_at
    return (
        job, run_id, run.external_id, run.start_at, run.running_at, first, last, run.typed, end_at, end_rank, end_key,
        None if outputs is None else literal(outputs), run.ends_seen, parent_job, parent_run, root_job, root_run,
        parent_key, nominal_start, nominal_end, nominal_key, streaming, streaming_key, location, location_key,
        made.version if made else None, run.placeholder, run.future, run.seen_at, end_future,
    )  # fmt: skip


async def _write_content(connection: Connection, changes: Changes, known: Known, fresh: set[Pair]) -> None:
    schemas = [row for row in changes.schemas.items() if row[0] not in known.schemas]
    if schemas:
        await write_content.insert_schemas(connection, schemas)
    bodies = [
        (key, *row) for key, row in changes.bodies.items() if key not in known.bodies or known.bodies[key] < row[1]
    ]
    if bodies:
        await write_content.insert_bodies(connection, bodies)
    builds = {key: build for key, build in changes.builds.items() if key not in known.builds}
    made = {
        (source, NONE, dataset)
        for (dataset, job, kind, *_), said in changes.statements.items()
        if kind == "t" and job == NONE
        for source in said.datasets
    }
    if builds:
        made |= await _write_builds(connection, builds)
    if made:
        await write_content.insert_made_from(connection, made)
    await write_facets(connection, changes, fresh, known.facet_sets)


async def _write_builds(connection: Connection, stated: dict[bytes, Build]) -> set[tuple[UUID, UUID, UUID]]:
    """Builds that aren't kept yet; the edges of an edge set are sent once. Gives (source, job, dataset) of these."""
    kept = await write_content.find_builds(connection, list(stated))
    builds = [build for key, build in sorted(stated.items()) if key not in kept]
    if not builds:
        return set()
    sets = {build.edge_set: build for build in builds}
    added = await write_content.insert_edge_sets(connection, sorted(sets))
    edges = [(key, *edge) for key in sorted(added) for edge in sets[key].edges]
    columns = [(key, *column) for key in sorted(added) for column in sets[key].columns]
    await write_content.insert_edges(connection, edges, columns)
    rows = [
        (
            b.id, b.model_id, b.job, b.dataset, b.sql_hash, b.schema_hash, b.lineage_hash,
            orjson.dumps(b.out_columns).decode(), b.ref_relations, b.dialect, b.sqlglot_version, b.rules_version,
            b.status,
            b.error_message, b.edge_set, orjson.dumps(b.count_columns()).decode(),
        )
        for b in builds
    ]  # fmt: skip
    await write_content.insert_builds(connection, rows)
    return {(edge.source_dataset, build.job, build.dataset) for build in builds for edge in build.edges}


async def _derive(
    connection: Connection, changes: Changes, known: Known, fresh: dict[Pair, Made | None]
) -> Counter[tuple[UUID, str]]:
    """What follows from the facts; gives by how much totals of lists change."""
    if changes.told:
        told = [(*key, said.key, said.deleted_key, said.sources, said.build) for key, said in changes.told.items()]
        await write_told.upsert_told(connection, told)
    ranked = await settle_trusted(connection, changes)
    runs = sorted({key for key in changes.real_runs() if key not in fresh} | ranked.runs)
    changed = await write_io.derive_io(connection, runs) if runs else set()
    ran = {job for job, _ in changes.real_runs()} | {job for job, _ in ranked.runs}
    await write_jobs.settle_states(connection, sorted(ran), sorted({job for job, _ in changes.runs} - ran))
    named = [
        (key, namespace, at)
        for key, (namespace, _, at) in changes.dataset_names.items()
        if key not in known.datasets or at < known.datasets[key]
    ]
    mentioned = [(key, space, None) for key, (space, _) in _mentioned(changes, known)]
    if named or mentioned:
        await write_datasets.insert_datasets(connection, [*named, *mentioned])
    read: set[UUID] = set()
    if changes.reader_schemas:
        rows = [(*key, *value) for key, value in changes.reader_schemas.items()]
        read = await write_io.upsert_reader_schemas(connection, rows)
    touched = changed | ranked.runs | {(job, run) for _, job, run, _ in changes.io if job != NONE}
    touched |= {key for key, run in changes.runs.items() if run.parent is not None}
    touched |= {(job, run) for job, run, _ in changes.told if job != NONE}
    touched |= {(job, NONE) for _, job in ranked.stated if job != NONE}
    touched |= {(job, each) for job, run in touched if run in STATIC for each in STATIC}
    pairs = ranked.stated | {(dataset, job) for dataset, job, _, side in changes.io if side == "o"}
    past = sorted(touched - (fresh.keys() - ranked.runs))  # of the others there are only the outputs named here
    pairs |= await write_io.fetch_outputs(connection, past) if past else set()
    dropped = await derive_datasets(connection, {dataset for dataset, _ in pairs}, read)
    settled = await derive_slots(connection, pairs, dropped)
    spoke = {key for key, job in changes.jobs.items() if job.created_at is not None}
    spoke |= ranked.jobs | {job for job, _ in ranked.runs} | {job for _, job in ranked.stated if job != NONE}
    spoke_first = spoke - known.writers
    writers = {job for (_, job, _, side), io in changes.io.items() if side == "o" and not io.ahead}
    await end_own_slots(connection, sorted(spoke_first & writers))
    await derive_own_slots(connection, sorted(spoke_first - writers), changes.runs.keys() | changed | ranked.runs)
    await write_told.settle_consumed(connection, sorted(spoke | settled))
    await derive_versions(connection, [key for key in runs if key not in fresh], fresh, changes, ranked.versions)
    spaces = [key for key in changes.namespaces if key not in known.namespaces]
    jobs = [key for key in changes.job_names if key not in known.jobs]
    names = Names([row[0] for row in named], jobs, spaces, [row[0] for row in mentioned])
    totals = await derive_aliases(connection, changes, changed, names)
    totals.update(ranked.totals)
    return totals
