"""GET /api/v2/attention: runs that failed or are open, with what lies downstream of them."""

from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v2.asking import read_number, read_switch
from lineal_receiver.api.v2.graph.jobs import find_checks
from lineal_receiver.api.v2.graph.uses import MOST_USES, walk_uses
from lineal_receiver.api.v2.graph.walked import Graph, open_graph
from lineal_receiver.api.v2.parameters import Described, describe
from lineal_receiver.api.v2.runs import build_runs, place_of, read_place, write_place
from lineal_receiver.ids import NONE, namespace_id
from lineal_receiver.store.read_attention import count_wanting, fetch_named_outputs, has_more_runs, list_wanting
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_run_list import BEFORE_ALL, ListedRun, fetch_listed
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_ROWS, MOST_HOURS = 200, 24 * 366
DEPTH, MOST_DOWNSTREAM, NEAREST = 100, 1_000, 5
ENDS = {"FAILED": 0, "ABORTED": 1, "OPEN": 3}
STATE: dict[str, Described] = {
    "state": (
        "only these: FAILED, ABORTED, OPEN (more than once: any of them)",
        {"type": "array", "items": {"type": "string", "enum": list(ENDS)}},
        None,
    )
}

RunKey = tuple[UUID, UUID]


@router.get("/api/v2/attention", openapi_extra=describe("hours", "namespace", "all", "limit", "cursor", own=STATE))
async def show(request: Request) -> Response:
    """Runs of the last hours that failed, were aborted or are open, the last started first, with what lies downstream.

    What a later run of the same job has made good isn't listed, unless `all` is true.
    """
    asked = request.query_params
    hours = read_number("hours", asked.get("hours"), 24, MOST_HOURS)
    limit, every = read_number("limit", asked.get("limit"), 50, MOST_ROWS), read_switch("all", asked.get("all"))
    space = namespace_id(asked["namespace"]) if asked.get("namespace") else None
    ends, after = _read_states(asked.getlist("state")), read_place(asked.get("cursor")) or BEFORE_ALL
    since = datetime.now(timezone.utc) - timedelta(hours=hours)
    async with snapshot(request.app.state.pool) as connection:
        keys = await list_wanting(connection, since, space, after, ends, limit + 1, every=every)
        runs = await fetch_listed(connection, keys[:limit])
        counts = await count_wanting(connection, since, space, every=every)
        capped = await has_more_runs(connection, since)
        shown = await _assemble(connection, runs)
    following = write_place(place_of(runs[-1])) if len(keys) > limit else None
    return answer(
        {
            "since": since,
            "counts": {name.lower(): counts.get(rank, 0) for name, rank in ENDS.items()},
            "runs": shown,
            "next": following,
            "capped": capped,
        }
    )


async def _assemble(connection: Connection, runs: list[ListedRun]) -> list[dict[str, Any]]:
    keys = [(run.job_id, run.run_id) for run in runs]
    graph = await open_graph(connection, None)
    outputs = await _find_outputs(connection, graph, keys)
    reached: dict[tuple[UUID, ...], dict[str, Any]] = {}
    answers = []
    for run, key in zip(await build_runs(connection, runs), keys, strict=True):
        made = tuple(sorted(outputs[key]))
        if made not in reached:
            reached[made] = await _look_downstream(connection, graph, made)
        answers.append({**run, **reached[made]})
    return answers


async def _find_outputs(connection: Connection, graph: Graph, keys: list[RunKey]) -> dict[RunKey, set[UUID]]:
    """What each run was to write: what it named, and what its job writes now."""
    found: dict[RunKey, set[UUID]] = {key: set() for key in keys}
    named = await fetch_named_outputs(connection, keys, MOST_USES)
    identities = graph.names.identities
    roots = await identities.find_roots(dataset for _, dataset in named)
    for key, dataset in named:
        found[key].add(roots[dataset])
    jobs = await identities.find_roots(job for job, _ in keys)
    uses, _ = await graph.steps.of_jobs(list(dict.fromkeys(jobs.values())), MOST_USES)
    for key in keys:
        found[key] |= {use.target for use in uses if use.job == jobs[key[0]] and use.target != NONE}
    return found


async def _look_downstream(connection: Connection, graph: Graph, outputs: tuple[UUID, ...]) -> dict[str, Any]:
    """The datasets that a run was to write, and what hangs on them."""
    start = dict.fromkeys(outputs, 0)
    reach = await walk_uses(connection, graph.steps, start, DEPTH, MOST_DOWNSTREAM, upstream=False)
    below = {dataset: distance for dataset, distance in reach.datasets.items() if dataset not in start}
    rows = await fetch_datasets(connection, [*outputs, *sorted(below, key=lambda one: (below[one], one))[:NEAREST]])
    idle = reach.jobs.keys() - {use.job for use in reach.uses if use.target != NONE}
    checks = await find_checks(connection, list(idle))

    def describe_all(datasets: list[UUID]) -> list[dict[str, Any]]:
        found = [rows[dataset] for dataset in datasets if dataset in rows]
        return [{"id": row.id, "namespace": row.namespace, "name": row.name} for row in found]

    nearest = sorted((dataset for dataset in rows if dataset in below), key=lambda one: (below[one], rows[one].name))
    return {
        "outputs": sorted(describe_all(list(outputs)), key=lambda one: (one["namespace"], one["name"])),
        "downstream": {
            "datasets": len(below),
            "jobs": len(reach.jobs) - len(idle),
            "consumers": len(idle) - len(checks),
            "checks": len(checks),
            "nearest": describe_all(nearest),
            "capped": reach.cut,
        },
    }


def _read_states(texts: list[str]) -> list[int]:
    states = {text.upper() for text in texts if text} or set(ENDS)
    if not states <= ENDS.keys():
        raise problem(400, "bad-state", f"`state` is one of {', '.join(ENDS)}.")
    return sorted(ENDS[state] for state in states)
