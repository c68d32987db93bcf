"""Facets as they were sent, the newest of each name."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from lineal_receiver.ids import NONE, run_scope
from lineal_receiver.store.arrays import transpose
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.tuples import make_tuples

RunKey = tuple[UUID, UUID]
FacetKey = tuple[UUID, "UUID | RunKey"]
"""A job and one of its runs, a dataset and (job, run), or either and none: the newest of all that was said."""


class FacetRow(NamedTuple):
    """A facet: its body is JSON text.

    side: r of a run, j of a job, w of a dataset by its writer, d by a reader, i of an input, o of an output.
    future: it was said from the future, of what isn't a run.
    """

    side: str
    name: str
    body: str
    at: datetime | None = None
    future: bool = False


# What the end of a run carries is kept as a set; what a later event says of the same goes before it.
FETCH_FACETS = """
select
    f.entity_id,
    f.scope_id,
    f.side,
    f.name,
    case when $8::boolean then left(b.body, $4) else b.body end as body,
    f.at,
    substring(f.key from 1 for 8) = int8send(0) as future
from (
    select distinct on (said.entity_id, said.scope_id, said.side, said.name)
        said.entity_id, said.scope_id, said.side, said.name, said.body_id, said.key, said.at
    from (
        select distinct *
        from unnest($1::uuid[], $2::uuid[], $6::uuid[], $7::uuid[]) as k(entity_id, scope_id, job_id, run_id)
    ) as wanted
    cross join lateral (
        select f.entity_id, f.scope_id, f.side::text as side, f.name, f.body_id, f.key, f.at
        from facet as f
        where f.entity_id = wanted.entity_id and f.scope_id = wanted.scope_id
        union all
        select
            m.entity_id, wanted.scope_id, m.side::text, m.name, m.body_id, r.facet_set_key,
            to_timestamp_of_seen(r.facet_set_key)
        from run as r
        join facet_set as m on m.set_id = r.facet_set_id and m.entity_id = wanted.entity_id
        where r.job_id = wanted.job_id and r.run_id = wanted.run_id
    ) as said
    where said.side = any($3::text[]) and ($5::text[] is null or said.name = any($5))
    order by said.entity_id, said.scope_id, said.side, said.name, said.key desc
) as f
join facet_body as b on b.id = f.body_id
where $4::integer is null or $8 or octet_length(b.body) <= $4
order by f.entity_id, f.scope_id, f.at, f.name
"""


async def fetch_facets(
    connection: Connection,
    keys: Sequence[FacetKey],
    sides: str,
    most_bytes: int | None = None,
    names: tuple[str, ...] | None = None,
    *,
    beginnings: bool = False,
) -> dict[FacetKey, list[FacetRow]]:
    """The facets under these keys, of the `sides` given as letters, oldest first.

    Where given: only those called one of `names`, and none larger than `most_bytes`; with `beginnings` of those,
    too, so many characters.
    """
    found: dict[FacetKey, list[FacetRow]] = {}
    places: dict[RunKey, FacetKey] = {}
    for entity, scope in keys:
        places[entity, run_scope(*scope) if isinstance(scope, tuple) else scope] = (entity, scope)
    runs = [scope if isinstance(scope, tuple) else (entity, scope) for entity, scope in places.values()]
    asked = (*transpose(places, 2), list(sides), most_bytes, names, *transpose(runs, 2), beginnings)
    rows = await connection.fetch(FETCH_FACETS, *asked)
    facets = make_tuples(FacetRow, (rest for _, _, *rest in rows))
    for (entity, scope, *_), facet in zip(rows, facets, strict=True):
        found.setdefault(places[entity, scope], []).append(facet)
    return found


FIND_DELETED = """
select f.entity_id, f.side::text as side, f.name
from facet as f
where f.entity_id = any($1::uuid[]) and f.scope_id = $2 and f.body_id is null
"""


async def find_deleted(connection: Connection, entities: list[UUID]) -> set[tuple[UUID, str, str]]:
    """(entity, side, name) of facets of which the newest that was said on this side is that they are deleted."""
    rows = await connection.fetch(FIND_DELETED, entities, NONE)
    return {(row["entity_id"], row["side"], row["name"]) for row in rows}
