"""GET /api/v1/lineage: the jobs and datasets around a job or dataset, in both directions."""

from collections import defaultdict
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.kept import answer_kept
from lineal_receiver.api.nodes import build_node_id
from lineal_receiver.api.queries import Text, read_flag, read_optional_time, read_whole
from lineal_receiver.api.refusals import refused
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.nodes import assemble_dataset_data, assemble_job_data
from lineal_receiver.api.v1.assembly.nodes_then import assemble_dataset_data_then, assemble_job_data_then
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names_now import open_names_now
from lineal_receiver.api.v1.names_then import NamesThen, open_names_then
from lineal_receiver.api.v1.newest_runs import NewestRuns
from lineal_receiver.api.v1.steps import TableSteps
from lineal_receiver.api.v1.targets import find_table_target, read_target
from lineal_receiver.api.v1.walks import MOST_EDGES, MOST_NODES, TableWalk, walk_tables
from lineal_receiver.store.read_snapshot import Connection

router = read_router()

CUT = f"the graph is larger than {MOST_NODES} nodes or {MOST_EDGES} edges; the nearest nodes are given"

Edge = dict[str, str]


@router.get("/api/v1/lineage")
async def show(
    request: Request,
    node_id: Annotated[  # noqa: ARG001 - for the API's description; it is read undecoded
        Text, Query(alias="nodeId", description="job:<namespace>:<name> or dataset:<namespace>:<name>")
    ] = None,
    depth: Annotated[Text, Query(description="jobs away from the first one: 20 unless told")] = None,
    as_of: Annotated[Text, Query(alias="asOf", description="a time: the lineage that was in force then")] = None,
    latest_run: Annotated[
        Text, Query(alias="latestRun", description="true: by what the newest run of each job read and wrote alone")
    ] = None,
) -> Response:
    """The graph around a job or dataset; `namespace`, `name` and `type` may stand for nodeId."""
    node, hops = read_target(request), read_whole("depth", depth, 20)
    at, latest = read_optional_time(as_of), read_flag(latest_run)
    if at is not None and latest:
        raise refused(400, "asOf and latestRun can't be asked for together")

    async def build(connection: Connection) -> tuple[dict[str, Any], str | None]:
        target = await find_table_target(connection, node, at)
        jobs, datasets = ([target.id], []) if target.kind == "job" else ([], [target.id])
        if at is not None:
            by: TableSteps = await open_names_then(connection, at)
        elif latest:
            by = NewestRuns(await open_identities(connection))
        else:
            by = await (await open_names_now(connection)).look_around(jobs, datasets, hops)
        walk = await walk_tables(connection, by, jobs=jobs, datasets=datasets, depth=hops)
        return {"graph": await build_graph(connection, walk)}, CUT if walk.cut else None

    return await answer_kept(request, build)


async def build_graph(connection: Connection, walk: TableWalk) -> list[dict[str, Any]]:
    """The nodes of a walk with their edges, sorted by id; of one in the past, as they were then."""
    if isinstance(walk.by, NamesThen):
        jobs = await assemble_job_data_then(connection, walk.by, list(walk.jobs), walk.steps)
        datasets = await assemble_dataset_data_then(connection, walk.by, list(walk.datasets))
    else:
        jobs = await assemble_job_data(connection, list(walk.jobs), walk.steps)
        datasets = await assemble_dataset_data(connection, list(walk.datasets))
    ids: dict[tuple[str, UUID], str] = {}
    for kind, found in (("job", jobs), ("dataset", datasets)):
        for entity, data in found.items():
            ids[kind, entity] = build_node_id(kind, data["namespace"], data["name"])
    into: dict[str, list[Edge]] = defaultdict(list)
    out: dict[str, list[Edge]] = defaultdict(list)
    for step in walk.steps:
        job, dataset = ids.get(("job", step.job_id)), ids.get(("dataset", step.dataset_id))
        if job is not None and dataset is not None:
            origin, destination = (job, dataset) if step.side == "o" else (dataset, job)
            edge = {"origin": origin, "destination": destination}
            out[origin].append(edge)
            into[destination].append(edge)
    nodes = [
        {
            "id": node_id,
            "type": kind.upper(),
            "data": (jobs if kind == "job" else datasets)[entity],
            "inEdges": _sort(into[node_id]),
            "outEdges": _sort(out[node_id]),
        }
        for (kind, entity), node_id in ids.items()
    ]
    return sorted(nodes, key=lambda node: str(node["id"]))


def _sort(edges: list[Edge]) -> list[Edge]:
    return sorted(edges, key=lambda edge: (edge["origin"], edge["destination"]))
