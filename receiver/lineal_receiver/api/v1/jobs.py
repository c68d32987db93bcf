"""GET jobs: everywhere, of a namespace, one; its versions and runs."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Page, page, read_states
from lineal_receiver.api.refusals import not_found
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.jobs import assemble_jobs
from lineal_receiver.api.v1.assembly.runs import assemble_runs
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import find_job
from lineal_receiver.api.v1.namespaces import fetch_namespace
from lineal_receiver.ids import NONE, namespace_id
from lineal_receiver.store.read_job_states import list_jobs_by_state
from lineal_receiver.store.read_jobs import list_jobs, list_jobs_of_namespace
from lineal_receiver.store.read_runs import list_runs
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.read_totals import fetch_total

router = read_router()

States = Annotated[list[str] | None, Query(description="NEW, RUNNING, COMPLETED, ABORTED, FAILED or OTHER")]


@router.get("/api/v1/jobs")
async def list_everywhere(
    request: Request,
    page: Annotated[Page, Depends(page)],
    last_run_states: Annotated[States, Query(alias="lastRunStates")] = None,
) -> Response:
    """All jobs, the last updated first, optionally those whose newest run is in one of some states."""
    return await _list(request, None, page, last_run_states)


@router.get("/api/v1/namespaces/{namespace:segment}/jobs")
async def list_of_namespace(
    request: Request,
    namespace: str,
    page: Annotated[Page, Depends(page)],
    last_run_states: Annotated[States, Query(alias="lastRunStates")] = None,
) -> Response:
    """The jobs of a namespace; of one that nothing named, none."""
    return await _list(request, namespace_id(namespace), page, last_run_states)


async def _list(request: Request, namespace: UUID | None, page: Page, states: list[str] | None) -> Response:
    wanted = read_states(states)
    async with snapshot(request.app.state.pool, "once") as connection:
        if namespace is not None:
            namespace = (await (await open_identities(connection)).find_roots([namespace]))[namespace]
        total = await fetch_total(connection, namespace or NONE, "jobs")
        if wanted is not None:
            jobs, total = await list_jobs_by_state(connection, namespace, total, wanted, page.limit, page.offset)
        elif namespace is None:
            jobs = await list_jobs(connection, page.limit, page.offset)
        else:
            jobs = await list_jobs_of_namespace(connection, namespace, page.limit, page.offset)
        return answer({"jobs": await assemble_jobs(connection, jobs, listed=True), "totalCount": total}, cut=page.cut)


async def fetch_job(connection: Connection, namespace: str, name: str) -> UUID:
    """The job of this name; 404 if there is none, or no such namespace."""
    job = await find_job(connection, namespace, name)
    if job is None:
        await fetch_namespace(connection, namespace)
        raise not_found("Job", name)
    return job


@router.get("/api/v1/namespaces/{namespace:segment}/jobs/{name:segment}")
async def show(request: Request, namespace: str, name: str) -> Response:
    """One job."""
    async with snapshot(request.app.state.pool, "once") as connection:
        job = await fetch_job(connection, namespace, name)
        answers = await assemble_jobs(connection, [job], listed=False)
    if not answers:
        raise not_found("Job", name)
    return answer(answers[0])


@router.get("/api/v1/namespaces/{namespace:segment}/jobs/{name:segment}/runs")
async def list_runs_of_job(
    request: Request, namespace: str, name: str, page: Annotated[Page, Depends(page)]
) -> Response:
    """A job's runs, the last started first."""
    async with snapshot(request.app.state.pool, "once") as connection:
        job = await fetch_job(connection, namespace, name)
        names = await (await open_identities(connection)).expand([job])
        total = sum([await fetch_total(connection, name, "runs") for name in names])
        runs = await list_runs(connection, names, page.limit, page.offset)
        answers = await assemble_runs(connection, runs)
    return answer({"runs": list(answers.values()), "totalCount": total}, cut=page.cut)
