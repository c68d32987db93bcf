"""Facets' registers. What the deciding end of a run carries is kept as one set by its content, once for all such runs.

Most runs of a job say what the run before said: a row for the run then stands for a row for each facet. A facet that a
later event states, or that the set doesn't have, has a register of its own; others that the set has are beaten by it.
"""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import run_scope, time_of
from lineal_receiver.ingest.facts import Changes, EndFacets, FacetKey, FacetValue, RunFacts
from lineal_receiver.store import write_facets as store
from lineal_receiver.store.connection import Connection

Pair = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of a run: the key of the end that decides, and the key and the facets of the end that did."""

    decides: bytes | None
    key: bytes | None = None
    facets: dict[FacetKey, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class _Settled:
    """What becomes of runs' facets: registers, sets (key and id, or neither), registers that sets have beaten."""

    registers: dict[FacetKey, FacetValue] = field(default_factory=dict)
    sets: dict[Pair, tuple[bytes | None, bytes | None]] = field(default_factory=dict)
    beaten: dict[FacetKey, bytes] = field(default_factory=dict)


def register_key_of(end_key: bytes) -> bytes:
    """The key of an end's assertions, from the key that orders ends."""
    return end_key[:8] + b"\x02" + end_key[9:]


def find_run_set(run: RunFacts, ends: dict[bytes, EndFacets] | None) -> tuple[bytes | None, bytes | None]:
    """The key and id of the set that the end which decides of a new run carries."""
    key = register_key_of(run.end[0]) if run.end is not None and ends else None
    return (key, ends[key].id) if key is not None and ends and key in ends else (None, None)


async def write_facets(connection: Connection, changes: Changes, fresh: set[Pair], known: set[bytes]) -> None:
    """Keep all facets that were stated; of `fresh` runs nothing can be there, sets that are `known` are."""
    await _write_sets(connection, changes, known)
    scopes = {run: run_scope(*run) for run in changes.real_runs()}
    by_run, others = _part(changes, scopes)
    kept = await _fetch_kept(connection, scopes, by_run, changes, fresh)
    new, old = _Settled(), _Settled(registers=others)
    for run in scopes:
        end = changes.runs[run].end
        before = kept.get(run) or _Kept(end and register_key_of(end[0]))
        _settle(new if run in fresh else old, run, before, by_run.get(run, {}), changes.end_facets.get(run, {}))
    if new.registers:
        await store.insert_facets(connection, _rows(new.registers))
    if old.beaten:
        await store.delete_beaten_facets(connection, [(*key, beats) for key, beats in old.beaten.items()])
    if old.registers:
        await store.upsert_facets(connection, _rows(old.registers))
    if old.sets:
        await store.update_run_sets(connection, [(*run, *row) for run, row in old.sets.items()])


def _rows(registers: dict[FacetKey, FacetValue]) -> list[tuple[object, ...]]:
    return [(*key, value.key, value.at, value.body) for key, value in registers.items()]


async def _write_sets(connection: Connection, changes: Changes, known: set[bytes]) -> None:
    sets = {end.id: end for ends in changes.end_facets.values() for end in ends.values() if end.id not in known}
    kept = await store.find_facet_sets(connection, list(sets)) if sets else set()
    rows = [(key, *member) for key, end in sets.items() if key not in kept for member in end.members]
    if rows:
        await store.insert_facet_sets(connection, rows)


def _part(
    changes: Changes, scopes: dict[Pair, UUID]
) -> tuple[dict[Pair, dict[FacetKey, FacetValue]], dict[FacetKey, FacetValue]]:
    """Registers by the run that they belong to, and those that belong to none."""
    runs = {scope: run for run, scope in scopes.items()}
    by_run: dict[Pair, dict[FacetKey, FacetValue]] = {}
    others: dict[FacetKey, FacetValue] = {}
    for key, value in changes.facets.items():
        entity, scope, side, _ = key
        run = (entity, scope) if side in "jr" else runs.get(scope)
        (others if run is None or run not in scopes else by_run.setdefault(run, {}))[key] = value
    return by_run, others


async def _fetch_kept(
    connection: Connection,
    scopes: dict[Pair, UUID],
    by_run: dict[Pair, dict[FacetKey, FacetValue]],
    changes: Changes,
    fresh: set[Pair],
) -> dict[Pair, _Kept]:
    """What is kept of the runs that were there before, as far as what was said now can change it."""
    asked = [run for run in scopes if run not in fresh and (run in by_run or changes.runs[run].end is not None)]
    rows = await store.fetch_run_sets(connection, asked) if asked else []
    ids = {row["facet_set_id"] for row in rows} - {None}
    members: dict[bytes, list[tuple[UUID, str, str, bytes]]] = {}
    for row in await store.fetch_facet_sets(connection, list(ids)) if ids else ():
        members.setdefault(row["set_id"], []).append((row["entity_id"], row["side"], row["name"], row["body_id"]))
    kept: dict[Pair, _Kept] = {}
    for row in rows:
        run = (row["job_id"], row["run_id"])
        facets = {
            (entity, run[1] if side == "j" else scopes[run], side, name): body
            for entity, side, name, body in members.get(row["facet_set_id"], ())
        }
        kept[run] = _Kept(row["end_key"] and register_key_of(row["end_key"]), row["facet_set_key"], facets)
    return kept


def _settle(
    settled: _Settled,
    run: Pair,
    kept: _Kept,
    registers: dict[FacetKey, FacetValue],
    ends: dict[bytes, EndFacets],
) -> None:
    """What of a run is a register and what is a set, from what is kept and what was said now."""
    registers = dict(registers)
    for key, end in ends.items():
        if key != kept.decides:
            _join(registers, key, end.at, end.facets)
    decides = ends.get(kept.decides) if kept.decides is not None else None
    replaced = kept.key is not None and kept.key != kept.decides
    if replaced and kept.key is not None:
        _join(registers, kept.key, time_of(kept.key), kept.facets)
    if decides is not None and kept.decides is not None:
        settled.sets[run] = (kept.decides, decides.id)
        settled.beaten.update(dict.fromkeys(decides.facets, kept.decides))
    elif replaced:
        settled.sets[run] = (None, None)
    facets = decides.facets if decides is not None else {} if replaced else kept.facets
    for facet, value in registers.items():
        if facet not in facets or kept.decides is None or value.key > kept.decides:
            settled.registers[facet] = value


def _join(registers: dict[FacetKey, FacetValue], key: bytes, at: datetime, facets: dict[FacetKey, bytes]) -> None:
    """Facets of an end that doesn't decide are registers like others."""
    for facet, body in facets.items():
        known = registers.get(facet)
        if known is None or key > known.key:
            registers[facet] = FacetValue(key, at, body)
