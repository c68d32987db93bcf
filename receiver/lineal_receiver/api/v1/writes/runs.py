"""POST to a run that it has started or ended."""

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Text
from lineal_receiver.api.refusals import no_route
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.runs import assemble_run
from lineal_receiver.api.v1.runs import fetch_run
from lineal_receiver.api.v1.writes.jobs import name_job
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.ingest.times import parse_time
from lineal_receiver.store.read_snapshot import snapshot

router = read_router()

STATES = {"start": "START", "complete": "COMPLETE", "fail": "FAIL", "abort": "ABORT"}


def _read_time(text: str) -> str:
    """A time as sent; 404, as for every parameter that can't be read, if it is none."""
    for written in (text, text.replace(" ", "+")):  # a plus that wasn't escaped has become a space
        if parse_time(written) is not None:
            return written
    raise no_route()


@router.post("/api/v1/jobs/runs/{run:segment}/{state:segment}")
async def mark(request: Request, run: str, state: str, at: Text = None) -> Response:
    """Say that a run has started, completed, failed or was aborted, now or at a time (`at`)."""
    if state not in STATES:
        raise no_route()
    arguments = {"runId": run, "state": STATES[state]}
    if at:
        arguments["at"] = _read_time(at)
    async with snapshot(request.app.state.pool) as connection:
        row = await fetch_run(connection, run)
        job = await name_job(connection, row.job_id)
    await keep(request, "mark_run", {**arguments, "runId": str(row.run_id), "job": job})
    async with snapshot(request.app.state.pool) as connection:
        return answer(await assemble_run(connection, await fetch_run(connection, run)))
