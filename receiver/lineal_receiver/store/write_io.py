"""What runs and static events said of datasets, and what follows from how the runs ended."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import asyncpg

from lineal_receiver.store.arrays import transpose

# What follows for what a run `r` said of a dataset in the row `s`, from how the run ended.
_DERIVED = """
    case
        when r.end_rank < 2 or s.named_at is null then 0
        when r.end_rank is null and r.streaming then 2
        when r.end_rank is null then 1
        when s.side = 'i' then 2
        when s.named_at > r.end_at then 0
        when cardinality(r.end_outputs) > 0 and s.dataset_id <> all (r.end_outputs) then 1
        else 2
    end as class,
    coalesce(
        r.end_rank = 2 and s.side = 'o' and s.named_at <= r.end_at and cardinality(r.end_outputs) > 0
        and s.dataset_id <> all (r.end_outputs),
        false
    ) as announced,
    coalesce(
        r.end_at,
        case when r.streaming then coalesce(r.seen_at, r.last_at) end,
        least(coalesce(r.start_at, r.running_at, r.first_at), r.seen_at)
    ) as effective_at,
    r.first_at as begun_at,
    r.future"""

SAID = (
    "dataset_id", "job_id", "run_id", "side", "said_at", "named_at", "stated_at", "stated_key", "subset", "lifecycle",
    "lifecycle_key", "schema_id", "schema_key", "build_id", "build_key", "ahead",
)  # fmt: skip
DERIVED = ("class", "announced", "effective_at", "begun_at", "future")


async def copy_io(connection: asyncpg.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Add what runs said of datasets (`SAID`), with what follows (`DERIVED`), of runs that this transaction added.

    COPY costs half of an insert of arrays, and writes a page's rows to the WAL at once.
    """
    by_key = sorted(rows, key=lambda row: (row[2], row[1], row[3], row[0]))
    records = [(*row[:3], row[3].encode(), *row[4:]) for row in by_key]
    await connection.copy_records_to_table("run_io", records=records, columns=(*SAID, *DERIVED))


UPSERT_IO = f"""
insert into run_io as io ({", ".join(SAID)}, class, effective_at, begun_at, future)
select
    n.dataset_id, n.job_id, n.run_id, n.side::"char", n.said_at, n.named_at, n.stated_at, n.stated_key, n.subset,
    n.lifecycle, n.lifecycle_key, n.schema_id, n.schema_key, n.build_id, n.build_key, n.ahead,
    case when n.stated_at is null then 1 else 2 end,
    coalesce(n.stated_at, n.said_at),
    case when n.stated_at is null then n.said_at else coalesce(to_timestamp_of_seen(n.lifecycle_key), n.stated_at) end,
    n.ahead and n.stated_at is not null
from unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
    $8::bytea[], $9::boolean[], $10::text[], $11::bytea[], $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[],
    $16::boolean[]
) as n ({", ".join(SAID)})
order by n.run_id, n.job_id, n.side, n.dataset_id
on conflict (run_id, job_id, side, dataset_id) do update set
    said_at = least(io.said_at, excluded.said_at),
    named_at = least(io.named_at, excluded.named_at),
    stated_at = greatest(io.stated_at, excluded.stated_at),
    stated_key = greatest(io.stated_key, excluded.stated_key),
    subset = io.subset or excluded.subset,
    lifecycle = case
        when excluded.lifecycle_key > coalesce(io.lifecycle_key, '') then excluded.lifecycle
        else io.lifecycle
    end,
    lifecycle_key = greatest(io.lifecycle_key, excluded.lifecycle_key),
    schema_id = case
        when io.stated_key is not null and io.side = 'o'
            then case when excluded.stated_key > io.stated_key then excluded.schema_id else io.schema_id end
        when excluded.schema_key > coalesce(io.schema_key, '') then excluded.schema_id
        else io.schema_id
    end,
    schema_key = case
        when io.stated_key is not null and io.side = 'o'
            then case when excluded.stated_key > io.stated_key then excluded.schema_key else io.schema_key end
        else greatest(io.schema_key, excluded.schema_key)
    end,
    build_id = case when excluded.build_key > coalesce(io.build_key, '') then excluded.build_id else io.build_id end,
    build_key = greatest(io.build_key, excluded.build_key),
    effective_at = case
        when excluded.stated_at is null then io.effective_at
        else greatest(io.effective_at, excluded.stated_at)
    end,
    begun_at = case
        when excluded.stated_at is null then io.begun_at
        else coalesce(
            to_timestamp_of_seen(greatest(io.lifecycle_key, excluded.lifecycle_key)),
            greatest(io.stated_at, excluded.stated_at)
        )
    end,
    ahead = io.ahead and excluded.ahead
where
    excluded.said_at < io.said_at
    or excluded.named_at < coalesce(io.named_at, 'infinity')
    or excluded.stated_key > coalesce(io.stated_key, '')
    or (excluded.subset and not io.subset)
    or (io.ahead and not excluded.ahead)
    or excluded.lifecycle_key > coalesce(io.lifecycle_key, '')
    or excluded.schema_key > coalesce(io.schema_key, '')
    or excluded.build_key > coalesce(io.build_key, '')
returning dataset_id, side = 'o' and xmax = 0 as added
"""  # noqa: S608 - of constants


async def upsert_io(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> Counter[UUID]:
    """Join what is known with these rows; gives how many outputs are new of each dataset."""
    found = await connection.fetch(UPSERT_IO, *transpose(rows, 16))
    return Counter(row["dataset_id"] for row in found if row["added"])


INSERT_JOB_DATASETS = """
insert into job_dataset (job_id, side, dataset_id)
select n.job_id, n.side::"char", n.dataset_id
from unnest($1::uuid[], $2::text[], $3::uuid[]) as n (job_id, side, dataset_id)
order by n.job_id, n.side, n.dataset_id
on conflict do nothing
"""


async def insert_job_datasets(connection: asyncpg.Connection, rows: Sequence[tuple[UUID, str, UUID]]) -> None:
    """Keep which datasets jobs named (job, side, dataset)."""
    await connection.execute(INSERT_JOB_DATASETS, *transpose(rows, 3))


DERIVE_IO = f"""
update run_io as io
set
    class = d.class,
    announced = d.announced,
    effective_at = d.effective_at,
    begun_at = d.begun_at,
    future = d.future
from (
    select s.dataset_id, s.job_id, s.run_id, s.side, {_DERIVED}
    from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
    join run as r on r.job_id = k.job_id and r.run_id = k.run_id
    join run_io as s on s.job_id = k.job_id and s.run_id = k.run_id
) as d
where
    io.dataset_id = d.dataset_id
    and io.job_id = d.job_id
    and io.run_id = d.run_id
    and io.side = d.side
    and (io.class, io.announced, io.effective_at, io.begun_at, io.future)
    is distinct from (d.class, d.announced, d.effective_at, d.begun_at, d.future)
returning io.job_id, io.run_id
"""  # noqa: S608 - of constants


async def derive_io(connection: asyncpg.Connection, runs: Sequence[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """Derive class and times of all that these (locked) runs said; gives the runs of which something changed."""
    found = await connection.fetch(DERIVE_IO, *transpose(runs, 2))
    return {(row["job_id"], row["run_id"]) for row in found}


FETCH_OUTPUTS = """
select distinct io.dataset_id, io.job_id
from unnest($1::uuid[], $2::uuid[]) as k (job_id, run_id)
join run_io as io on io.job_id = k.job_id and io.run_id = k.run_id and io.side = 'o'
"""


async def fetch_outputs(connection: asyncpg.Connection, runs: Sequence[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """(dataset, job) of every output of these runs."""
    found = await connection.fetch(FETCH_OUTPUTS, *transpose(runs, 2))
    return {(row["dataset_id"], row["job_id"]) for row in found}


UPSERT_READER_SCHEMAS = """
with before as (
    select s.dataset_id, s.job_id, s.schema_id
    from unnest($1::uuid[], $2::uuid[]) as k (dataset_id, job_id)
    join reader_schema as s on s.dataset_id = k.dataset_id and s.job_id = k.job_id
),
after as (
    insert into reader_schema as s (dataset_id, job_id, key, schema_id)
    select n.dataset_id, n.job_id, n.key, n.schema_id
    from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[]) as n (dataset_id, job_id, key, schema_id)
    order by n.dataset_id, n.job_id
    on conflict (dataset_id, job_id) do update set key = excluded.key, schema_id = excluded.schema_id
    where excluded.key > s.key
    returning s.dataset_id, s.job_id, s.schema_id
)
select a.dataset_id
from after as a
left join before as b on b.dataset_id = a.dataset_id and b.job_id = a.job_id
where b.schema_id is distinct from a.schema_id
"""


async def upsert_reader_schemas(connection: asyncpg.Connection, rows: Sequence[tuple[Any, ...]]) -> set[UUID]:
    """Keep the newest schema that each job read (dataset, job, key, schema); gives the datasets where one changed."""
    return {row["dataset_id"] for row in await connection.fetch(UPSERT_READER_SCHEMAS, *transpose(rows, 4))}
