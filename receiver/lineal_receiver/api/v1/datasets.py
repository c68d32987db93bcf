"""GET datasets: of a namespace, one; its versions."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Page, page, read_uuid
from lineal_receiver.api.refusals import not_found
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.datasets import assemble_datasets
from lineal_receiver.api.v1.assembly.versions import assemble_versions
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.namespaces import fetch_namespace
from lineal_receiver.ids import NONE, dataset_id
from lineal_receiver.store.read_dataset_versions import WriteRow, count_writes, find_write, list_writes
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets, list_datasets
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.read_totals import fetch_total

router = read_router()

DATASETS = "/api/v1/namespaces/{namespace:segment}/datasets"


@router.get(DATASETS)
async def list_of_namespace(request: Request, namespace: str, page: Annotated[Page, Depends(page)]) -> Response:
    """The datasets of a namespace, by name."""
    async with snapshot(request.app.state.pool, "once") as connection:
        row = await fetch_namespace(connection, namespace)
        total = await fetch_total(connection, row.id, "datasets")
        datasets = await list_datasets(connection, row.id, page.limit, page.offset)
        body = {"datasets": await assemble_datasets(connection, datasets), "totalCount": total}
    return answer(body, cut=page.cut)


@router.get(DATASETS + "/{name:segment}")
async def show(request: Request, namespace: str, name: str) -> Response:
    """One dataset."""
    async with snapshot(request.app.state.pool, "once") as connection:
        return answer(await assemble_dataset(connection, namespace, name))


async def assemble_dataset(connection: Connection, namespace: str, name: str) -> dict[str, Any]:
    """The answer for the dataset of this name; 404 if there is none, or no such namespace."""
    answers = await assemble_datasets(connection, [dataset_id(namespace, name)])
    if not answers:
        await fetch_namespace(connection, namespace)
        raise not_found("Dataset", name)
    return answers[0]


async def fetch_dataset(connection: Connection, namespace: str, name: str) -> DatasetRow:
    """The dataset of this name; 404 if there is none, or no such namespace."""
    dataset = dataset_id(namespace, name)
    found = await fetch_datasets(connection, [dataset])
    if dataset not in found:
        await fetch_namespace(connection, namespace)
        raise not_found("Dataset", name)
    return found[dataset]


def _as_read(dataset: DatasetRow, version: UUID) -> WriteRow:
    """What stands for a version where nobody is known to have written the dataset: what was read of it."""
    return WriteRow(
        dataset_id=dataset.id,
        job_id=NONE,
        run_id=NONE,
        effective_at=dataset.created_at,
        lifecycle=None,
        schema_id=dataset.schema_id,
        fields=dataset.fields,
        version_id=version,
    )


@router.get(DATASETS + "/{name:segment}/versions")
async def list_versions(request: Request, namespace: str, name: str, page: Annotated[Page, Depends(page)]) -> Response:
    """A dataset's versions, one a write, the newest first; those of before it was renamed, too."""
    async with snapshot(request.app.state.pool, "once") as connection:
        dataset = await fetch_dataset(connection, namespace, name)
        spans = await (await open_identities(connection)).trace_all(dataset.id)
        names = ([one.name for one in spans], [one.since for one in spans], [one.until for one in spans])
        total = await count_writes(connection, names)
        writes = await list_writes(connection, names, page.limit, page.offset)
        if not writes and dataset.written_at is None and dataset.version_id is not None:
            total, writes = 1, [_as_read(dataset, dataset.version_id)][page.offset : page.offset + page.limit]
        versions = await assemble_versions(connection, dataset, writes)
    return answer({"versions": versions, "totalCount": total}, cut=page.cut)


@router.get(DATASETS + "/{name:segment}/versions/{version:segment}")
async def show_version(request: Request, namespace: str, name: str, version: str) -> Response:
    """One version of a dataset."""
    wanted = read_uuid(version)
    async with snapshot(request.app.state.pool, "once") as connection:
        dataset = await fetch_dataset(connection, namespace, name)
        names = await (await open_identities(connection)).expand([dataset.id])
        write = await find_write(connection, names, wanted)
        if write is None and wanted == dataset.version_id:
            write = _as_read(dataset, wanted)
        if write is None:
            raise not_found("Dataset version", version)
        return answer((await assemble_versions(connection, dataset, [write]))[0])
