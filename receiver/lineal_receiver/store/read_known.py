"""How many columns are traced, constant or unresolved, dataset by dataset, so that the cost is that of these alone."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.store.read_column_statuses import NOT_REPORTED
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_summary import JOBS_OF_NAMESPACE

Place = tuple[UUID, UUID]
FIRST: Place = (NONE, NONE)
AT_ONCE = 1_000


@dataclass(slots=True)
class Known:
    """Columns by status, each once; unresolved ones by reason, once for each job.

    silent: slots that say nothing of columns; looked_at: columns.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str | None] = field(default_factory=Counter)
    silent: int = 0
    looked_at: int = 0

    def add(self, status: str, reason: str | None, columns: int, told: int | None = None) -> None:
        """So many more columns of a status; `told`: so often for that reason, where not once for each."""
        told = columns if told is None else told
        if columns:
            self.statuses[status] += columns
        if told and status == "unresolved":
            self.reasons[reason] += told


LIST_SLOTS = """
select s.dataset_id, s.job_id, s.ended
from slot as s
where (s.dataset_id, s.job_id) > ($1::uuid, $2::uuid)
order by s.dataset_id, s.job_id
limit $3
"""


async def list_datasets_made(connection: Connection) -> AsyncIterator[list[UUID]]:
    """Datasets that jobs in force make, by id, those of some slots at a time."""
    after, last = FIRST, NONE
    while True:
        rows = await connection.fetch(LIST_SLOTS, *after, AT_ONCE)
        made = dict.fromkeys(row["dataset_id"] for row in rows if not row["ended"] and row["dataset_id"] > last)
        yield list(made)
        if len(rows) < AT_ONCE:
            return
        after = rows[-1]["dataset_id"], rows[-1]["job_id"]
        last = max(made, default=last)


LIST_DATASETS_IN = """
select d.dataset_id
from dataset_state as d
where d.namespace_id = $1 and d.dataset_id > $2
order by d.dataset_id
limit $3
"""


async def list_datasets_in(connection: Connection, namespace: UUID) -> AsyncIterator[list[UUID]]:
    """The datasets of a namespace, by id, some at a time."""
    after = NONE
    while True:
        rows = await connection.fetch(LIST_DATASETS_IN, namespace, after, AT_ONCE)
        yield [row["dataset_id"] for row in rows]
        if len(rows) < AT_ONCE:
            return
        after = rows[-1]["dataset_id"]


LIST_DATASETS_OF_JOBS = f"""
select distinct made.dataset_id
from (
    select s.dataset_id
    from ({JOBS_OF_NAMESPACE}) as j
    join slot as s on s.job_id = j.job_id
    where not s.ended
    limit $2
) as made
order by made.dataset_id
"""  # noqa: S608 - of constants


async def list_datasets_of_jobs(connection: Connection, namespace: UUID, most: int) -> AsyncIterator[list[UUID]]:
    """Datasets that jobs of a namespace make, some at a time: those of the first `most` slots."""
    rows = await connection.fetch(LIST_DATASETS_OF_JOBS, namespace, most)
    for start in range(0, len(rows), AT_ONCE):
        yield [row["dataset_id"] for row in rows[start : start + AT_ONCE]]


LIST_READINGS = f"""
select s.dataset_id, b.id as build_id, cardinality(b.out_columns) as columns
from unnest($1::uuid[]) as d(id)
join slot as s on s.dataset_id = d.id
left join build as b on b.id = any(s.build_ids)
where
    not s.ended
    and not exists (select from hidden as h where h.entity_id = s.job_id)
    and ($2::uuid is null or s.job_id in ({JOBS_OF_NAMESPACE.replace("$1", "$2")}))
order by s.dataset_id, s.job_id, b.id
limit $3
"""  # noqa: S608 - of constants

SUM_COUNTS = """
select b.counts, count(*) as n
from unnest($1::bytea[]) as k(id)
join build as b on b.id = k.id
group by b.counts
"""

# Most readings name all that the schema has, in its order.
COUNT_UNREPORTED = """
select coalesce(sum(beside.n), 0)::bigint
from unnest($1::uuid[], $2::bytea[]) as k(dataset_id, build_id)
join build as b on b.id = k.build_id
join dataset_state as d on d.dataset_id = k.dataset_id and d.schema_origin <> 'read'
cross join lateral (
    select array_agg(f.field ->> 'name' order by f.place) as names
    from schema_body as body
    cross join lateral jsonb_array_elements(body.fields::jsonb) with ordinality as f(field, place)
    where body.id = d.schema_id and f.field ->> 'name' is not null
) as stated
cross join lateral (
    select count(distinct name.field) as n
    from unnest(stated.names) as name(field)
    where name.field <> all(b.out_columns)
) as beside
where b.out_columns <> '{}' and stated.names <> b.out_columns
"""

# Several readings of a dataset are brought together by column: what can't be told goes before what is told, and that
# before silence, as in answers about columns.
COUNT_TOGETHER = """
with told as materialized (
    select
        s.dataset_id,
        s.job_id,
        b.id as build_id,
        c.field,
        c.reason,
        case
            when c.status = 'unresolved' and c.reason is distinct from 'not_reported' then 0
            when c.status = 'traced' then 1
            when c.status = 'constant' then 2
            else 3
        end as rank
    from unnest($1::uuid[]) as d(id)
    join slot as s on s.dataset_id = d.id
    join build as b on b.id = any(s.build_ids) and b.id = any($2::bytea[])
    join edge_set_column as c on c.edge_set_id = b.edge_set_id
    where not s.ended
)
select
    case worst.rank when 1 then 'traced' when 2 then 'constant' else 'unresolved' end as status,
    case worst.rank when 3 then 'not_reported' end as reason,
    count(*) as columns,
    count(*) filter (where worst.rank = 3) as told
from (
    select min(every.rank) as rank
    from (
        select told.dataset_id, told.field, told.rank from told
        union all
        select d.dataset_id, f.field ->> 'name', 3
        from (select told.dataset_id from told group by told.dataset_id) as t
        join dataset_state as d on d.dataset_id = t.dataset_id and d.schema_origin <> 'read'
        join schema_body as body on body.id = d.schema_id
        cross join lateral jsonb_array_elements(body.fields::jsonb) as f(field)
        where f.field ->> 'name' is not null
    ) as every
    group by every.dataset_id, every.field
) as worst
group by worst.rank
union all
select 'unresolved', open_ones.reason, 0, count(*)
from (
    select distinct on (told.dataset_id, told.job_id, told.field) told.reason
    from told
    where told.rank = 0
    order by told.dataset_id, told.job_id, told.field, told.build_id
) as open_ones
group by open_ones.reason
"""


async def add_known(
    connection: Connection, known: Known, datasets: list[UUID], jobs_of: UUID | None, most: int
) -> None:
    """Count the columns of these datasets, or what jobs of a namespace tell of them, up to `most` columns in all."""
    rows = await connection.fetch(LIST_READINGS, datasets, jobs_of, most) if datasets else []
    readings: dict[UUID, list[bytes]] = {}
    for row in rows:
        if known.looked_at >= most:
            break
        if row["build_id"] is None:
            known.silent += 1
        else:
            readings.setdefault(row["dataset_id"], []).append(row["build_id"])
            known.looked_at += row["columns"]
    alone = {dataset: builds[0] for dataset, builds in readings.items() if len(builds) == 1}
    if alone:
        for row in await connection.fetch(SUM_COUNTS, list(alone.values())):
            for status, reason, columns in row["counts"]:
                known.add(status, reason, columns * row["n"])
        beside = await connection.fetchval(COUNT_UNREPORTED, list(alone), list(alone.values()))
        known.add("unresolved", NOT_REPORTED, beside)
    several = {dataset: builds for dataset, builds in readings.items() if len(builds) > 1}
    if several:
        builds = [build for found in several.values() for build in found]
        for row in await connection.fetch(COUNT_TOGETHER, list(several), builds):
            known.add(row["status"], row["reason"], row["columns"], row["told"])
