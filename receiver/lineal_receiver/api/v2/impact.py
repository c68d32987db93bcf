"""GET /api/v2/impact: everything downstream of a column, dataset or job, with the distance and why."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.kept import answer_kept
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.api.v2.asking import (
    Node,
    find_node,
    guess_dataset,
    read_choice,
    read_moment,
    read_node,
    read_number,
    read_switch,
)
from lineal_receiver.api.v2.cursors import bad_cursor, read_parts, write_cursor
from lineal_receiver.api.v2.graph.affected import Affected, Hit, Start, find_affected
from lineal_receiver.api.v2.graph.columns import fetch_among, walk_from
from lineal_receiver.api.v2.graph.datasets import list_owners
from lineal_receiver.api.v2.graph.evidence import fetch_readings_of
from lineal_receiver.api.v2.graph.jobs import describe_jobs, is_check
from lineal_receiver.api.v2.graph.uses import MOST_USES, look_ahead, walk_uses
from lineal_receiver.api.v2.graph.walked import Graph, open_graph
from lineal_receiver.api.v2.parameters import TARGET, Described, describe
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.together import together

router = read_router()

KINDS = ("columns", "datasets", "jobs", "consumers", "checks")
MOST_ROWS, DEPTH, MOST_NODES, MOST_OWNED = 1_000, 100, 5_000, 1_000
LARGEST_FACET = 65_536
CUT = "more lies downstream than can be looked at; what is nearest is given"
KIND: dict[str, Described] = {"kind": ("only this list", {"type": "string", "enum": list(KINDS)}, "columns")}


@router.get("/api/v2/impact", openapi_extra=describe(*TARGET, "asOf", "withRows", "limit", "cursor", own=KIND))
async def show(request: Request) -> Response:
    """Everything downstream, grouped, with how far away it is and why; what decides rows counts unless told not to."""
    asked, node = request.query_params, read_node(request)
    at, rows = read_moment("asOf", asked.get("asOf")), read_switch("withRows", asked.get("withRows"), default=True)
    limit = read_number("limit", asked.get("limit"), 100, MOST_ROWS)
    one = read_choice("kind", asked.get("kind"), KINDS, "")
    kind, start = _read_start(asked.get("cursor"), one)

    async def build(connection: Connection) -> tuple[dict[str, Any], str | None]:
        guess = guess_dataset(node)
        look = None if guess is None else partial(look_ahead, start=guess, upstream=False)
        target, graph = await together(connection, find_node(connection, node, at), open_graph(connection, at, look))
        body = await _assemble(connection, graph, target, at, rows, limit, kind, start)
        return body, body["cut"]

    return await answer_kept(request, build)


async def _assemble(
    connection: Connection, graph: Graph, node: Node, at: Any, rows: bool, limit: int, kind: str, start: int
) -> dict[str, Any]:
    found, cut = await look_downstream(connection, graph, node, rows=rows)
    (datasets, owners), writes, jobs = await together(
        connection,
        _fetch_owned(connection, list({*found.datasets, *(one for one, _ in found.columns)})),
        _find_writers(graph, list(found.jobs)),
        describe_jobs(connection, _sort(found.jobs, str)[:MOST_OWNED], at),
    )
    types = {
        name: {field["name"]: field["type"] for field in build_fields(row.fields)} for name, row in datasets.items()
    }

    columns = Counter(dataset for dataset, _ in found.columns)

    def name_dataset(dataset: UUID) -> tuple[str, str]:
        return datasets[dataset].namespace, datasets[dataset].name

    def build_column(column: tuple[UUID, str]) -> dict[str, Any]:
        dataset, field = column
        hit = found.columns[column]
        return {
            "dataset": dataset,
            "namespace": datasets[dataset].namespace,
            "name": datasets[dataset].name,
            "field": field,
            "type": types[dataset].get(field),
            "distance": hit.distance,
            "why": hit.why,
            "via": _name_column(hit, node, datasets),
        }

    def build_dataset(dataset: UUID) -> dict[str, Any]:
        hit = found.datasets[dataset]
        return {
            "id": dataset,
            "namespace": datasets[dataset].namespace,
            "name": datasets[dataset].name,
            "distance": hit.distance,
            "why": hit.why,
            "columns": columns[dataset],
            "owners": owners.get(dataset, []),
        }

    def build_job(job: UUID) -> dict[str, Any]:
        hit, said = found.jobs[job], jobs[job]
        shown = {key: said[key] for key in ("id", "namespace", "name", "jobType", "lastRun", "owners")}
        return {**shown, "distance": hit.distance, "why": hit.why}

    known = {column: hit for column, hit in found.columns.items() if column[0] in datasets}
    lists: dict[str, tuple[list[Any], Callable[[Any], dict[str, Any]]]] = {
        "columns": (_sort(known, lambda one: (*name_dataset(one[0]), one[1])), build_column),
        "datasets": (_sort({k: v for k, v in found.datasets.items() if k in datasets}, name_dataset), build_dataset),
    }

    def sort_out(job: UUID) -> str:
        return "jobs" if job in writes else "checks" if is_check(jobs[job]["jobType"]) else "consumers"

    for noun in ("jobs", "consumers", "checks"):
        named = {job: hit for job, hit in found.jobs.items() if job in jobs and sort_out(job) == noun}
        lists[noun] = (_sort(named, lambda one: (jobs[one]["namespace"], jobs[one]["name"])), build_job)
    shown = {noun: pair for noun, pair in lists.items() if kind in ("", noun)}
    said = {owner["name"] for one in (*owners.values(), *(job["owners"] for job in jobs.values())) for owner in one}
    return {
        "target": node.describe(),
        "asOf": at,
        "withRows": rows,
        "counts": {noun: len(listed) for noun, (listed, _) in lists.items()},
        **{noun: [build(one) for one in listed[start : start + limit]] for noun, (listed, build) in shown.items()},
        "owners": sorted(said),
        "next": {
            noun: write_cursor(noun, str(start + limit))
            for noun, (listed, _) in shown.items()
            if len(listed) > start + limit
        },
        "cut": CUT if cut or len(found.jobs) > MOST_OWNED else None,
    }


async def look_downstream(connection: Connection, graph: Graph, node: Node, *, rows: bool) -> tuple[Affected, bool]:
    """What a change of a node reaches, and whether there is more than could be looked at."""
    start, cut = await _find_start(graph, node)
    first = dict.fromkeys((*start.wholes, *(one for one, _ in start.columns)), start.distance)
    walking = walk_uses(connection, graph.steps, first, DEPTH, MOST_NODES, upstream=False, hidden=graph.hidden)
    if start.columns and isinstance(graph.names, NamesNow):
        columns = list(start.columns)
        edging = walk_from(connection, graph.names, columns, DEPTH, upstream=False, rows=rows, hidden=graph.hidden)
        reach, edges = await together(connection, walking, edging)
    else:
        reach = await walking
        edges = await fetch_among(graph.names, list(reach.datasets), rows=rows, hidden=graph.hidden)
    slots = list({(use.target, use.job) for use in reach.uses if use.target != NONE})
    readings = await fetch_readings_of(connection, graph, slots) if start.columns else {}
    traced = {slot for slot, row in readings.items() if row.status == "resolved"}
    found = find_affected(start, edges.rows, reach.uses, set(slots) - traced)
    found.jobs.pop(node.id, None)
    return found, cut or reach.cut or edges.cut


async def _find_start(graph: Graph, node: Node) -> tuple[Start, bool]:
    """What changes: a column, a dataset, or all that a job writes."""
    if node.field is not None:
        return Start(columns=((node.id, node.field),)), False
    if node.kind == "dataset":
        return Start(wholes=(node.id,)), False
    uses, cut = await graph.steps.of_jobs([node.id], MOST_USES)
    return Start(wholes=tuple({use.target for use in uses if use.target != NONE}), distance=1), cut


async def _find_writers(graph: Graph, jobs: list[UUID]) -> set[UUID]:
    """Those of `jobs` that write anything."""
    uses, _ = await graph.steps.of_jobs(jobs, MOST_USES) if jobs else ([], False)
    return {use.job for use in uses if use.target != NONE}


Owners = dict[UUID, list[dict[str, str | None]]]


async def _fetch_owned(connection: Connection, wanted: list[UUID]) -> tuple[dict[UUID, DatasetRow], Owners]:
    """These datasets, and whose they are."""
    datasets = await fetch_datasets(connection, wanted)
    named = [(name, NONE) for row in datasets.values() for name in row.names][:MOST_NODES]
    said = await fetch_facets(connection, named, "dw", LARGEST_FACET, ("ownership",)) if named else {}
    return datasets, {
        dataset: list_owners([facet for name in row.names for facet in said.get((name, NONE), [])])
        for dataset, row in datasets.items()
    }


def _name_column(hit: Hit, node: Node, datasets: dict[UUID, DatasetRow]) -> dict[str, Any] | None:
    if hit.via is None:
        return None
    dataset, field = hit.via
    if dataset == node.id:
        return {"namespace": node.namespace, "name": node.name, "field": field}
    row = datasets.get(dataset)
    return None if row is None else {"namespace": row.namespace, "name": row.name, "field": field}


def _sort(hits: dict[Any, Hit], name: Callable[[Any], Any]) -> list[Any]:
    """The nearest first, then by name."""
    return sorted(hits, key=lambda one: (hits[one].distance, name(one), str(one)))


def _read_start(cursor: str | None, kind: str) -> tuple[str, int]:
    """Which list to go on with, and where."""
    parts = read_parts(cursor, 2)
    if parts is None:
        return kind, 0
    noun, start = parts
    if noun not in KINDS or kind not in ("", noun) or not (start.isascii() and start.isdigit() and len(start) < 10):
        raise bad_cursor()
    return noun, int(start)
