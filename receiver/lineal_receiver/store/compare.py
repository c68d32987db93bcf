"""Compare a table with its twin in another schema: by hashes of buckets of rows, then row by row where those differ.

The two sides are read over two connections, because one of them looks at an older snapshot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

ROWS_A_BUCKET = 500
MOST_BUCKETS = 1 << 16
BUCKETS_LOOKED_INTO = 16

# Tables that don't follow from the log. Refusals aren't records.
LEFT_OUT = frozenset({"schema_migration", "rejected"})
# What may differ between two ways to the same state: when a record was received, and the raw bytes and flags of its
# first acceptance.
EXCEPTED: dict[str, tuple[str, ...]] = {"log": ("received_at", "flags", "body")}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the store: the columns of its key, and all that are compared."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that isn't the same on both sides; None where it is missing."""

    key: dict[str, Any]
    live: dict[str, Any] | None
    shadow: dict[str, Any] | None


FETCH_TABLES = """
select
    c.relname as name,
    array(
        select a.attname::text
        from pg_index as i
        cross join unnest(i.indkey) with ordinality as k (number, place)
        join pg_attribute as a on a.attrelid = c.oid and a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary
        order by k.place
    ) as key,
    array(
        select a.attname::text
        from pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum
    ) as columns
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
order by 1
"""


async def fetch_tables(connection: asyncpg.Connection, schema: str) -> list[Table]:
    """The tables of a schema that follow from the log, without the columns that may differ."""
    tables = []
    for row in await connection.fetch(FETCH_TABLES, schema):
        if row["name"] not in LEFT_OUT:
            columns = tuple(name for name in row["columns"] if name not in EXCEPTED.get(row["name"], ()))
            tables.append(Table(row["name"], tuple(row["key"]) or columns, columns))
    return tables


# PostgreSQL writes the statements, because it knows how to quote a name.
WRITE_STATEMENTS = """
select
    format('select count(*) from %I.%I', $1::text, $2::text) as count,
    format(
        'select (hashtextextended(jsonb_build_array(%s)::text, 0) & $1) as bucket, count(*) as n, '
        'sum(hashtextextended(row(%s)::text, 1)) as sum from %I.%I group by 1',
        k.names, c.names, $1::text, $2::text
    ) as buckets,
    format(
        'select jsonb_build_array(%s)::text as key, md5(row(%s)::text) as hash from %I.%I '
        'where (hashtextextended(jsonb_build_array(%s)::text, 0) & $1) = any($2::bigint[])',
        k.names, c.names, $1::text, $2::text, k.names
    ) as hashes,
    format(
        'select jsonb_build_array(%s)::text as key, jsonb_build_object(%s) as named, to_jsonb(t) as row '
        'from %I.%I as t '
        'where (hashtextextended(jsonb_build_array(%s)::text, 0) & $1) = any($2::bigint[]) '
        'and jsonb_build_array(%s)::text = any($3::text[])',
        k.names, k.pairs, $1::text, $2::text, k.names, k.names
    ) as rows
from (
    select string_agg(format('%I', k.name), ', ') as names, string_agg(format('%L, %I', k.name, k.name), ', ') as pairs
    from unnest($3::text[]) as k (name)
) as k
cross join (select string_agg(format('%I', c.name), ', ') as names from unnest($4::text[]) as c (name)) as c
"""


@dataclass(frozen=True, slots=True)
class _Side:
    connection: asyncpg.Connection
    statements: asyncpg.Record

    async def buckets(self, mask: int) -> dict[int, tuple[int, Any]]:
        rows = await self.connection.fetch(self.statements["buckets"], mask)
        return {row["bucket"]: (row["n"], row["sum"]) for row in rows}

    async def hashes(self, mask: int, buckets: Sequence[int]) -> dict[str, str]:
        rows = await self.connection.fetch(self.statements["hashes"], mask, buckets)
        return {row["key"]: row["hash"] for row in rows}

    async def rows(self, mask: int, buckets: Sequence[int], keys: Sequence[str]) -> dict[str, tuple[Any, Any]]:
        rows = await self.connection.fetch(self.statements["rows"], mask, buckets, keys)
        return {row["key"]: (row["named"], row["row"]) for row in rows}


async def _look(connection: asyncpg.Connection, schema: str, table: Table) -> _Side:
    row = await connection.fetchrow(WRITE_STATEMENTS, schema, table.name, table.key, table.columns)
    return _Side(connection, row)


async def compare_table(
    live: tuple[asyncpg.Connection, str], shadow: tuple[asyncpg.Connection, str], table: Table, most: int
) -> tuple[list[Difference], bool]:
    """Up to `most` rows that differ between a table in two (connection, schema), and whether there are more.

    Holds a few thousand keys and hashes at once, however large the table is.
    """
    sides = (await _look(*live, table), await _look(*shadow, table))
    counts = [await side.connection.fetchval(side.statements["count"]) for side in sides]
    mask = 1
    while mask < max(counts) // ROWS_A_BUCKET and mask < MOST_BUCKETS:
        mask = mask << 1
    mask -= 1
    ours, theirs = await sides[0].buckets(mask), await sides[1].buckets(mask)
    differing = sorted(b for b in ours.keys() | theirs.keys() if ours.get(b) != theirs.get(b))
    if not differing:
        return [], False
    looked = differing[:BUCKETS_LOOKED_INTO]
    here, there = await sides[0].hashes(mask, looked), await sides[1].hashes(mask, looked)
    keys = sorted(key for key in here.keys() | there.keys() if here.get(key) != there.get(key))
    shown = keys[:most]
    lives, shadows = await sides[0].rows(mask, looked, shown), await sides[1].rows(mask, looked, shown)
    found = [_difference(lives.get(key), shadows.get(key), table) for key in shown]
    return found, len(keys) > most or len(differing) > len(looked)


def _difference(live: tuple[Any, Any] | None, shadow: tuple[Any, Any] | None, table: Table) -> Difference:
    named = (live or shadow or ({}, None))[0]
    rows = [None if side is None else {name: side[1][name] for name in table.columns} for side in (live, shadow)]
    return Difference(named, *rows)
