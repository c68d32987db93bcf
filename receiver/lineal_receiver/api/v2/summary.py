"""GET /api/v2/summary: how much there is, and how much of it is known."""

from collections import Counter
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Text
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v2.apart import find_apart
from lineal_receiver.api.v2.apart_counts import count_edges_apart, count_models_apart
from lineal_receiver.api.v2.known import MOST_COUNTED, count_known
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_horizon import count_late
from lineal_receiver.store.read_namespaces import find_namespace
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.read_summary import (
    count_edges,
    count_failed_models,
    count_models,
    count_rejected,
    count_runs,
    sum_events,
    sum_totals,
)

router = read_router()

RUNS = ("COMPLETED", "RUNNING", "FAILED", "ABORTED", "NEW")
COLUMNS = ("traced", "constant", "unresolved")
MODELS = ("resolved", "partial", "unresolved", "failed")


def with_total(counts: dict[str, int], keys: tuple[str, ...]) -> dict[str, int]:
    """The counts of `keys`, 0 where there are none, and their total."""
    return {**{key: counts.get(key, 0) for key in keys}, "total": sum(counts.get(key, 0) for key in keys)}


@router.get("/api/v2/summary")
async def show(
    request: Request,
    namespace: Annotated[Text, Query(description="count only what jobs of this namespace made")] = None,
) -> Response:
    """Counts over the whole store or one namespace of jobs.

    Runs, edges, columns and models are each counted from MOST_COUNTED rows at most; `capped` names what has more.
    Jobs and datasets are those of the namespace itself; events are counted for the whole store.
    """
    async with snapshot(request.app.state.pool, "freely") as connection:
        scope = await _find_scope(connection, namespace) if namespace else None
        apart = await find_apart(await open_identities(connection))
        runs = with_total(await count_runs(connection, scope, MOST_COUNTED), RUNS)
        others = sorted(apart.ids) if apart.names.identities.any else None
        edges, all_edges = await count_edges(connection, scope, MOST_COUNTED, others)
        known, all_columns = await count_known(apart, jobs_of=scope)
        models = Counter(await count_models(connection, scope, MOST_COUNTED, others or []))
        if others:
            edges_apart, all_apart = await count_edges_apart(apart, scope)
            edges, all_edges = edges + edges_apart, all_edges and all_apart and apart.whole
            models += await count_models_apart(apart, scope)
        all_models = models.total() < MOST_COUNTED
        models["failed"] += await count_failed_models(connection, scope, MOST_COUNTED, others or [])
        totals = await sum_totals(connection, scope)
        events = {
            "accepted": await sum_events(connection),
            "rejected": await count_rejected(connection, MOST_COUNTED),
            "late": await count_late(connection, MOST_COUNTED),
        }
    whole = {
        "runs": runs["total"] < MOST_COUNTED,
        "edges": all_edges,
        "columns": all_columns,
        "models": all_models,
    }
    body: dict[str, Any] = {
        "runs": runs,
        "namespaces": totals.get("namespaces", 0) if scope is None else 1,
        "jobs": totals.get("jobs", 0),
        "datasets": totals.get("datasets", 0),
        "edges": edges,
        "columns": with_total(known.statuses, COLUMNS),
        "models": {status: models[status] for status in MODELS},
        "events": events,
        "capped": [name for name, complete in whole.items() if not complete],
    }
    return answer(body)


async def _find_scope(connection: Connection, namespace: str) -> UUID:
    """The namespace that stands for the one that is called so; 404 if nothing named it."""
    found = await find_namespace(connection, namespace_id(namespace))
    if found is None:
        raise problem(404, "no-such-namespace", f"No event has named the namespace '{namespace}'.")
    return found.id
