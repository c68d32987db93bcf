"""GET /api/v1/runlineage/upstream: a run, and the runs whose writes it read, and so on."""

from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Text, read_uuid, read_whole
from lineal_receiver.api.refusals import bad_query, not_found
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.names import JobName, fetch_names
from lineal_receiver.api.v1.shapes.runs import build_state
from lineal_receiver.api.v1.what_was_read import fetch_what_was_read_or_renamed
from lineal_receiver.ids import STATIC, run_uuid
from lineal_receiver.store.read_run_datasets import RunDatasetRow
from lineal_receiver.store.read_runs import RunKey, RunRow, fetch_runs, find_run
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_RUNS = 1_000
CUT = f"more than {MOST_RUNS} runs lie upstream; the nearest are given"


@router.get("/api/v1/runlineage/upstream")
async def show_upstream(
    request: Request,
    run_id: Annotated[Text, Query(alias="runId", description="the run to start from")] = None,
    depth: Annotated[Text, Query(description="runs away from it: 20 unless told")] = None,
) -> Response:
    """The runs upstream of one, the nearest first."""
    if not run_id:
        raise bad_query("runId", "must not be null")
    first, hops = run_uuid(str(read_uuid(run_id)))[0], read_whole("depth", depth, 20)
    async with snapshot(request.app.state.pool, "once") as connection:
        run = await find_run(connection, first)
        if run is None:
            raise not_found("Run", run_id)
        runs, inputs, cut = await _walk(connection, run, hops)
        names = await fetch_names(connection, [found.job_id for found in runs.values()])
    rows = [_build_run(found, inputs.get(key, []), names[found.job_id]) for key, found in runs.items()]
    return answer({"runs": rows}, cut=CUT if cut else None)


async def _walk(
    connection: Connection, run: RunRow, hops: int
) -> tuple[dict[RunKey, RunRow], dict[RunKey, list[RunDatasetRow]], bool]:
    """Runs in the order met, and what each read, level by level."""
    runs: dict[RunKey, RunRow] = {(run.job_id, run.run_id): run}
    inputs: dict[RunKey, list[RunDatasetRow]] = {}
    frontier = list(runs)
    for hop in range(hops + 1):
        for key, rows in (await fetch_what_was_read_or_renamed(connection, frontier)).items():
            inputs[key] = [row for row in rows if row.side == "i"]
        writers = dict.fromkeys(_writer(row) for key in frontier for row in inputs.get(key, []))
        frontier = [key for key in writers if key is not None and key not in runs]
        if hop == hops or not frontier:
            return runs, inputs, False
        room = MOST_RUNS - len(runs)
        met = await fetch_runs(connection, frontier[:room])
        runs |= {key: met[key] for key in frontier if key in met}
        if len(frontier) > room:
            return runs, inputs, True
        frontier = list(met)
    return runs, inputs, False


def _writer(row: RunDatasetRow) -> RunKey | None:
    if row.writer_job is None or row.writer_run is None or row.writer_run in STATIC:
        return None
    return row.writer_job, row.writer_run


def _build_run(run: RunRow, inputs: list[RunDatasetRow], name: JobName) -> dict[str, Any]:
    return {
        "job": {"namespace": name.namespace, "name": name.name, "version": run.version_id},
        "run": {
            "id": run.run_id,
            "start": run.start_at or run.running_at,
            "end": run.end_at,
            "status": build_state(run),
        },
        "inputs": [
            {
                "namespace": row.namespace,
                "name": row.name,
                "version": row.version_id,
                "producedByRunId": None if _writer(row) is None else row.writer_run,
            }
            for row in inputs
        ],
    }
