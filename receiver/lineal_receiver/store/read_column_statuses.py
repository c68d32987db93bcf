"""What is known of where columns come from."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from lineal_receiver.store.read_columns import Column
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.tuples import make_tuples

NOT_REPORTED = "not_reported"
"""The reason of a column of the schema that readings of its dataset leave out."""


_WORST_FIRST = """case
        when c.status = 'unresolved' and c.reason is distinct from 'not_reported' then 0
        when c.status = 'traced' then 1
        when c.status = 'constant' then 2
        else 3
    end"""
"""The order of statuses of one column: what can't be told goes before what is told, and that before silence."""


class ColumnStatusRow(NamedTuple):
    """Whether it is known where a column comes from: traced, constant, or unresolved for a reason.

    A tuple: there are thousands in an answer.
    """

    dataset_id: UUID
    field: str
    status: str
    reason: str | None
    message: str | None
    expression: str | None


FETCH_COLUMN_STATUSES = f"""
select
    wanted.dataset_id,
    wanted.field,
    known.status,
    known.reason,
    known.message,
    known.expression
from unnest($1::uuid[], $2::text[]) as wanted(dataset_id, field)
cross join lateral (
    select c.status, c.reason, c.message, c.expression
    from slot as s
    join build as b on b.id = any(s.build_ids)
    join edge_set_column as c on c.edge_set_id = b.edge_set_id and c.field = wanted.field
    where
        s.dataset_id = wanted.dataset_id and not s.ended
        and not exists (select from hidden as h where h.entity_id = s.job_id)
    order by
        {_WORST_FIRST},
        s.effective_at desc,
        b.id
    limit 1
) as known
"""  # noqa: S608 - of constants


FETCH_UNREPORTED = """
select wanted.dataset_id, wanted.field
from unnest($1::uuid[], $2::text[]) as wanted(dataset_id, field)
join (
    select d.dataset_id, stated.field ->> 'name' as field
    from dataset_state as d
    join schema_body as b on b.id = d.schema_id
    cross join lateral jsonb_array_elements(b.fields::jsonb) as stated(field)
    where
        d.dataset_id = any($1::uuid[])
        and d.schema_origin <> 'read'
        and exists (
            select
            from slot as s
            join build as made on made.id = any(s.build_ids)
            join edge_set_column as c on c.edge_set_id = made.edge_set_id
            where
                s.dataset_id = d.dataset_id and not s.ended
                and not exists (select from hidden as h where h.entity_id = s.job_id)
        )
) as named on named.dataset_id = wanted.dataset_id and named.field = wanted.field
"""


async def fetch_column_statuses(connection: Connection, columns: list[Column]) -> dict[Column, ColumnStatusRow]:
    """The statuses of those of `columns` that an active build makes; what any of them can't tell is unresolved.

    So is what the dataset's schema has and none of them reports, whichever event stated that.
    """
    datasets, fields = [column[0] for column in columns], [column[1] for column in columns]
    rows = await connection.fetch(FETCH_COLUMN_STATUSES, datasets, fields)
    found = _by_column(rows)
    rest = [column for column in columns if column not in found]
    if rest:
        open_ones = await connection.fetch(
            FETCH_UNREPORTED, [column[0] for column in rest], [column[1] for column in rest]
        )
        found |= {
            (dataset, field): ColumnStatusRow(dataset, field, "unresolved", NOT_REPORTED, None, None)
            for dataset, field in open_ones
        }
    return found


FETCH_STATUSES_OF_DATASETS = f"""
select distinct on (s.dataset_id, c.field)
    s.dataset_id,
    c.field,
    c.status,
    c.reason,
    c.message,
    c.expression
from slot as s
join build as b on b.id = any(s.build_ids)
join edge_set_column as c on c.edge_set_id = b.edge_set_id and c.field <> ''
where
    s.dataset_id = any($1::uuid[]) and not s.ended
    and not exists (select from hidden as h where h.entity_id = s.job_id)
order by
    s.dataset_id,
    c.field,
    {_WORST_FIRST},
    s.effective_at desc,
    b.id
"""  # noqa: S608 - of constants


async def fetch_statuses_of_datasets(connection: Connection, datasets: list[UUID]) -> dict[Column, ColumnStatusRow]:
    """The statuses of all columns of `datasets` that an active build makes."""
    rows = await connection.fetch(FETCH_STATUSES_OF_DATASETS, datasets)
    return _by_column(rows)


FETCH_STATUSES_OF_SETS = f"""
select distinct on (k.dataset_id, c.field)
    k.dataset_id,
    c.field,
    c.status,
    c.reason,
    c.message,
    c.expression
from unnest($1::uuid[], $2::text[], $3::bytea[]) as k(dataset_id, field, edge_set_id)
join edge_set_column as c on c.edge_set_id = k.edge_set_id and c.field = k.field
order by
    k.dataset_id,
    c.field,
    {_WORST_FIRST},
    c.edge_set_id
"""  # noqa: S608 - of constants


async def fetch_statuses_of_sets(
    connection: Connection, columns: list[tuple[UUID, str, bytes]]
) -> dict[Column, ColumnStatusRow]:
    """The statuses of columns (dataset, field) in edge sets; what any of these can't tell is unresolved."""
    if not columns:
        return {}
    rows = await connection.fetch(FETCH_STATUSES_OF_SETS, *(list(part) for part in zip(*columns, strict=True)))
    return _by_column(rows)


LIST_SETS_THAT_TELL = """
select k.id
from unnest($1::bytea[]) as k(id)
where exists (select from edge_set_column as c where c.edge_set_id = k.id)
"""


async def list_sets_that_tell(connection: Connection, sets: list[bytes]) -> set[bytes]:
    """Those of these edge sets that say of any column where it comes from, or that they can't tell."""
    return {row["id"] for row in await connection.fetch(LIST_SETS_THAT_TELL, sets)} if sets else set()


def _by_column(rows: Iterable[Iterable[Any]]) -> dict[Column, ColumnStatusRow]:
    return {status[:2]: status for status in make_tuples(ColumnStatusRow, rows)}
