"""POST …/trust of a run, of datasets and of jobs: what seemed to be from the future is ranked as any."""

from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Text
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.api.v2.runs import build_runs
from lineal_receiver.ids import dataset_id, job_id, run_uuid
from lineal_receiver.store.read_datasets import fetch_dataset_names
from lineal_receiver.store.read_jobs import fetch_families
from lineal_receiver.store.read_run_list import list_runs
from lineal_receiver.store.read_snapshot import snapshot

router = read_router()

MOST_JOBS = 100


@router.post("/api/v2/runs/{run:segment}/trust")
async def trust_run(request: Request, run: str) -> Response:
    """The clocks were right: rank a run by its times, though they are ahead; of every job that used the id."""
    identity = run_uuid(run)[0]
    async with snapshot(request.app.state.pool) as connection:
        found = await list_runs(connection, None, MOST_JOBS, run=identity)
    if not found:
        raise problem(404, "no-such-run", f"No event has named a run '{run}'.")
    for listed in found:
        job = {"namespace": listed.namespace, "name": listed.job}
        await keep(request, "trust", {"job": job, "runId": str(listed.run_id)})
    async with snapshot(request.app.state.pool) as connection:
        trusted = await list_runs(connection, None, MOST_JOBS, run=identity)
        return answer({"runs": await build_runs(connection, trusted)})


@router.post("/api/v2/datasets/trust")
async def trust_dataset(
    request: Request,
    namespace: Annotated[Text, Query(description="the dataset's namespace")] = None,
    name: Annotated[Text, Query(description="the dataset's name")] = None,
) -> Response:
    """The clocks were right: rank what DatasetEvents and JobEvents said of a dataset by their times."""
    if not namespace or not name:
        raise problem(400, "name-missing", "A dataset is named by `namespace` and `name` together.")
    async with snapshot(request.app.state.pool) as connection:
        if not await fetch_dataset_names(connection, [dataset_id(namespace, name)]):
            raise problem(404, "no-such-dataset", f"No event has named a dataset '{name}' in '{namespace}'.")
    named = {"namespace": namespace, "name": name}
    await keep(request, "trust", {"dataset": named})
    return answer({"dataset": named})


@router.post("/api/v2/jobs/trust")
async def trust_job(
    request: Request,
    namespace: Annotated[Text, Query(description="the job's namespace")] = None,
    name: Annotated[Text, Query(description="the job's name, as it was sent")] = None,
) -> Response:
    """The clocks were right: rank what JobEvents of a job said by their times."""
    if not namespace or not name:
        raise problem(400, "name-missing", "A job is named by `namespace` and `name` together.")
    async with snapshot(request.app.state.pool) as connection:
        if not await fetch_families(connection, [job_id(namespace, name)]):
            raise problem(404, "no-such-job", f"No event has named a job '{name}' in '{namespace}'.")
    named = {"namespace": namespace, "name": name}
    await keep(request, "trust", {"job": named, "runId": None})
    return answer({"job": named})
