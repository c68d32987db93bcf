"""Column lineage as it was at a time, or when a version of a dataset, or of a job, was made."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.refusals import refused
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names_then import NamesThen, open_names_then
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.api.v1.targets import MOST_FIELDS, Target, list_known_columns
from lineal_receiver.api.v1.walks import ColumnWalk, walk_one_way
from lineal_receiver.store.read_columns import Column
from lineal_receiver.store.read_dataset_versions import find_write
from lineal_receiver.store.read_job_versions import find_job_version
from lineal_receiver.store.read_past_columns import list_targets_of_write
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class Past:
    """The names of a time, and the columns to start from then. versions: those that were asked for."""

    names: NamesThen
    columns: list[Column]
    versions: dict[UUID, UUID]


async def find_past_target(connection: Connection, target: Target) -> Past:
    """The columns of a versioned node; 404 if there is no such version."""
    if target.version is None:
        raise ValueError("a node without a version has no past")
    if target.kind == "job":
        return await _find_past_of_job(connection, target.id, target.version)
    every = await (await open_identities(connection)).expand([target.id])
    write = await find_write(connection, every, target.version)
    if write is None:
        raise refused(404, "Could not find node")
    names = await open_names_then(connection, write.effective_at)
    called = await _call(names, write.dataset_id, write.effective_at)
    made = await list_targets_of_write(connection, write.job_id, [write.dataset_id], write.effective_at)
    fields = [*(field["name"] for field in build_fields(write.fields)), *(field for _, field in made)]
    columns = [(called, field) for field in dict.fromkeys(fields) if target.field in {None, field}]
    if not columns:
        raise refused(404, "Could not find node")
    return Past(names, columns, {called: target.version})


async def _find_past_of_job(connection: Connection, job: UUID, version: UUID) -> Past:
    made = await find_job_version(connection, await (await open_identities(connection)).expand([job]), version)
    if made is None:
        raise refused(404, "Could not find node")
    names = await open_names_then(connection, made.created_at)
    targets = await list_targets_of_write(connection, made.job_id, made.outputs, made.created_at)
    called = {dataset: await _call(names, dataset, made.created_at) for dataset in made.outputs}
    return Past(names, list(dict.fromkeys((called[dataset], field) for dataset, field in targets)), {})


async def _call(names: NamesThen, dataset: UUID, at: datetime) -> UUID:
    """What was called so, by the end of the time at which it was written."""
    root = (await names.identities.find_roots([dataset]))[dataset]
    if names.identities.renames:
        await names.identities.learn([root])
    return names.identities.history.follow(root, at, written=True) or root


async def find_past_at(connection: Connection, target: Target, at: datetime) -> Past:
    """The columns of a node as they were at a time; 404 if nothing is known of it then."""
    names = await open_names_then(connection, at)
    if target.kind == "job":
        steps, _ = await names.step_to_datasets([target.id], MOST_FIELDS)
        outputs = [step.dataset_id for step in steps if step.side == "o"]
        columns = await names.list_fields(outputs, target.id, MOST_FIELDS)
    else:
        fields = build_fields((await names.find_schemas([target.id])).get(target.id))
        columns = [(target.id, field["name"]) for field in fields]
        columns += await names.list_fields([target.id], None, MOST_FIELDS)
        if not columns:  # nobody had written it, so that no time is known for its columns
            columns = await list_known_columns(connection, [target.id])
            columns = columns if target.field is not None else []
        columns = [column for column in dict.fromkeys(columns) if target.field in {None, column[1]}]
    if not columns:
        raise refused(404, "Could not find node")
    return Past(names, columns, {})


async def walk_past(connection: Connection, past: Past, *, depth: int) -> ColumnWalk:
    """What the columns were made from at that time, by the newest write of each dataset until then."""
    walk = ColumnWalk(columns=dict.fromkeys(past.columns))
    await walk_one_way(connection, walk, past.columns, depth, past.names.step_upstream, upstream=True)
    return walk
