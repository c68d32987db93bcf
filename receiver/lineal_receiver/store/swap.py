"""Let the live tables say what the shadow's say: only rows that differ are written, so that reads can go on."""

from dataclasses import dataclass

import asyncpg

from lineal_receiver.store.compare import Table
from lineal_receiver.store.connection import Connection

# PostgreSQL writes the statements, because it knows how to quote a name.
WRITE_SWAP = """
select
    format(
        'delete from %I.%I as a where not exists (select from %I.%I as b where %s)',
        $1::text, $3::text, $2::text, $3::text, c.same
    ) as remove,
    format(
        'insert into %I.%I (%s) select %s from %I.%I as b where not exists (select from %I.%I as a where %s)',
        $1::text, $3::text, c.written, c.written, $2::text, $3::text, $1::text, $3::text, k.same
    ) as add
from (
    select string_agg(format('a.%I = b.%I', k.name, k.name), ' and ') as same
    from unnest($4::text[]) as k (name)
) as k
cross join (
    select
        string_agg(
            case
                when a.attname = any($4::text[]) then format('a.%I = b.%I', a.attname, a.attname)
                else format('a.%I is not distinct from b.%I', a.attname, a.attname)
            end,
            ' and '
        ) as same,
        string_agg(format('%I', a.attname), ', ') filter (where a.attgenerated = '') as written
    from pg_attribute as a
    where a.attrelid = format('%I.%I', $1::text, $3::text)::regclass and a.attnum > 0 and not a.attisdropped
) as c
"""


@dataclass(frozen=True, slots=True)
class Swapped:
    """How many rows of a table went, and how many came."""

    table: str
    removed: int
    added: int


async def swap_table(connection: Connection, live: str, shadow: str, table: Table) -> Swapped:
    """Give a table of schema `live` the rows that it has in schema `shadow`, in the caller's transaction."""
    row = await connection.fetchrow(WRITE_SWAP, live, shadow, table.name, table.key)
    removed, added = [await connection.execute(row[name]) for name in ("remove", "add")]
    return Swapped(table.name, _count(removed), _count(added))


def _count(status: str) -> int:
    return int(status.rpartition(" ")[2])


# All that a table says in words: not ids, times and numbers.
WRITE_SEARCH = """
select
    c.relname as table,
    format(
        'select count(*) from %I.%I as t cross join lateral (select concat_ws(e''\\n'', %s) as said) as s '
        'where exists (select from unnest($1::text[]) as w (text) where strpos(s.said, w.text) > 0)',
        n.nspname, c.relname, string_agg(format('t.%I::text', a.attname), ', ')
    ) as count
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type as y on y.oid = a.atttypid
where
    n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migration'
    and y.typname in ('text', 'jsonb', 'json', '_text', 'varchar', 'name')
group by n.nspname, c.relname
order by 1
"""


async def count_rows_with(connection: Connection, schema: str, texts: list[str]) -> dict[str, int]:
    """In which tables of a schema one of the texts stands in how many rows; bodies of records aren't looked at."""
    found: dict[str, int] = {}
    for row in await connection.fetch(WRITE_SEARCH, schema):
        count = int(await connection.fetchval(row["count"], texts))
        if count:
            found[row["table"]] = count
    return found


WRITE_SWEEP = """
select format('vacuum (analyze) %I', $1::text)
"""


async def sweep(connection: Connection, tables: list[str]) -> bool:
    """Let go of dead rows, and gather statistics anew, which hold values of rows, too; whether that was possible.

    Not in a transaction. Rows that somebody's snapshot still sees stay until autovacuum comes.
    """
    try:
        for name in tables:
            await connection.execute(await connection.fetchval(WRITE_SWEEP, name))
    except asyncpg.PostgresError:
        return False
    return True
