"""The columns of datasets that have, or had, other names: those in force, and what is known of where they come from."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.store.read_column_statuses import (
    NOT_REPORTED,
    ColumnStatusRow,
    fetch_statuses_of_sets,
    list_sets_that_tell,
)
from lineal_receiver.store.read_columns import Column, fetch_sets_in_force, list_fields_read
from lineal_receiver.store.read_past_columns import list_fields_of_sets


async def list_columns_now(names: NamesNow, datasets: list[UUID], limit: int) -> list[Column]:
    """The columns that lineage in force makes of `datasets`, or makes others of, up to `limit` of a kind."""
    found = dict.fromkeys(
        await list_fields_of_sets(
            names.identities.connection, await _find_sets(names, datasets, limit, last_known=True), limit
        )
    )
    wanted = set(datasets)
    used = await list_fields_read(names.identities.connection, await names.identities.expand(datasets), limit)
    folded = await names.settle([(row.target_dataset, row.job_id, row.source_dataset) for row in used])
    for row in used:
        place = folded[row.target_dataset, row.job_id, row.source_dataset]
        if place is not None and place[2] in wanted:
            found.setdefault((place[2], row.source_field))
    found |= dict.fromkeys(await list_columns_left(names, datasets, limit))
    return sorted(column for column in found if column[1])


async def list_columns_left(names: NamesNow, datasets: list[UUID], limit: int) -> list[Column]:
    """The columns of `datasets` that others are made of where either was renamed, which no slot tells of."""
    if names.moved is None:
        return []
    used = await list_fields_read(names.identities.connection, await names.identities.expand(datasets), limit)
    roots = await names.identities.find_roots(row.target_dataset for row in used)
    found = await names.moved.list_edges(datasets, list(dict.fromkeys(roots.values())), limit)
    wanted = set(datasets)
    return sorted({edge.source for edge in found if edge.source_dataset in wanted})


async def find_statuses_now(
    names: NamesNow, columns: list[Column], schemas: dict[UUID, set[str]], limit: int
) -> dict[Column, ColumnStatusRow]:
    """What is known of these columns; what any reading in force can't tell is unresolved.

    So is what a schema that was stated (its fields, by dataset) has beside.
    """
    sets = await _find_sets(names, list({dataset for dataset, _ in columns}), limit)
    by_dataset: dict[UUID, list[bytes]] = {}
    for dataset, edge_set in sets:
        by_dataset.setdefault(dataset, []).append(edge_set)
    asked = [(*column, edge_set) for column in columns for edge_set in by_dataset.get(column[0], ())]
    found = await fetch_statuses_of_sets(names.identities.connection, asked)
    told = await _find_told(names, sets)
    return found | {
        column: ColumnStatusRow(*column, "unresolved", NOT_REPORTED, None, None)
        for column in columns
        if column not in found and column[0] in told and column[1] in schemas[column[0]]
    }


async def find_told(names: NamesNow, datasets: list[UUID], limit: int) -> set[UUID]:
    """Those of `datasets` of which readings in force say of any column where it comes from, or that they can't tell."""
    return await _find_told(names, await _find_sets(names, datasets, limit))


async def _find_told(names: NamesNow, sets: list[tuple[UUID, bytes]]) -> set[UUID]:
    telling = await list_sets_that_tell(names.identities.connection, list({edge_set for _, edge_set in sets}))
    return {dataset for dataset, edge_set in sets if edge_set in telling}


async def _find_sets(
    names: NamesNow, datasets: list[UUID], limit: int, *, last_known: bool = False
) -> list[tuple[UUID, bytes]]:
    """The edge sets in force of `datasets` (dataset, edge set), with those that only stand for what was known last."""
    found = await find_readings_now(names, datasets, limit, last_known=last_known)
    return list(dict.fromkeys((reading.dataset_id, reading.edge_set_id) for reading in found))


class ReadingNow(NamedTuple):
    """A reading of a dataset's columns in force, of what both are called now, and how its slot is called."""

    dataset_id: UUID
    job_id: UUID
    edge_set_id: bytes
    effective_at: datetime
    written_id: UUID
    written_job: UUID


async def find_readings_now(
    names: NamesNow, datasets: list[UUID], limit: int, *, last_known: bool = False
) -> list[ReadingNow]:
    """The readings in force of `datasets`, with those that only stand for what was known last."""
    every = await names.identities.expand(datasets)
    rows = await fetch_sets_in_force(names.identities.connection, every, limit, last_known=last_known)
    folded = await names.settle([(row.dataset_id, row.job_id, row.dataset_id) for row in rows])
    places = ((row, folded[row.dataset_id, row.job_id, row.dataset_id]) for row in rows)
    found = [
        ReadingNow(*place[:2], row.edge_set_id, row.effective_at, row.dataset_id, row.job_id)
        for row, place in places
        if place is not None
    ]
    moved = await names.moved.find_builds(datasets) if names.moved is not None else {}
    found += [
        ReadingNow(dataset, job, write.edge_set_id, write.effective_at, write.dataset_id, write.job_id)
        for (dataset, job), writes in moved.items()
        for write in writes
        if write.edge_set_id is not None and (last_known or not write.last_known)
    ]
    wanted = set(datasets)
    return list(dict.fromkeys(one for one in found if one.dataset_id in wanted))
