"""GET the versions of a job: the list, and one."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Page, page, read_uuid
from lineal_receiver.api.refusals import not_found
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET, assemble_runs
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.jobs import fetch_job
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.shapes.jobs import build_job_version
from lineal_receiver.api.v1.shapes.runs import build_facets
from lineal_receiver.store.read_datasets import fetch_dataset_names
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_job_versions import JobVersionRow, find_job_version, list_job_versions
from lineal_receiver.store.read_runs import fetch_runs
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

VERSIONS = "/api/v1/namespaces/{namespace:segment}/jobs/{name:segment}/versions"


async def _assemble(connection: Connection, job: UUID, versions: list[JobVersionRow]) -> list[dict[str, Any]]:
    names = await fetch_dataset_names(
        connection, list({dataset for version in versions for dataset in (*version.inputs, *version.outputs)})
    )
    job_name = (await fetch_names(connection, [job]))[job]
    keys = [(version.job_id, version.run_id) for version in versions if version.run_id is not None]
    runs = await fetch_runs(connection, keys)
    latest = await assemble_runs(connection, list(runs.values()))
    facets = await fetch_facets(connection, list(runs), "j", LARGEST_LISTED_FACET)
    for key, run in latest.items():  # here Marquez shows what the run said of its job, too
        run["facets"] = run["facets"] | build_facets(facets.get(key, []))
    return [
        build_job_version(
            version, job_name, names, latest.get((version.job_id, version.run_id)) if version.run_id else None
        )
        for version in versions
    ]


@router.get(VERSIONS)
async def list_versions(request: Request, namespace: str, name: str, page: Annotated[Page, Depends(page)]) -> Response:
    """A job's versions, the newest first."""
    async with snapshot(request.app.state.pool, "once") as connection:
        job = await fetch_job(connection, namespace, name)
        names = await (await open_identities(connection)).expand([job])
        versions = await list_job_versions(connection, names, page.limit, page.offset)
        return answer({"versions": await _assemble(connection, job, versions)}, cut=page.cut)


@router.get(VERSIONS + "/{version:segment}")
async def show(request: Request, namespace: str, name: str, version: str) -> Response:
    """One version of a job."""
    wanted = read_uuid(version)
    async with snapshot(request.app.state.pool, "once") as connection:
        job = await fetch_job(connection, namespace, name)
        row = await find_job_version(connection, await (await open_identities(connection)).expand([job]), wanted)
        if row is None:
            raise not_found("Job version", version)
        return answer((await _assemble(connection, job, [row]))[0])
