"""GET a run by its id, and its facets."""

from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Text, read_uuid
from lineal_receiver.api.refusals import bad_query, not_found, refused
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.runs import assemble_run
from lineal_receiver.api.v1.shapes.runs import build_facets
from lineal_receiver.ids import run_uuid
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_runs import RunRow, find_run
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()


async def fetch_run(connection: Connection, text: str) -> RunRow:
    """The run with this id; 404 if there is none."""
    run = await find_run(connection, run_uuid(str(read_uuid(text)))[0])
    if run is None:
        raise not_found("Run", text)
    return run


@router.get("/api/v1/jobs/runs/{run:segment}")
async def show(request: Request, run: str) -> Response:
    """One run."""
    async with snapshot(request.app.state.pool, "once") as connection:
        return answer(await assemble_run(connection, await fetch_run(connection, run)))


@router.get("/api/v1/jobs/runs/{run:segment}/facets")
async def show_facets(
    request: Request,
    run: str,
    kind: Annotated[Text, Query(alias="type", description="run or job (dataset is taken, and answers null)")] = None,
) -> Response:
    """A run's own facets (type=run), or those that it gave its job (type=job), whole."""
    if not kind:
        raise bad_query("type", "must not be null")
    side = {"RUN": "r", "JOB": "j", "DATASET": ""}.get(kind.upper())
    if side is None:
        raise refused(400, "query param type must be one of [RUN, JOB, DATASET]")
    async with snapshot(request.app.state.pool, "once") as connection:
        row = await fetch_run(connection, run)
        if not side:
            return answer(None)
        key = (row.job_id, row.run_id)
        facets = (await fetch_facets(connection, [key], side)).get(key, [])
    return answer({"runId": row.run_id, "facets": build_facets(facets)})
