"""What is trusted counts as if it weren't from the future, whatever events' flags say: it is joined with all else."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from lineal_receiver.ids import AHEAD, DROPPED, DROPPED_AHEAD, NONE, run_scope
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.ingest.fold_datasets import GATED
from lineal_receiver.store import (
    write_commands,
    write_facets,
    write_io,
    write_named_versions,
    write_statements,
    write_told,
    write_trusted,
)
from lineal_receiver.store.connection import Connection

Pair = tuple[UUID, UUID]
Triple = tuple[UUID, UUID, UUID]

PRESENT = {AHEAD: NONE, DROPPED_AHEAD: DROPPED}
"""What static events from the future stand as once they are trusted."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What is ranked anew: runs (job, run), what static events said (dataset, job), versions of jobs, jobs themselves.

    totals: by how much lists' totals changed.
    """

    runs: set[Pair] = field(default_factory=set)
    stated: set[Pair] = field(default_factory=set)
    versions: set[Pair] = field(default_factory=set)
    jobs: set[UUID] = field(default_factory=set)
    totals: Counter[tuple[UUID, str]] = field(default_factory=Counter)


async def own_trust(connection: Connection, changes: Changes) -> None:
    """If these changes have trust, or news from the future, keep others' out until the transaction ends."""
    if changes.commands.trusted or changes.ahead:
        await write_trusted.own_trust(connection, alone=bool(changes.commands.trusted))


async def settle_trusted(connection: Connection, changes: Changes) -> Ranked:
    """Keep what is trusted, and take it out of the future; nothing is sent where these changes have neither."""
    ranked = Ranked()
    if not changes.commands.trusted and not changes.ahead:
        return ranked
    if changes.commands.trusted:
        await write_trusted.insert_trusted(connection, sorted(changes.commands.trusted))
    ahead = {(NONE, *key) for key, run in changes.runs.items() if run.ahead}
    ahead |= {(NONE, job, NONE) for job in changes.ahead}
    for dataset, job, run, _ in changes.io:
        if run in PRESENT:
            ahead |= {(dataset, NONE, NONE), (NONE, job, NONE)} - {(NONE, NONE, NONE)}
    trusted = changes.commands.trusted | await write_trusted.fetch_trusted(connection, sorted(ahead))
    runs = sorted((job, run) for dataset, job, run in trusted if dataset == NONE and run != NONE)
    if runs:
        await _settle_runs(connection, changes, ranked, runs)
    datasets = sorted(dataset for dataset, _, _ in trusted if dataset != NONE)
    jobs = sorted(job for dataset, job, run in trusted if dataset == NONE and run == NONE)
    if datasets or jobs:
        await _settle_statements(connection, changes, ranked, datasets, jobs)
    return ranked


async def _settle_runs(connection: Connection, changes: Changes, ranked: Ranked, runs: list[Pair]) -> None:
    ranked.runs.update(await write_trusted.settle_runs(connection, runs))
    said = {(job, job, run) for job, run in runs}
    keys: set[Triple] = set()
    for row in await write_trusted.fetch_datasets(connection, runs):
        dataset, job, run = row["dataset_id"], row["job_id"], row["run_id"]
        keys.add((dataset, job, run))
        if row["side"] == "i" and row["schema_key"] is not None:
            changes.add_reader_schema(dataset, job, row["schema_key"], row["schema_id"])
    await _join_facets(connection, await write_trusted.fetch_facets(connection, said | keys))
    await _settle_names(connection, changes, keys)
    await _settle_versions(connection, changes, ranked, runs)


async def _settle_statements(
    connection: Connection, changes: Changes, ranked: Ranked, datasets: list[UUID], jobs: list[UUID]
) -> None:
    """Join what static events from the future said of these datasets, or by these jobs, with what others said."""
    keys = await write_trusted.fetch_ahead(connection, datasets, jobs)
    said, named, versions, seen = await write_trusted.take_statements(connection, keys)
    if said:
        await _join_io(connection, changes, ranked, said)
    if named:
        rows = [(row[0], row[1], PRESENT[row[2]], *tuple(row)[3:]) for row in named]
        await write_named_versions.upsert_named_versions(connection, rows)
    if versions:
        await write_commands.upsert_static_versions(connection, [tuple(row) for row in versions])
    for row in seen:
        changes.commands.see(row["dataset_id"], row["job_id"], row["seen"], future=False)
    for place in [place for place in changes.commands.static_seen if place[2]]:
        if place[0] in datasets or place[1] in jobs:
            changes.commands.see(*place[:2], changes.commands.static_seen.pop(place), future=False)
    about = {(dataset, job) for dataset, job, _ in keys} | {(NONE, job) for job in jobs}
    await write_statements.trust_statements(connection, sorted(about))
    targets = {(dataset, job, AHEAD) for dataset, job, _ in keys} | {(NONE, job, AHEAD) for job in jobs}
    told = await write_trusted.take_told(connection, sorted(targets))
    if told:
        await write_told.upsert_told(connection, [(row[0], NONE, *tuple(row)[2:]) for row in told])
    await _settle_names(connection, changes, set(keys))
    scopes = {(dataset, run_scope(job, run)): run_scope(job, PRESENT[run]) for dataset, job, run in keys}
    await _join_scopes(connection, scopes)
    if jobs:
        await _settle_jobs(connection, changes, ranked, jobs)


async def _join_io(connection: Connection, changes: Changes, ranked: Ranked, said: Iterable[Any]) -> None:
    rows = []
    for row in said:
        dataset, job, run, side, *facts = tuple(row)
        rows.append((dataset, job, PRESENT[run], side, *facts, False))
        ranked.stated.add((dataset, job))
        if side == "o":
            ranked.totals[dataset, "versions"] -= 1
        elif row["schema_key"] is not None:
            changes.add_reader_schema(dataset, job, row["schema_key"], row["schema_id"])
    for dataset, count in (await write_io.upsert_io(connection, rows)).items():
        ranked.totals[dataset, "versions"] += count


async def _settle_names(connection: Connection, changes: Changes, keys: set[Triple]) -> None:
    """What (dataset, job, run) said of other names from the future, before and in these changes, to be kept as any."""
    claims, renames = await write_trusted.take_names(connection, sorted(keys))
    for row in claims:
        alias, declarer, job, run, side, at = tuple(row)
        changes.add_claim((alias, declarer, job, PRESENT.get(run, run), side, False), at)
    for row in renames:
        old, new, job, run, at = tuple(row)
        changes.add_rename((old, new, job, PRESENT.get(run, run), False), at)
    for claim in [claim for claim in changes.claims if claim[5] and claim[1:4] in keys]:
        changes.add_claim((*claim[:3], PRESENT.get(claim[3], claim[3]), claim[4], False), changes.claims.pop(claim))
    for rename in [rename for rename in changes.renames if rename[4] and rename[1:4] in keys]:
        changes.add_rename((*rename[:3], PRESENT.get(rename[3], rename[3]), False), changes.renames.pop(rename))


async def _join_scopes(connection: Connection, scopes: dict[Pair, UUID]) -> None:
    """Move facets from (entity, scope) to that entity's other scope, and let them count among the newest of all."""
    taken = await write_trusted.take_facets(connection, scopes) if scopes else []
    rows = [(row[0], scopes[row[0], row[1]], *tuple(row)[2:]) for row in taken]
    if rows:
        await write_facets.upsert_facets(connection, rows)
    await _join_facets(connection, [(row[0], *tuple(row)[2:]) for row in taken])


async def _join_facets(connection: Connection, facets: Iterable[Any]) -> None:
    """Let facets (entity, side, name, key, at, body) count among the newest of all that was said."""
    newest: dict[tuple[UUID, str, str], tuple[Any, ...]] = {}
    for entity, side, name, key, at, body in map(tuple, facets):
        known = newest.get((entity, side, name))
        counts = side == "j" or (side in "dw" and name not in GATED)
        if counts and (known is None or key > known[4]):
            newest[entity, side, name] = (entity, NONE, side, name, key, at, body)
    if newest:
        await write_facets.upsert_facets(connection, list(newest.values()))


async def _settle_jobs(connection: Connection, changes: Changes, ranked: Ranked, jobs: list[UUID]) -> None:
    """What JobEvents from the future said of these jobs themselves."""
    ranked.jobs.update(jobs)
    facets = await write_trusted.take_facets(connection, [(job, AHEAD) for job in jobs])
    await _join_facets(connection, [(row[0], *tuple(row)[2:]) for row in facets])
    await _settle_versions(connection, changes, ranked, [(job, NONE) for job in jobs])
    await write_trusted.see_jobs(connection, jobs)


async def _settle_versions(connection: Connection, changes: Changes, ranked: Ranked, tellers: Sequence[Pair]) -> None:
    """Let the versions that (job, run or none) declared from the future, before and in these changes, count as any."""
    taken = await write_trusted.take_versions(connection, tellers)
    ranked.versions.update((row["job_id"], row["id"]) for row in taken)
    for key in [key for key in changes.ahead_versions if (key[0], key[2]) in tellers]:
        changes.versions[key[:2]] = changes.versions[key[:2]].join(changes.ahead_versions.pop(key))
