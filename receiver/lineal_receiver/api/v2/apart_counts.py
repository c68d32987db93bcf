"""How many edges and models datasets have that have, or had, other names: by what they are called now."""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from lineal_receiver.api.v2.apart import Apart
from lineal_receiver.api.v2.graph.evidence import fetch_readings_of_writes
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_apart import list_edges_beside, list_failed, list_models
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_jobs import fetch_families

MOST_EDGES, MOST_MODELS = 50_000, 10_000


async def count_edges_apart(apart: Apart, jobs_of: UUID | None) -> tuple[int, bool]:
    """Distinct pairs of source and target column in force, and whether all rows were looked at."""
    names = apart.names
    rows = await list_edges_beside(names.identities.connection, sorted(apart.ids), MOST_EDGES)
    folded = await names.fold_edges(rows, await apart.find_places(), MOST_EDGES)
    edges = [edge for edge in folded if not edge.last_known]
    jobs = await _choose_jobs(apart, (edge.job_id for edge in edges), jobs_of)
    ends = {end for edge in edges for end in (edge.source_dataset, edge.target_dataset)}
    gone = await Hidden(names.identities.connection).among(ends)
    pairs = {
        (edge.source, edge.target)
        for edge in edges
        if edge.job_id in jobs and edge.target_field and not gone & {edge.source_dataset, edge.target_dataset}
    }
    return len(pairs), len(rows) < MOST_EDGES


async def count_models_apart(apart: Apart, jobs_of: UUID | None) -> Counter[str]:
    """Their newest readings by how well they are known; failed: where there is none, and one failed."""
    names, places = apart.names, await apart.find_places()
    rows = await list_models(names.identities.connection, sorted(apart.ids), MOST_MODELS)
    settled = await names.settle([(*slot, slot[0]) for slot in rows])
    models = {place[:2]: rows[slot[:2]] for slot, place in settled.items() if place is not None}
    moved = await names.moved.find_builds(places) if names.moved is not None else {}
    newest = {pair: writes[0] for pair, writes in moved.items()}
    told = await fetch_readings_of_writes(names.identities.connection, newest)
    models |= {pair: row.status for pair, row in told.items() if row.status is not None}
    failed = await list_failed(names.identities.connection, sorted(apart.ids), MOST_MODELS)
    roots = await names.identities.find_roots(name for pair in failed for name in pair)
    for dataset, job in failed:
        models.setdefault((roots[dataset], roots[job]), "failed")
    jobs = await _choose_jobs(apart, (job for _, job in models), jobs_of)
    gone = await Hidden(names.identities.connection).among(dataset for dataset, _ in models)
    return Counter(status for (dataset, job), status in models.items() if job in jobs and dataset not in gone)


async def _choose_jobs(apart: Apart, jobs: Iterable[UUID], jobs_of: UUID | None) -> set[UUID]:
    """Those of `jobs` that are there and a namespace's; without one, all that are there."""
    every = set(jobs)
    found = every - await Hidden(apart.names.identities.connection).among(every)
    if jobs_of is None or not found:
        return found
    families = await fetch_families(apart.names.identities.connection, list(found))
    return {job for job in found if job in families and namespace_id(families[job].namespace) == jobs_of}
