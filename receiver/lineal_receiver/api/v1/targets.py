"""What a request's node id, or its namespace and name, stand for."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from starlette.requests import Request

from lineal_receiver.api.nodes import NodeReadings, Reading, read_node_id
from lineal_receiver.api.queries import raw_query
from lineal_receiver.api.refusals import bad_query, no_route, not_found, refused
from lineal_receiver.api.v1.columns_now import list_columns_left, list_columns_now
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import find_job
from lineal_receiver.api.v1.names_now import open_names_now
from lineal_receiver.api.v1.names_then import open_names_then
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.ids import dataset_id
from lineal_receiver.store.read_columns import list_known_fields
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_snapshot import Connection

MOST_FIELDS = 10_000


@dataclass(frozen=True, slots=True)
class Target:
    """An entity that exists: kind job, dataset or datasetField (with its field).

    names: all that count as a dataset; called: its namespace and name.
    """

    kind: str
    id: UUID
    field: str | None = None
    version: UUID | None = None
    names: tuple[UUID, ...] = ()
    called: tuple[str, str] = ("", "")


def read_target(request: Request) -> NodeReadings:
    """The node asked for by `nodeId`, or by `namespace`, `name` and, where wanted, `field` or `type=job`."""
    raw = raw_query(request, "nodeId")
    if raw is None:
        return _read_names(request)
    node = read_node_id(raw)
    if node is None:
        text = request.query_params["nodeId"]
        if text.startswith("run:"):
            raise refused(404, f"Node '{text}' must be of type dataset or job!")
        raise no_route()
    if not node.readings:
        shape = ":".join(("<namespace>", "<name>", "<field>")[: 3 if node.kind == "datasetField" else 2])
        raise refused(400, f"nodeId '{request.query_params['nodeId']}' must be {node.kind}:{shape}")
    return node


def _read_names(request: Request) -> NodeReadings:
    namespace, name = request.query_params.get("namespace"), request.query_params.get("name")
    if not namespace and not name:
        raise bad_query("nodeId", "must not be null")
    if not namespace or not name:
        raise bad_query("name" if namespace else "namespace", "must not be blank")
    kind = request.query_params.get("type") or "dataset"
    if kind.lower() not in {"job", "dataset"}:
        raise bad_query("type", "must be one of [JOB, DATASET]")
    field = request.query_params.get("field")
    if field and kind.lower() == "dataset":
        return NodeReadings("datasetField", (Reading((namespace, name, field)),))
    return NodeReadings(kind.lower(), (Reading((namespace, name)),))


async def find_table_target(connection: Connection, node: NodeReadings, at: datetime | None = None) -> Target:
    """The job or dataset that exists under one of the readings, the likeliest first; 404 if none does.

    A dataset by what it is called now, or was called `at` a time.
    """
    if node.kind == "datasetField":
        raise refused(404, f"Node '{':'.join((node.kind, *node.readings[0].parts))}' must be of type dataset or job!")
    found, _ = await _find(connection, node, at)
    if not found:
        raise not_found(node.kind.capitalize(), node.readings[0].parts[1])
    return found[0]


async def find_column_target(connection: Connection, node: NodeReadings, at: datetime | None = None) -> Target:
    """The job, dataset or column that exists under one of the readings; 404 if none does.

    `At` a time a column may have been there that isn't any more: its dataset is enough.
    """
    found, rows = await _find(connection, node, at)
    if node.kind == "datasetField" and found:
        known = set(await list_columns_of(connection, rows))
        if not any(target.version is not None or (target.id, target.field) in known for target in found):
            names = await open_names_now(connection)
            known.update(await list_columns_left(names, [target.id for target in found], MOST_FIELDS))
        likely = [target for target in found if target.version is not None or (target.id, target.field) in known]
        found = likely or (found if at is not None else [])
    if not found:
        raise refused(404, "Could not find node")
    return found[0]


async def _find(
    connection: Connection, node: NodeReadings, at: datetime | None
) -> tuple[list[Target], dict[UUID, DatasetRow]]:
    """What exists under the readings, with the rows of datasets."""
    if node.kind == "job":
        return await _find_job(connection, node), {}
    ids = [dataset_id(*reading.parts[:2]) for reading in node.readings]
    existing = await fetch_datasets(connection, ids)
    existing = await (_follow(connection, existing) if at is None else _call(connection, existing, at))
    targets = [
        Target(
            node.kind,
            existing[dataset].id,
            reading.parts[2] if node.kind == "datasetField" else None,
            reading.version,
            existing[dataset].names,
            (existing[dataset].namespace, existing[dataset].name),
        )
        for dataset, reading in zip(ids, node.readings, strict=True)
        if dataset in existing
    ]
    return targets, existing


async def _follow(connection: Connection, found: dict[UUID, DatasetRow]) -> dict[UUID, DatasetRow]:
    """What was found, or what it was renamed to where its name stands for nothing any more, if that is still there."""
    moved = {asked: row for asked, row in found.items() if row.moved_at is not None}
    if not moved:
        return found
    identities = await open_identities(connection)
    current = await identities.find_current({row.id: row.written_at for row in moved.values()})
    rows = await fetch_datasets(connection, list(current.values()))
    followed = {asked: rows.get(current[row.id]) for asked, row in moved.items()}
    return {asked: now for asked, row in found.items() if (now := followed.get(asked, row)) is not None}


async def _call(connection: Connection, found: dict[UUID, DatasetRow], at: datetime) -> dict[UUID, DatasetRow]:
    """What was found as it was called at a time."""
    names = await open_names_then(connection, at)
    called = {asked: await names.find_called(row.id) for asked, row in found.items()}
    rows = await fetch_datasets(connection, list(called.values()))
    return {asked: rows[then] for asked, then in called.items() if then in rows}


async def _find_job(connection: Connection, node: NodeReadings) -> list[Target]:
    for reading in node.readings:
        job = await find_job(connection, *reading.parts)
        if job is not None:
            return [Target("job", job, None, reading.version)]
    return []


async def list_known_columns(connection: Connection, datasets: list[UUID]) -> list[tuple[UUID, str]]:
    """The columns of datasets that their schemas or any edge in force name, schemas first."""
    return await list_columns_of(connection, await fetch_datasets(connection, datasets))


async def list_columns_of(connection: Connection, rows: dict[UUID, DatasetRow]) -> list[tuple[UUID, str]]:
    """The same of datasets that were looked up already."""
    moved = [row.id for row in rows.values() if row.became_at is not None or row.moved_at is not None]
    roots = {name: row.id for row in rows.values() if row.id not in moved for name in row.names}
    columns = {(row.id, field["name"]): None for row in rows.values() for field in build_fields(row.fields)}
    for dataset, field in await list_known_fields(connection, list(roots), MOST_FIELDS):
        columns.setdefault((roots[dataset], field))
    if moved:
        columns |= dict.fromkeys(await list_columns_now(await open_names_now(connection), moved, MOST_FIELDS))
    bare = list({row.id for row in rows.values()} - {dataset for dataset, _ in columns})
    if bare:
        columns |= dict.fromkeys(await list_columns_left(await open_names_now(connection), bare, MOST_FIELDS))
    return list(columns)
