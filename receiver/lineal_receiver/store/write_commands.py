"""What only commands say: owners, descriptions, sources, tags, declared jobs, past versions of static schemas."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from lineal_receiver.store.arrays import transpose

UPSERT_NAMESPACES = """
insert into namespace_state as n (namespace_id, updated_at, owner, owner_key, description, description_key)
select r.namespace_id, r.updated_at, r.owner, r.owner_key, r.description, r.description_key
from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::bytea[], $5::text[], $6::bytea[])
as r (namespace_id, updated_at, owner, owner_key, description, description_key)
order by r.namespace_id
on conflict (namespace_id) do update set
    updated_at = greatest(n.updated_at, excluded.updated_at),
    owner = case when excluded.owner_key > coalesce(n.owner_key, '') then excluded.owner else n.owner end,
    owner_key = greatest(n.owner_key, excluded.owner_key),
    description = case
        when excluded.description_key > coalesce(n.description_key, '') then excluded.description
        else n.description
    end,
    description_key = greatest(n.description_key, excluded.description_key)
"""


async def upsert_namespaces(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join what was said of namespaces (namespace, at, owner, its key, description, its key)."""
    await connection.execute(UPSERT_NAMESPACES, *transpose(rows, 6))


UPSERT_SOURCES = """
insert into source as s (id, name, type, url, description, key, created_at, updated_at)
select r.id, r.name, r.type, r.url, r.description, r.key, r.created_at, r.updated_at
from unnest(
    $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::timestamptz[], $8::timestamptz[]
) as r (id, name, type, url, description, key, created_at, updated_at)
order by r.id
on conflict (id) do update set
    type = case when excluded.key > s.key then excluded.type else s.type end,
    url = case when excluded.key > s.key then excluded.url else s.url end,
    description = case when excluded.key > s.key then excluded.description else s.description end,
    key = greatest(s.key, excluded.key),
    created_at = least(s.created_at, excluded.created_at),
    updated_at = greatest(s.updated_at, excluded.updated_at)
"""


async def upsert_sources(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join what was put of sources (id, name, type, url, description, key, created at, updated at)."""
    await connection.execute(UPSERT_SOURCES, *transpose(rows, 8))


UPSERT_TAGS = """
insert into tag as t (id, name, description, key)
select r.id, r.name, r.description, r.key
from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as r (id, name, description, key)
order by r.id
on conflict (id) do update set description = excluded.description, key = excluded.key
where excluded.key > coalesce(t.key, '')
"""


async def upsert_tags(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add tags (id, name, description, its key), or describe them anew."""
    await connection.execute(UPSERT_TAGS, *transpose(rows, 4))


UPSERT_TAGGED = """
insert into tagged as t (entity_id, field, tag, added_at, removed_at)
select r.entity_id, r.field, r.tag, r.added_at, r.removed_at
from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
as r (entity_id, field, tag, added_at, removed_at)
order by r.entity_id, r.field, r.tag
on conflict (entity_id, field, tag) do update set
    added_at = greatest(t.added_at, excluded.added_at),
    removed_at = greatest(t.removed_at, excluded.removed_at)
"""


async def upsert_tagged(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Join when tags were last added and removed (entity, field, tag, added at, removed at)."""
    await connection.execute(UPSERT_TAGGED, *transpose(rows, 5))


UPSERT_DECLARATIONS = """
insert into job_declaration as d (job_id, key, body)
select r.job_id, r.key, r.body
from unnest($1::uuid[], $2::bytea[], $3::text[]) as r (job_id, key, body)
order by r.job_id
on conflict (job_id) do update set key = excluded.key, body = excluded.body
where excluded.key > d.key
"""


async def upsert_declarations(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep what jobs were last put with (job, key, JSON)."""
    await connection.execute(UPSERT_DECLARATIONS, *transpose(rows, 3))


UPSERT_STATIC_VERSIONS = """
insert into static_version as v (dataset_id, job_id, future, schema_id, key, stated_at)
select r.dataset_id, r.job_id, r.future, r.schema_id, r.key, r.stated_at
from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::bytea[], $5::bytea[], $6::timestamptz[])
as r (dataset_id, job_id, future, schema_id, key, stated_at)
order by r.dataset_id, r.job_id, r.future, r.schema_id
on conflict (dataset_id, job_id, future, schema_id) do update set key = excluded.key, stated_at = excluded.stated_at
where excluded.key > v.key
"""


async def upsert_static_versions(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep when static events last stated schemas (dataset, job, from the future, schema, key, at)."""
    await connection.execute(UPSERT_STATIC_VERSIONS, *transpose(rows, 6))


INSERT_SCHEMA_LOCATIONS = """
insert into schema_location (schema_id, location)
select r.schema_id, r.location
from unnest($1::bytea[], $2::text[]) as r (schema_id, location)
order by r.schema_id
on conflict (schema_id) do nothing
"""


async def insert_schema_locations(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep where schemas lie (schema, location)."""
    await connection.execute(INSERT_SCHEMA_LOCATIONS, *transpose(rows, 2))
