"""Columns in force that could not be traced."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_snapshot import Connection


@dataclass(frozen=True, slots=True)
class UnresolvedRow:
    """A column of a slot that is unresolved; last_known: there are edges from before SQL came that can't be read."""

    dataset_id: UUID
    job_id: UUID
    field: str
    reason: str | None
    message: str | None
    expression: str | None
    since: datetime
    last_known: bool


# What no reading of a dataset reports is told once, with its newest slot: what readings left out, and what its schema
# has beside.
_SILENT = """
        select left_out.field, 'not_reported' as reason, null as message, null as expression
        from (
            select known.field
            from slot as o
            join build as b on b.id = any(o.build_ids)
            join edge_set_column as known on known.edge_set_id = b.edge_set_id
            where
                o.dataset_id = s.dataset_id and not o.ended
                and known.status = 'unresolved' and known.reason = 'not_reported'
            union
            select stated.field ->> 'name'
            from dataset_state as d
            join schema_body as body on body.id = d.schema_id
            cross join lateral jsonb_array_elements(body.fields::jsonb) as stated(field)
            where
                d.dataset_id = s.dataset_id
                and d.schema_origin <> 'read'
                and exists (
                    select
                    from slot as o
                    join build as b on b.id = any(o.build_ids)
                    join edge_set_column as known on known.edge_set_id = b.edge_set_id
                    where o.dataset_id = s.dataset_id and not o.ended
                )
        ) as left_out
        where
            not exists (
                select
                from slot as newer
                where
                    newer.dataset_id = s.dataset_id and not newer.ended and newer.build_id is not null
                    and (newer.effective_at, newer.job_id) > (s.effective_at, s.job_id)
            )
            and not exists (
                select
                from slot as o
                join build as b on b.id = any(o.build_ids)
                join edge_set_column as known on known.edge_set_id = b.edge_set_id and known.field = left_out.field
                where
                    o.dataset_id = s.dataset_id and not o.ended
                    and (known.status <> 'unresolved' or known.reason is distinct from 'not_reported')
            )"""

# Of some datasets alone there is a statement of its own: with one for both, all slots would be read.
# By slots in the order of their key: what is asked for is found by going on from there.
_LIST_UNRESOLVED_BEGINS = """
select
    s.dataset_id,
    s.job_id,
    c.field,
    c.reason,
    c.message,
    c.expression,
    s.effective_at as since,
    exists (
        select
        from edge_active as e
        where e.target_dataset = s.dataset_id and e.job_id = s.job_id and e.target_field = c.field and e.last_known
    ) as last_known
from (
    select k.dataset_id, k.job_id, k.effective_at, k.build_ids
    from slot as k
    where
        (k.dataset_id, k.job_id) >= ($1::uuid, $2::uuid)
        and not k.ended
        and k.build_id is not null
"""
_LIST_UNRESOLVED_ENDS = f"""
    order by k.dataset_id, k.job_id
    limit $6
) as s
cross join lateral (
    select distinct on (known.field) known.field, known.reason, known.message, known.expression
    from (
        select c.field, c.reason, c.message, c.expression, b.id
        from build as b
        join edge_set_column as c on c.edge_set_id = b.edge_set_id
        where b.id = any(s.build_ids) and c.status = 'unresolved' and c.reason is distinct from 'not_reported'
        union all
        select silent.field, silent.reason, silent.message, silent.expression, null
        from ({_SILENT}
        ) as silent
    ) as known
    where known.field <> ''
    order by known.field, known.id
) as c
where
    (s.dataset_id, s.job_id, c.field) > ($1::uuid, $2::uuid, $3)
    and ($5::text is null or c.reason = $5)
order by s.dataset_id, s.job_id, c.field
limit $7
"""  # noqa: S608 - of constants
LIST_UNRESOLVED = f"{_LIST_UNRESOLVED_BEGINS}        and $4::uuid[] is null{_LIST_UNRESOLVED_ENDS}"
LIST_UNRESOLVED_OF = f"{_LIST_UNRESOLVED_BEGINS}        and k.dataset_id = any($4::uuid[]){_LIST_UNRESOLVED_ENDS}"


Place = tuple[UUID, UUID, str]
FIRST: Place = (NONE, NONE, "")


async def list_unresolved(
    connection: Connection, after: Place, datasets: list[UUID] | None, reason: str | None, slots: int, limit: int
) -> list[UnresolvedRow]:
    """The next `limit` columns behind a place (dataset, job, field), among the next `slots` slots."""
    rows = await connection.fetch(
        LIST_UNRESOLVED if datasets is None else LIST_UNRESOLVED_OF, *after, datasets, reason, slots, limit
    )
    return [UnresolvedRow(**row) for row in rows]


_NEXT_SLOT_BEGINS = """
select s.dataset_id, s.job_id
from slot as s
where
    (s.dataset_id, s.job_id) >= ($1::uuid, $2::uuid)
    and not s.ended
    and s.build_id is not null
"""
_NEXT_SLOT_ENDS = """
order by s.dataset_id, s.job_id
limit 1 offset $4
"""
NEXT_SLOT = f"{_NEXT_SLOT_BEGINS}    and $3::uuid[] is null{_NEXT_SLOT_ENDS}"
NEXT_SLOT_OF = f"{_NEXT_SLOT_BEGINS}    and s.dataset_id = any($3::uuid[]){_NEXT_SLOT_ENDS}"


async def find_slot_behind(
    connection: Connection, after: Place, datasets: list[UUID] | None, slots: int
) -> tuple[UUID, UUID] | None:
    """The slot that is `slots` behind a place; None where there are no more."""
    row = await connection.fetchrow(
        NEXT_SLOT if datasets is None else NEXT_SLOT_OF, after[0], after[1], datasets, slots
    )
    return None if row is None else (row["dataset_id"], row["job_id"])


_COUNT_REASONS_BEGINS = """
with looked_at as materialized (
    select
        s.dataset_id,
        s.job_id,
        c.field,
        b.id as build_id,
        c.reason,
        c.status = 'unresolved' as is_open,
        c.status = 'unresolved' and c.reason is not distinct from 'not_reported' as is_silent
    from slot as s
    join build as b on b.id = any(s.build_ids)
    join edge_set_column as c on c.edge_set_id = b.edge_set_id and c.field <> ''
    where
        not s.ended
        and s.build_id is not null
"""
_COUNT_REASONS_ENDS = """
        and ($2::uuid is null or s.dataset_id in (select d.id from dataset as d where d.namespace_id = $2))
    limit $3
),
stated as (
    select d.dataset_id, f.field ->> 'name' as field, true as is_silent
    from (select distinct l.dataset_id from looked_at as l) as l
    join dataset_state as d on d.dataset_id = l.dataset_id and d.schema_origin <> 'read'
    join schema_body as body on body.id = d.schema_id
    cross join lateral jsonb_array_elements(body.fields::jsonb) as f(field)
)
select open_ones.reason, count(*) as n, null as looked_at
from (
    (
        select distinct on (l.dataset_id, l.job_id, l.field) l.reason
        from looked_at as l
        where l.is_open and not l.is_silent
        order by l.dataset_id, l.job_id, l.field, l.build_id
    )
    union all
    select 'not_reported'
    from (
        select l.dataset_id, l.field, l.is_silent from looked_at as l
        union all
        select stated.dataset_id, stated.field, stated.is_silent from stated
    ) as named
    group by named.dataset_id, named.field
    having bool_and(named.is_silent)
) as open_ones
group by open_ones.reason
union all
select null, 0, count(*) from looked_at
"""
COUNT_REASONS = f"{_COUNT_REASONS_BEGINS}        and $1::uuid[] is null{_COUNT_REASONS_ENDS}"
COUNT_REASONS_OF = f"{_COUNT_REASONS_BEGINS}        and s.dataset_id = any($1::uuid[]){_COUNT_REASONS_ENDS}"


async def count_reasons(
    connection: Connection, datasets: list[UUID] | None, namespace: UUID | None, limit: int
) -> tuple[dict[str | None, int], bool]:
    """Unresolved columns by reason, and whether all columns were looked at."""
    rows = await connection.fetch(COUNT_REASONS if datasets is None else COUNT_REASONS_OF, datasets, namespace, limit)
    whole = all(row["looked_at"] < limit for row in rows if row["looked_at"] is not None)
    return {row["reason"]: row["n"] for row in rows if row["n"]}, whole


_COUNT_SILENT_BEGINS = """
select count(*)
from (
    select s.dataset_id
    from slot as s
    where
        not s.ended
        and s.build_id is null
        and s.dataset_id <> $1
"""
_COUNT_SILENT_ENDS = """
        and ($3::uuid is null or s.dataset_id in (select d.id from dataset as d where d.namespace_id = $3))
    limit $4
) as silent
"""
COUNT_SILENT = f"{_COUNT_SILENT_BEGINS}        and $2::uuid[] is null{_COUNT_SILENT_ENDS}"
COUNT_SILENT_OF = f"{_COUNT_SILENT_BEGINS}        and s.dataset_id = any($2::uuid[]){_COUNT_SILENT_ENDS}"


async def count_silent(connection: Connection, datasets: list[UUID] | None, namespace: UUID | None, limit: int) -> int:
    """How many slots say nothing about columns, up to `limit`."""
    return int(
        await connection.fetchval(
            COUNT_SILENT if datasets is None else COUNT_SILENT_OF, NONE, datasets, namespace, limit
        )
    )
