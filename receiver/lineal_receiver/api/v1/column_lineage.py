"""GET /api/v1/column-lineage: what columns are made from, and what is made from them."""

from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.kept import answer_kept
from lineal_receiver.api.queries import Text, read_flag, read_optional_time, read_whole
from lineal_receiver.api.refusals import refused
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.columns import assemble_columns
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.past import find_past_at, find_past_target, walk_past
from lineal_receiver.api.v1.targets import MOST_FIELDS, Target, find_column_target, list_known_columns, read_target
from lineal_receiver.api.v1.walks import MOST_EDGES, MOST_NODES, walk_columns
from lineal_receiver.store.read_columns import Column, list_job_targets
from lineal_receiver.store.read_snapshot import Connection

router = read_router()

CUT = f"the graph is larger than {MOST_NODES} columns or {MOST_EDGES} edges; the nearest columns are given"
FORMS = "datasetField:<namespace>:<name>:<field>, dataset:<namespace>:<name> or job:<namespace>:<name>"


@router.get("/api/v1/column-lineage")
async def show(
    request: Request,
    node_id: Annotated[Text, Query(alias="nodeId", description=FORMS)] = None,  # noqa: ARG001 - read undecoded
    depth: Annotated[Text, Query(description="edges away from the first columns: 20 unless told, at least 1")] = None,
    with_downstream: Annotated[Text, Query(alias="withDownstream", description="true: downstream too")] = None,
    as_of: Annotated[Text, Query(alias="asOf", description="a time: the lineage that was in force then")] = None,
) -> Response:
    """The graph of columns; `namespace`, `name`, `field` and `type` may stand for nodeId."""
    node, hops, downstream = read_target(request), max(1, read_whole("depth", depth, 20)), read_flag(with_downstream)
    at = read_optional_time(as_of)
    if at is not None and downstream:
        raise refused(400, "asOf and withDownstream can't be asked for together")

    async def build(connection: Connection) -> tuple[dict[str, Any], str | None]:
        target = await find_column_target(connection, node, at)
        if target.version is not None and downstream:
            raise refused(400, "Node version cannot be specified when withDownstream is true")
        if target.version is not None or at is not None:
            past = await (find_past_at(connection, target, at) if at else find_past_target(connection, target))
            walk = await walk_past(connection, past, depth=hops)
            graph = await assemble_columns(connection, walk, past)
        else:
            columns = await _list_columns(connection, target)
            walk = await walk_columns(connection, columns, depth=hops, downstream=downstream)
            graph = await assemble_columns(connection, walk)
        return {"graph": graph}, CUT if walk.cut else None

    return await answer_kept(request, build)


async def _list_columns(connection: Connection, target: Target) -> list[Column]:
    """The columns to start from: one, all of a dataset, or those that a job makes; 404 if there are none."""
    if target.field is not None:
        return [(target.id, target.field)]
    if target.kind == "job":
        identities = await open_identities(connection)
        names = await identities.expand([target.id])
        made = [column for name in names for column in await list_job_targets(connection, name, MOST_FIELDS)]
        columns = await identities.fold_columns(made)
    else:
        columns = await list_known_columns(connection, [target.id])
    if not columns:
        raise refused(404, "Could not find node")
    return columns
