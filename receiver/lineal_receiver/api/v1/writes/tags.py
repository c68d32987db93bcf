"""PUT a tag; POST and DELETE tags of datasets, of their fields and of jobs."""

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import refused
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.datasets import DATASETS, fetch_dataset
from lineal_receiver.api.v1.jobs import fetch_job
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.api.v1.tags import build_tag
from lineal_receiver.api.v1.writes.body import read_name, read_object
from lineal_receiver.api.v1.writes.datasets import answer_dataset
from lineal_receiver.api.v1.writes.jobs import JOB, answer_job, name_job
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.ids import tag_id
from lineal_receiver.store.read_snapshot import snapshot
from lineal_receiver.store.read_tags import find_tag

router = read_router()

DATASET = DATASETS + "/{name:segment}"
TAG = "/tags/{tag:segment}"


@router.put("/api/v1/tags/{tag:segment}")
async def put(request: Request, tag: str) -> Response:
    """Make a tag, or describe it anew."""
    read_name(tag)
    body = await read_object(request, empty=True)
    description = body.text("description")
    body.check()
    await keep(request, "put_tag", {"name": tag, "description": description})
    async with snapshot(request.app.state.pool) as connection:
        found = await find_tag(connection, tag_id(tag))
    return answer(build_tag(found) if found is not None else None)


@router.post(DATASET + TAG)
async def tag_dataset(request: Request, namespace: str, name: str, tag: str) -> Response:
    """Add a tag, which is made if there is none, to a dataset."""
    return await _change_dataset(request, "add_tag", namespace, name, read_name(tag))


@router.delete(DATASET + TAG)
async def untag_dataset(request: Request, namespace: str, name: str, tag: str) -> Response:
    """Take a tag from a dataset."""
    return await _change_dataset(request, "remove_tag", namespace, name, read_name(tag))


async def _change_dataset(request: Request, action: str, namespace: str, name: str, tag: str) -> Response:
    async with snapshot(request.app.state.pool) as connection:
        await fetch_dataset(connection, namespace, name)
    await keep(request, action, {"kind": "dataset", "namespace": namespace, "name": name, "tag": tag})
    return await answer_dataset(request, namespace, name)


@router.post(DATASET + "/fields/{field:segment}" + TAG)
async def tag_field(request: Request, namespace: str, name: str, field: str, tag: str) -> Response:
    """Add a tag, in capitals as in Marquez, to a field."""
    await _check_field(request, namespace, name, field)
    await _change_field(request, "add_tag", namespace, name, field, read_name(tag).upper())
    return await answer_dataset(request, namespace, name)


@router.delete(DATASET + "/fields/{field:segment}" + TAG)
async def untag_field(request: Request, namespace: str, name: str, field: str, tag: str) -> Response:
    """Take a tag from a field, as it is written and in capitals."""
    await _check_field(request, namespace, name, field)
    for written in dict.fromkeys((read_name(tag), tag.upper())):
        await _change_field(request, "remove_tag", namespace, name, field, written)
    return await answer_dataset(request, namespace, name)


async def _check_field(request: Request, namespace: str, name: str, field: str) -> None:
    async with snapshot(request.app.state.pool) as connection:
        dataset = await fetch_dataset(connection, namespace, name)
    if field not in {known["name"] for known in build_fields(dataset.fields)}:
        raise refused(404, f"Field '{field}' not found for dataset '{name}'.")


async def _change_field(request: Request, action: str, namespace: str, name: str, field: str, tag: str) -> None:
    arguments = {"kind": "dataset", "namespace": namespace, "name": name, "field": field, "tag": tag}
    await keep(request, action, arguments)


@router.post(JOB + TAG)
async def tag_job(request: Request, namespace: str, name: str, tag: str) -> Response:
    """Add a tag, which is made if there is none, to a job."""
    return await _change_job(request, "add_tag", namespace, name, read_name(tag))


@router.delete(JOB + TAG)
async def untag_job(request: Request, namespace: str, name: str, tag: str) -> Response:
    """Take a tag from a job."""
    return await _change_job(request, "remove_tag", namespace, name, read_name(tag))


async def _change_job(request: Request, action: str, namespace: str, name: str, tag: str) -> Response:
    async with snapshot(request.app.state.pool) as connection:
        job = await name_job(connection, await fetch_job(connection, namespace, name))
    await keep(request, action, {"kind": "job", **job, "tag": tag})
    return await answer_job(request, namespace, name)
