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


# A reading's counts say whether it has such columns at all: of most, none are looked at.
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
                and b.counts @> '[["unresolved", "not_reported"]]'
                and known.status = 'unresolved' and known.reason = 'not_reported'
            union
            select stated.field ->> 'name'
            from (
                select array_agg(named.field) as fields
                from slot as o
                join build as b on b.id = any(o.build_ids)
                cross join lateral unnest(b.out_columns) as named(field)
                where o.dataset_id = s.dataset_id and not o.ended
            ) as made
            join dataset_state as d on d.dataset_id = s.dataset_id and d.schema_origin <> 'read'
            join schema_body as body on body.id = d.schema_id
            cross join lateral jsonb_array_elements(body.fields::jsonb) as stated(field)
            where stated.field ->> 'name' <> all(made.fields)
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
        and not exists (select from hidden as h where h.entity_id = k.job_id)
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
        where
            b.id = any(s.build_ids) and b.counts @> '[["unresolved"]]'
            and c.status = 'unresolved' and c.reason is distinct from 'not_reported'
        union all
        select silent.field, silent.reason, silent.message, silent.expression, null
        from ({_SILENT}
        ) as silent
    ) as known
    order by known.field, known.id
) as c
where
    ((s.dataset_id, s.job_id) > ($1::uuid, $2::uuid) or $3::text is null or c.field > $3)
    and ($5::text is null or c.reason = $5)
order by s.dataset_id, s.job_id, c.field
limit $7
"""  # noqa: S608 - of constants
LIST_UNRESOLVED = f"{_LIST_UNRESOLVED_BEGINS}        and $4::uuid[] is null{_LIST_UNRESOLVED_ENDS}"
LIST_UNRESOLVED_OF = f"{_LIST_UNRESOLVED_BEGINS}        and k.dataset_id = any($4::uuid[]){_LIST_UNRESOLVED_ENDS}"


Place = tuple[UUID, UUID, str | None]
"""A slot (dataset, job), and the field behind which it goes on, which may be ''; None: all of the slot is to come."""
FIRST: Place = (NONE, NONE, None)


async def list_unresolved(
    connection: Connection, after: Place, datasets: list[UUID] | None, reason: str | None, slots: int, limit: int
) -> list[UnresolvedRow]:
    """The next `limit` columns behind a place, among the next `slots` slots."""
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
    and not exists (select from hidden as h where h.entity_id = s.job_id)
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
