"""Data sources, as datasets' dataSource facets name them."""

from dataclasses import dataclass
from datetime import datetime

from lineal_receiver.store.read_snapshot import Connection

MOST_SOURCES = 10_000


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A dataSource facet's body (JSON text), and when it was first said of what is shown now."""

    body: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PutSourceRow:
    """A source as it was put."""

    name: str
    type: str
    url: str
    description: str | None
    created_at: datetime
    updated_at: datetime


LIST_PUT_SOURCES = """
select name, type, url, description, created_at, updated_at from source order by id limit $1
"""


async def list_put_sources(connection: Connection) -> list[PutSourceRow]:
    """The sources that were put, MOST_SOURCES at most."""
    return [PutSourceRow(**row) for row in await connection.fetch(LIST_PUT_SOURCES, MOST_SOURCES)]


FETCH_SOURCES = """
with recursive bodies as (
    (
        select f.body_id
        from facet as f
        where f.name = 'dataSource' and f.scope_id = '00000000-0000-0000-0000-000000000000' and not f.deleted
        order by f.body_id
        limit 1
    )
    union all
    select (
        select f.body_id
        from facet as f
        where
            f.name = 'dataSource'
            and f.scope_id = '00000000-0000-0000-0000-000000000000'
            and not f.deleted
            and f.body_id > bodies.body_id
        order by f.body_id
        limit 1
    )
    from bodies
    where bodies.body_id is not null
)
select
    b.body,
    (
        select min(f.at)
        from facet as f
        where
            f.name = 'dataSource'
            and f.scope_id = '00000000-0000-0000-0000-000000000000'
            and not f.deleted
            and f.body_id = bodies.body_id
    ) as created_at
from bodies
join facet_body as b on b.id = bodies.body_id
order by created_at, b.id
limit $1
"""


async def fetch_sources(connection: Connection) -> list[SourceRow]:
    """Every dataSource facet that any dataset has, each once, the earliest first; MOST_SOURCES at most."""
    return [SourceRow(**row) for row in await connection.fetch(FETCH_SOURCES, MOST_SOURCES)]
