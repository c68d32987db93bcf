"""What foreign keys would see to, if the hot tables had any; and counts that are kept beside what they count."""

from dataclasses import dataclass
from typing import Any

import asyncpg

from lineal_receiver.ids import STATIC


@dataclass(frozen=True, slots=True)
class Reference:
    """Columns of a table whose values must be a key of another; null and the id of nothing refer to nothing.

    where: a condition on the row `a`: others may refer to what isn't there.
    """

    table: str
    columns: tuple[str, ...]
    target: str
    keys: tuple[str, ...]
    where: str = "true"


_RUN = ("job_id", "run_id")
_TELLING = "(a.kind <> 'command' or a.event_type <> 'trust')"  # trust may come before what it is about

REFERENCES = (
    Reference("log", ("job_id",), "job_state", ("job_id",), _TELLING),
    Reference("log", _RUN, "run", _RUN, _TELLING),
    Reference("job", ("namespace_id",), "namespace", ("id",)),
    Reference("dataset", ("namespace_id",), "namespace", ("id",)),
    Reference("job", ("id",), "job_state", ("job_id",)),
    Reference("dataset", ("id",), "dataset_state", ("dataset_id",)),
    Reference("job_state", ("job_id",), "job", ("id",)),
    Reference("job_state", ("parent_job",), "job", ("id",)),
    Reference("job_newest", ("job_id",), "job", ("id",)),
    Reference("job_version", ("job_id",), "job", ("id",)),
    Reference("job_version", _RUN, "run", _RUN),
    Reference("ahead_version", ("job_id", "id"), "job_version", ("job_id", "id")),
    Reference("dataset_state", ("dataset_id",), "dataset", ("id",)),
    Reference("dataset_state", ("schema_id",), "schema_body", ("id",)),
    Reference("run", ("job_id",), "job", ("id",)),
    Reference("run", ("parent_job", "parent_run"), "run", _RUN),
    Reference("run", ("root_job", "root_run"), "run", _RUN),
    Reference("run", ("job_id", "version_id"), "job_version", ("job_id", "id")),
    Reference("run_io", ("dataset_id",), "dataset", ("id",)),
    Reference("run_io", _RUN, "run", _RUN),
    Reference("run_io", ("schema_id",), "schema_body", ("id",)),
    Reference("run_io", ("job_id", "side", "dataset_id"), "job_dataset", ("job_id", "side", "dataset_id")),
    Reference("run_io", ("build_id",), "build", ("id",)),
    Reference("statement", ("dataset_id",), "dataset", ("id",)),
    Reference("statement", ("job_id",), "job", ("id",)),
    Reference("statement", ("build_id",), "build", ("id",)),
    Reference("statement", ("schema_id",), "schema_body", ("id",)),
    Reference("reader_schema", ("dataset_id",), "dataset", ("id",)),
    Reference("reader_schema", ("schema_id",), "schema_body", ("id",)),
    Reference("named_version", ("dataset_id",), "dataset", ("id",)),
    Reference("named_version", _RUN, "run", _RUN),
    Reference("alias_claim", ("alias_id",), "dataset", ("id",)),
    Reference("alias_claim", ("declarer_id",), "dataset", ("id",)),
    Reference("alias_claim", _RUN, "run", _RUN),
    Reference("renaming", ("old_id",), "dataset", ("id",)),
    Reference("renaming", ("new_id",), "dataset", ("id",)),
    Reference("renaming", _RUN, "run", _RUN),
    Reference("alias_pointer", ("claimed_id",), "dataset", ("id",)),
    Reference("alias_route", ("namespace_id",), "namespace", ("id",)),
    Reference("alias_route", ("target_id",), "namespace", ("id",)),
    Reference("canon", ("id",), "alias_pointer", ("id",)),
    Reference("facet", ("body_id",), "facet_body", ("id",)),
    Reference("facet_set", ("body_id",), "facet_body", ("id",)),
    Reference("run", ("facet_set_id",), "facet_set", ("set_id",)),
    Reference("build", ("edge_set_id",), "edge_set", ("id",)),
    Reference("build", ("job_id",), "job", ("id",)),
    Reference("build", ("dataset_id",), "dataset", ("id",)),
    Reference("edge", ("edge_set_id",), "edge_set", ("id",)),
    Reference("edge", ("source_dataset",), "dataset", ("id",)),
    Reference("edge_set_column", ("edge_set_id",), "edge_set", ("id",)),
    Reference("made_from", ("source_dataset",), "dataset", ("id",)),
    Reference("made_from", ("job_id",), "job", ("id",)),
    Reference("made_from", ("target_dataset",), "dataset", ("id",)),
    Reference("slot", ("dataset_id",), "dataset", ("id",)),
    Reference("slot", ("job_id",), "job", ("id",)),
    Reference("slot", _RUN, "run", _RUN),
    Reference("slot", ("build_id",), "build", ("id",)),
    Reference("table_edge", ("target_dataset", "job_id"), "slot", ("dataset_id", "job_id")),
    Reference("table_edge", ("source_dataset",), "dataset", ("id",)),
    Reference("edge_active", ("target_dataset", "job_id"), "slot", ("dataset_id", "job_id")),
    Reference("edge_active", ("source_dataset",), "dataset", ("id",)),
)


# PostgreSQL writes the statement, because it knows how to quote a name.
WRITE_REFERENCE = """
select format(
    'select jsonb_build_object(%s) as named from %I as a where %s and %s '
    'and not exists (select from %I as b where %s) limit $1',
    string_agg(format('%L, a.%I', p.source, p.source), ', '),
    $1::text,
    string_agg(
        format('a.%1$I is not null and a.%1$I::text <> all ($2)', p.source), ' and '
    ),
    $5::text,
    $3::text,
    string_agg(format('b.%I = a.%I', p.target, p.source), ' and ')
)
from unnest($2::text[], $4::text[]) as p (source, target)
"""


async def fetch_dangling(connection: asyncpg.Connection, reference: Reference, most: int) -> list[dict[str, Any]]:
    """Up to `most` values of a reference that refer to nothing that is there."""
    sql = await connection.fetchval(
        WRITE_REFERENCE, reference.table, reference.columns, reference.target, reference.keys, reference.where
    )
    return [row["named"] for row in await connection.fetch(sql, most, [str(identity) for identity in STATIC])]


FETCH_WRONG_TOTALS = """
with counted as (
    select namespace_id as scope, 'jobs' as kind, count(*) as n from job_state where not hidden group by 1
    union all
    select '00000000-0000-0000-0000-000000000000', 'jobs', count(*) from job_state where not hidden having count(*) > 0
    union all
    select namespace_id, 'datasets', count(*) from dataset where not hidden group by 1
    union all
    select '00000000-0000-0000-0000-000000000000', 'datasets', count(*)
    from dataset
    where not hidden
    having count(*) > 0
    union all
    select '00000000-0000-0000-0000-000000000000', 'namespaces', count(*)
    from namespace
    where not hidden
    having count(*) > 0
    union all
    select job_id, 'runs', count(*) from run group by 1
    union all
    select dataset_id, 'versions', count(*) from run_io where side = 'o' group by 1
)
select coalesce(t.scope, c.scope) as scope, coalesce(t.kind, c.kind) as kind, t.n as kept, c.n as counted
from total as t
full join counted as c on c.scope = t.scope and c.kind = t.kind
where coalesce(t.n, 0) <> coalesce(c.n, 0)
order by 2, 1
limit $1
"""


async def fetch_wrong_totals(connection: asyncpg.Connection, most: int) -> list[asyncpg.Record]:
    """Up to `most` totals (scope, kind, kept, counted) that aren't what a count gives."""
    rows: list[asyncpg.Record] = await connection.fetch(FETCH_WRONG_TOTALS, most)
    return rows


FETCH_WRONG_HOURS = """
with counted as (
    select date_trunc('hour', event_time, 'UTC') as hour, kind, coalesce(event_type, '') as event_type, count(*) as n
    from log
    group by 1, 2, 3
)
select
    coalesce(h.hour, c.hour) as hour,
    coalesce(h.kind, c.kind) as kind,
    coalesce(h.event_type, c.event_type) as event_type,
    h.events as kept,
    c.n as counted
from event_hour as h
full join counted as c on c.hour = h.hour and c.kind = h.kind and c.event_type = h.event_type
where coalesce(h.events, 0) <> coalesce(c.n, 0)
order by 1, 2, 3
limit $1
"""


async def fetch_wrong_hours(connection: asyncpg.Connection, most: int) -> list[asyncpg.Record]:
    """Up to `most` hours (hour, kind, event type, kept, counted) whose count of events isn't what the log holds."""
    rows: list[asyncpg.Record] = await connection.fetch(FETCH_WRONG_HOURS, most)
    return rows


FETCH_WRONG_NAMES = """
with named as (
    select 'namespace' as kind, n.id, array[n.name] as parts from namespace as n
    union all
    select 'job', j.id, array[n.name, j.name] from job as j join namespace as n on n.id = j.namespace_id
    union all
    select 'dataset', d.id, array[n.name, d.name] from dataset as d join namespace as n on n.id = d.namespace_id
)
select kind, id, parts
from named
where
    id <> encode(
        substring(
            sha256(
                int4send(octet_length(kind)) || convert_to(kind, 'UTF8')
                || int4send(octet_length(convert_to(parts[1], 'UTF8'))) || convert_to(parts[1], 'UTF8')
                || case
                    when cardinality(parts) = 1 then ''
                    else int4send(octet_length(convert_to(parts[2], 'UTF8'))) || convert_to(parts[2], 'UTF8')
                end
            )
            from 1 for 16
        ),
        'hex'
    )::uuid
order by 1, 2
limit $1
"""


async def fetch_wrong_names(connection: asyncpg.Connection, most: int) -> list[asyncpg.Record]:
    """Up to `most` names (kind, id, parts) whose id isn't the hash of what they are called."""
    rows: list[asyncpg.Record] = await connection.fetch(FETCH_WRONG_NAMES, most)
    return rows
