"""Versions of jobs: the distinct inputs, outputs and places of code of runs that ended or stream, and of JobEvents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.ids import version_id
from lineal_receiver.ingest.facts import Changes, RunFacts
from lineal_receiver.store import write_jobs
from lineal_receiver.store.connection import Connection

Pair = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class Made:
    """The version that a run makes, and when."""

    version: UUID
    inputs: tuple[UUID, ...]
    outputs: tuple[UUID, ...]
    location: str | None
    at: datetime


def state_versions(changes: Changes) -> dict[Pair, Made]:
    """By run: the version that it makes if nothing else is known of it than these changes."""
    named: dict[Pair, dict[str, list[UUID]]] = {}
    for dataset, job, run_id, side in changes.io:
        named.setdefault((job, run_id), {"i": [], "o": []})[side].append(dataset)
    found = {}
    for key, run in changes.runs.items():
        sides = named.get(key, {"i": [], "o": []})
        made = None if run.placeholder else _state_version(key[0], run, sorted(sides["i"]), sorted(sides["o"]))
        if made is not None:
            found[key] = made
    return found


def _state_version(job: UUID, run: RunFacts, inputs: list[UUID], outputs: list[UUID]) -> Made | None:
    streaming = run.streaming is not None and run.streaming[1]
    at = run.end[1] if run.end is not None else run.first_at
    if at is None or not _makes_one(run.end, streaming, inputs, outputs):
        return None
    location = run.location[1] if run.location is not None else None
    return Made(version_id(job, inputs, outputs, location), tuple(inputs), tuple(outputs), location, at)


def _makes_one(end: object, streaming: bool, inputs: Sequence[UUID], outputs: Sequence[UUID]) -> bool:
    """Whether a run makes a version: when it has ended, or while it streams and has named something."""
    return end is not None or (streaming and bool(inputs or outputs))


async def derive_versions(
    connection: Connection,
    runs: Sequence[Pair],
    fresh: Mapping[Pair, Made | None],
    changes: Changes,
    stale: set[Pair],
) -> None:
    """The version of each of these (locked) runs that ended or streams, and those that JobEvents declare.

    Those of `fresh` runs, of which nothing was known before, are in their rows already. `stale` are versions that must
    be dated again anyway.
    """
    if changes.ahead_versions:
        ahead = [(*key, at) for key, at in sorted(changes.ahead_versions.items())]
        await write_jobs.upsert_ahead_versions(connection, ahead)
    ahead_at = {(job, identity): at for (job, identity, _), at in changes.ahead_versions.items()}
    rows: list[tuple[Any, ...]] = [
        (*key, said.inputs, said.outputs, said.location, said.at, said.at or ahead_at[key], None)
        for key, said in changes.versions.items()
    ]
    stale = stale | set(changes.versions)
    for (job, key), first in (await _find_new(connection, fresh, changes)).items():
        if first.run is None:
            stale.add((job, key))
        made = first.made
        rows.append((job, key, made.inputs, made.outputs, made.location, None, made.at, first.run))
    moved: list[tuple[UUID, UUID, UUID | None]] = []
    for row in await write_jobs.fetch_statements(connection, runs) if runs else []:
        job, before, after = row["job_id"], row["version_id"], _find_version(row)
        stale.update((job, identity) for identity in (before, after) if identity is not None)
        if before == after:
            continue
        moved.append((job, row["run_id"], after))
        if after is not None:
            at = row["end_at"] or row["first_at"]
            rows.append((job, after, row["inputs"], row["outputs"], row["location"], None, at, None))
    if moved:
        await write_jobs.update_run_versions(connection, moved)
    if rows:
        await write_jobs.upsert_versions(connection, _unique(rows))
    if stale:
        await write_jobs.settle_versions(connection, sorted(stale))


@dataclass(frozen=True, slots=True)
class _First:
    """A version as the first of the fresh runs that make it made it; the run, where it is the first of all."""

    made: Made
    run: UUID | None


async def _find_new(connection: Connection, fresh: Mapping[Pair, Made | None], changes: Changes) -> dict[Pair, _First]:
    """By (job, version): those of the fresh runs' that aren't there since before these runs made them."""
    earliest: dict[Pair, tuple[bool, datetime, UUID]] = {}
    for key, made in fresh.items():
        if made is not None:
            found, version = (changes.runs[key].future, made.at, key[1]), (key[0], made.version)
            earliest[version] = min(earliest.get(version, found), found)
    if not earliest:
        return {}
    kept = await write_jobs.find_versions(connection, [(*key, at) for key, (_, at, _) in earliest.items()])
    new: dict[Pair, _First] = {}
    for pair, (future, _, run) in earliest.items():
        made = fresh[pair[0], run]
        if made is not None and not kept.get(pair, False):
            new[pair] = _First(made, None if future or pair in kept else run)
    return new


def _find_version(row: Any) -> UUID | None:
    """The version that a stored run makes."""
    if not _makes_one(row["end_at"], row["streaming"], row["inputs"], row["outputs"]):
        return None
    return version_id(row["job_id"], row["inputs"], row["outputs"], row["location"])


def _unique(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """One row a version; a declared one first, so that its time isn't lost."""
    unique: dict[tuple[UUID, UUID], tuple[Any, ...]] = {}
    for row in rows:
        unique.setdefault((row[0], row[1]), row)
    return list(unique.values())
