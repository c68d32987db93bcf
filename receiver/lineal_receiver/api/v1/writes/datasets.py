"""PUT a dataset."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.datasets import DATASETS, assemble_dataset, fetch_dataset
from lineal_receiver.api.v1.namespaces import fetch_namespace
from lineal_receiver.api.v1.runs import fetch_run
from lineal_receiver.api.v1.sources import fetch_source
from lineal_receiver.api.v1.writes.body import Body, read_name, read_object
from lineal_receiver.api.v1.writes.deleting import fetch_mark, keep_deletion
from lineal_receiver.api.v1.writes.jobs import name_job
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.ids import dataset_id, namespace_id
from lineal_receiver.store.read_datasets import fetch_dataset_names
from lineal_receiver.store.read_newest import find_dataset_time
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

DEFAULT_SOURCE = "default"


@router.put(DATASETS + "/{name:segment}")
async def put(request: Request, namespace: str, name: str) -> Response:
    """Make a dataset, or a new version of it; with runId, as what that run wrote."""
    read_name(name)
    arguments = {"namespace": namespace, "name": name, **_read(await read_object(request))}
    async with snapshot(request.app.state.pool) as connection:
        await fetch_namespace(connection, namespace)
        arguments["url"] = await _find_url(connection, arguments["source"])
        if arguments["runId"] is not None:
            run = await fetch_run(connection, arguments["runId"])
            arguments["job"] = await name_job(connection, run.job_id)
    mark = await fetch_mark(request, dataset_id(namespace, name), namespace_id(namespace))
    await keep(request, "put_dataset", arguments, after=mark)
    return await answer_dataset(request, namespace, name)


@router.delete(DATASETS + "/{name:segment}")
async def delete(request: Request, namespace: str, name: str) -> Response:
    """Hide a dataset, by all names that it has, until an event names it anew; answers with how it was."""
    before = await answer_dataset(request, namespace, name)
    async with snapshot(request.app.state.pool) as connection:
        members = (await fetch_dataset(connection, namespace, name)).names
        names = await fetch_dataset_names(connection, list(members))
        newest = {member: await find_dataset_time(connection, member) for member in names}
    for member, (space, called) in names.items():
        await keep_deletion(request, newest[member], kind="dataset", namespace=space, name=called)
    return before


async def answer_dataset(request: Request, namespace: str, name: str) -> Response:
    """The dataset as it is now; 404 if there is none."""
    async with snapshot(request.app.state.pool) as connection:
        return answer(await assemble_dataset(connection, namespace, name))


def _read(body: Body) -> dict[str, Any]:
    kind = body.choice("type", ("DB_TABLE", "STREAM"))
    found = {
        "type": kind,
        "physicalName": body.required("physicalName"),
        "source": body.required("sourceName"),
        "fields": [_read_field(field) for field in body.objects("fields")],
        "tags": body.texts("tags"),
        "description": body.text("description"),
        "schemaLocation": body.text("schemaLocation", required=kind == "STREAM"),
        "runId": body.run_id("runId"),
    }
    if kind == "DB_TABLE":
        found["schemaLocation"] = None
    body.check()
    return found


def _read_field(field: Body) -> dict[str, Any]:
    return {
        "name": field.required("name"),
        "type": field.text("type"),
        "description": field.text("description"),
        "tags": field.texts("tags"),
    }


async def _find_url(connection: Connection, source: str) -> str:
    if source == DEFAULT_SOURCE:
        return ""
    return (await fetch_source(connection, source)).url
