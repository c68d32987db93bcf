"""What is hidden follows from tombstones and from what was seen: derived after everything else of a batch."""

from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

from lineal_receiver.ids import EPOCH, NONE
from lineal_receiver.ingest.aliases import Totals, list_again
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.ingest.joins import SEEN
from lineal_receiver.store import write_deletions
from lineal_receiver.store.connection import Connection


async def own_deletions(connection: Connection, changes: Changes) -> int:
    """Keep other deletions, or all other writers, out until the transaction ends; how many redactions there were."""
    return await write_deletions.own_deletions(connection, alone=bool(changes.commands.tombstones))


async def derive_hidden(connection: Connection, changes: Changes, named: list[UUID]) -> Totals:
    """Hide what these changes delete, and show what they tell of anew; `named`: datasets that may be new.

    Gives by how much totals of lists change.
    """
    deleted = changes.commands.tombstones
    if changes.commands.static_seen:
        seen = [(*key, value) for key, value in changes.commands.static_seen.items()]
        await write_deletions.upsert_static_seen(connection, seen)
    if deleted:
        rows = [(key, t.kind, t.namespace, _read_time(t.mark), t.mark) for key, t in deleted.items()]
        await write_deletions.upsert_tombstones(connection, rows)
    if not await write_deletions.any_tombstone(connection):
        return Counter()
    spaces = [key for key, tombstone in deleted.items() if tombstone.kind == "namespace"]
    jobs, datasets = await write_deletions.list_members(connection, spaces) if spaces else ([], [])
    jobs += [key for key, job in changes.jobs.items()]
    jobs += [key for key, tombstone in deleted.items() if tombstone.kind == "job"]
    stated = [dataset for dataset, _, _ in changes.commands.static_seen]
    trusted = [(job, run) for dataset, job, run in changes.commands.trusted if dataset == NONE]
    jobs += [job for job, _ in trusted]
    runs = sorted({*changes.real_runs(), *trusted})
    datasets += await write_deletions.fetch_touched(connection, runs, stated, named)
    datasets += [key for key, tombstone in deleted.items() if tombstone.kind == "dataset"]
    jobs, datasets = sorted(set(jobs)), sorted(set(datasets))
    turned = await write_deletions.settle_jobs(connection, jobs)
    if datasets:
        turned += await write_deletions.settle_datasets(connection, datasets)
    await write_deletions.settle_namespaces(connection, [*changes.namespaces, *spaces], jobs, datasets, spaces)
    return await list_again(connection, turned) if turned else Counter()


def _read_time(mark: bytes) -> datetime:
    return EPOCH + timedelta(microseconds=int.from_bytes(mark[:SEEN], "big"))
