"""Column lineage as it was when a version of a dataset, or of a job, was made."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.refusals import refused
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.api.v1.targets import MOST_FIELDS, Target, list_known_columns
from lineal_receiver.api.v1.walks import ColumnWalk, walk_one_way
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_dataset_versions import find_write
from lineal_receiver.store.read_job_versions import find_job_version
from lineal_receiver.store.read_past_columns import (
    fetch_versions_at,
    find_fields_at,
    list_targets_at,
    list_targets_of_write,
    step_upstream_at,
)
from lineal_receiver.store.read_past_graph import step_to_datasets_at
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class Past:
    """A time, and the columns to start from then."""

    at: datetime
    columns: list[Column]
    versions: dict[UUID, UUID]


async def find_past_target(connection: Connection, target: Target) -> Past:
    """The columns of a versioned node; 404 if there is no such version."""
    if target.version is None:
        raise ValueError("a node without a version has no past")
    if target.kind == "job":
        return await _find_past_of_job(connection, target.id, target.version)
    write = await find_write(connection, target.names, target.version)
    if write is None:
        raise refused(404, "Could not find node")
    known = [(target.id, field["name"]) for field in build_fields(write.fields)]
    made = await list_targets_of_write(connection, write.job_id, [write.dataset_id], write.effective_at)
    columns = list(dict.fromkeys([*known, *((target.id, field) for _, field in made)]))
    if target.field is not None:
        columns = [column for column in columns if column[1] == target.field]
    if not columns:
        raise refused(404, "Could not find node")
    return Past(write.effective_at, columns, {target.id: target.version})


async def _find_past_of_job(connection: Connection, job: UUID, version: UUID) -> Past:
    identities = await open_identities(connection)
    made = await find_job_version(connection, await identities.expand([job]), version)
    if made is None:
        raise refused(404, "Could not find node")
    targets = await list_targets_of_write(connection, made.job_id, made.outputs, made.created_at)
    columns = await identities.fold_columns(targets)
    return Past(made.created_at, columns, await fetch_versions_at(connection, made.outputs, made.created_at))


async def find_past_at(connection: Connection, target: Target, at: datetime) -> Past:
    """The columns of a node as they were at a time; 404 if nothing is known of it then."""
    if target.kind == "job":
        steps = await step_to_datasets_at(connection, [target.id], at, MOST_FIELDS)
        datasets = [step.dataset_id for step in steps if step.side == "o"]
        columns = await list_targets_at(connection, datasets, at, target.id, MOST_FIELDS)
    else:
        datasets = list(target.names)
        fields = build_fields(await find_fields_at(connection, datasets, at))
        columns = [(target.id, field["name"]) for field in fields]
        columns += await list_targets_at(connection, datasets, at, None, MOST_FIELDS)
    columns = await (await open_identities(connection)).fold_columns(columns)
    if target.field is not None:
        columns += await list_known_columns(connection, [target.id])
        columns = [(target.id, target.field)] if (target.id, target.field) in columns else []
    if not columns:
        raise refused(404, "Could not find node")
    return Past(at, columns, await fetch_versions_at(connection, datasets, at))


async def walk_past(connection: Connection, past: Past, *, depth: int) -> ColumnWalk:
    """What the columns were made from at that time, by the newest write of each dataset until then."""

    async def step(connection: Connection, columns: list[Column], limit: int) -> list[ColumnEdgeRow]:
        return await step_upstream_at(connection, columns, past.at, limit)

    walk = ColumnWalk(columns=dict.fromkeys(past.columns))
    await walk_one_way(connection, walk, past.columns, depth, step, upstream=True, now=False)
    return walk
