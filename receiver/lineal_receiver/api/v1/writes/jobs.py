"""PUT a job, and make a run of it."""

from typing import Any
from uuid import UUID, uuid4

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer, read_json
from lineal_receiver.api.refusals import not_found, refused
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.jobs import assemble_jobs
from lineal_receiver.api.v1.assembly.runs import assemble_run
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.jobs import fetch_job
from lineal_receiver.api.v1.names import fetch_names, find_job
from lineal_receiver.api.v1.namespaces import fetch_namespace
from lineal_receiver.api.v1.runs import fetch_run
from lineal_receiver.api.v1.writes.body import Body, read_name, read_object
from lineal_receiver.api.v1.writes.deleting import fetch_mark, keep_deletion
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.ids import dataset_id, job_id, namespace_id
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_declarations import find_declaration
from lineal_receiver.store.read_newest import find_job_time
from lineal_receiver.store.read_runs import find_run
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

JOB = "/api/v1/namespaces/{namespace:segment}/jobs/{name:segment}"


async def name_job(connection: Connection, job: UUID) -> dict[str, str]:
    """A job's namespace and name as they were sent."""
    named = (await fetch_names(connection, [job]))[job]
    return {"namespace": named.namespace, "name": named.sent}


@router.put(JOB)
async def put(request: Request, namespace: str, name: str) -> Response:
    """Make a job, or say anew what it is; with runId, of that run too."""
    read_name(name)
    said = _read(await read_object(request))
    async with snapshot(request.app.state.pool) as connection:
        await fetch_namespace(connection, namespace)
        known = await find_job(connection, namespace, name, deleted=True)
        job = {"namespace": namespace, "name": name} if known is None else await name_job(connection, known)
        await _check_datasets(connection, [*said["inputs"], *said["outputs"]])
        if said["runId"] is not None and (await fetch_run(connection, said["runId"])).job_id != known:
            raise not_found("Run", said["runId"])
    mark = await fetch_mark(request, job_id(job["namespace"], job["name"]), namespace_id(job["namespace"]))
    await keep(request, "put_job", {"job": job, **said}, after=mark)
    return await answer_job(request, namespace, name)


@router.delete(JOB)
async def delete(request: Request, namespace: str, name: str) -> Response:
    """Hide a job, by all names that it has, until an event names it anew; answers with how it was."""
    before = await answer_job(request, namespace, name)
    async with snapshot(request.app.state.pool) as connection:
        job = await fetch_job(connection, namespace, name)
        names = await fetch_names(connection, await (await open_identities(connection)).expand_jobs([job]))
        newest = {member: await find_job_time(connection, member) for member in names}
    for member, called in names.items():
        await keep_deletion(request, newest[member], kind="job", namespace=called.namespace, name=called.sent)
    return before


def _read(body: Body) -> dict[str, Any]:
    found = {
        "type": body.choice("type", ("BATCH", "STREAM", "SERVICE")),
        "inputs": _read_names(body, "inputs"),
        "outputs": _read_names(body, "outputs"),
        "location": body.text("location"),
        "description": body.text("description"),
        "runId": body.run_id("runId"),
    }
    body.check()
    return found


def _read_names(body: Body, key: str) -> list[dict[str, str]]:
    listed = body.objects(key, required=True)
    return [{"namespace": named.required("namespace"), "name": named.required("name")} for named in listed]


async def _check_datasets(connection: Connection, named: list[dict[str, str]]) -> None:
    ids = {dataset_id(each["namespace"], each["name"]): each["name"] for each in named}
    known = await fetch_datasets(connection, list(ids))
    for dataset, name in ids.items():
        if dataset not in known:
            raise not_found("Dataset", name)


async def answer_job(request: Request, namespace: str, name: str) -> Response:
    """The job as it is now; 404 if there is none."""
    async with snapshot(request.app.state.pool) as connection:
        job = await fetch_job(connection, namespace, name)
        return answer((await assemble_jobs(connection, [job], listed=False))[0])


@router.post(JOB + "/runs")
async def create_run(request: Request, namespace: str, name: str) -> Response:
    """Make a run of a job, which hasn't started; it has the inputs and outputs that the job was put with."""
    body = await read_object(request, empty=True)
    run = body.run_id("id") or str(uuid4())
    arguments: dict[str, Any] = {
        "runId": run,
        "nominalStartTime": body.time("nominalStartTime"),
        "nominalEndTime": body.time("nominalEndTime"),
        "args": body.texts_by_name("args"),
    }
    body.check()
    async with snapshot(request.app.state.pool) as connection:
        await fetch_namespace(connection, namespace)
        job = await fetch_job(connection, namespace, name)
        if await find_run(connection, UUID(run)) is not None:
            raise refused(400, f"Run '{run}' already exists for '{name}' under namespace '{namespace}'.")
        declared = await find_declaration(connection, job)
        arguments["job"] = await name_job(connection, job)
        arguments["declared"] = read_json(declared) if declared is not None else None
    await keep(request, "create_run", arguments)
    async with snapshot(request.app.state.pool) as connection:
        made = answer(await assemble_run(connection, await fetch_run(connection, run)), status=201)
    made.headers["Location"] = f"{str(request.base_url).rstrip('/')}/api/v1/jobs/runs/{run}"
    return made
