"""Datasets of which it takes more than their slots to tell what is in force, and what their readings say."""

from typing import NamedTuple
from uuid import UUID

from lineal_receiver.store.read_aliases import Pair
from lineal_receiver.store.read_columns import ColumnEdgeRow
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.tuples import make_tuples

MOST_ALIASES = 100_000

# Names that only an alias mentions have nothing of their own: what they stand for is as its own slots say.
LIST_APART = """
select named.id
from (
    (
        select alias.id
        from (select c.id, c.root_id from canon as c limit $2) as c
        join dataset_state as s on s.dataset_id = c.id and s.created_at < 'infinity'
        cross join lateral (values (c.id), (c.root_id)) as alias (id)
        limit $1
    )
    union
    (
        select s.dataset_id
        from (select c.id, c.root_id from canon as c limit $2) as c
        join slot as s on s.job_id = c.id
        limit $1
    )
    union
    (select r.old_id from renaming as r limit $1)
    union
    (select r.new_id from renaming as r limit $1)
) as named
limit $1
"""


async def list_apart(connection: Connection, limit: int) -> list[UUID]:
    """Names of datasets that have, or had, other names which something was told of, or several names of one job."""
    return [row["id"] for row in await connection.fetch(LIST_APART, limit, MOST_ALIASES)]


class SetColumn(NamedTuple):
    """A column of an edge set, and what is known of it."""

    edge_set_id: bytes
    field: str
    status: str
    reason: str | None
    message: str | None
    expression: str | None


LIST_COLUMNS_OF_SETS = """
select c.edge_set_id, c.field, c.status, c.reason, c.message, c.expression
from unnest($1::bytea[]) as k(id)
join edge_set_column as c on c.edge_set_id = k.id
order by c.edge_set_id, c.field
limit $2
"""


async def list_columns_of_sets(connection: Connection, sets: list[bytes], limit: int) -> list[SetColumn]:
    """The columns of these edge sets, `limit` of them."""
    return [SetColumn(*row) for row in await connection.fetch(LIST_COLUMNS_OF_SETS, sets, limit)]


LIST_LAST_KNOWN = """
select distinct e.target_dataset, e.job_id, e.target_field
from unnest($1::uuid[], $2::uuid[]) as k(dataset_id, job_id)
join edge_active as e on e.target_dataset = k.dataset_id and e.job_id = k.job_id
where e.last_known
"""


async def list_last_known(connection: Connection, slots: list[Pair]) -> set[tuple[UUID, UUID, str]]:
    """The columns (dataset, job, field) of these slots of which only edges from before are known."""
    datasets, jobs = [dataset for dataset, _ in slots], [job for _, job in slots]
    return {tuple(row) for row in await connection.fetch(LIST_LAST_KNOWN, datasets, jobs)} if slots else set()


LIST_SILENT = """
select s.dataset_id, s.job_id
from slot as s
where s.dataset_id = any($1::uuid[]) and not s.ended and s.build_id is null
order by s.dataset_id, s.job_id
limit $2
"""


async def list_silent(connection: Connection, datasets: list[UUID], limit: int) -> list[Pair]:
    """The slots of `datasets` that say nothing of columns, `limit` of them."""
    return [(row["dataset_id"], row["job_id"]) for row in await connection.fetch(LIST_SILENT, datasets, limit)]


LIST_MODELS = """
select s.dataset_id, s.job_id, b.status
from slot as s
join build as b on b.id = s.build_id
where s.dataset_id = any($1::uuid[]) and not s.ended
order by s.dataset_id, s.job_id
limit $2
"""


async def list_models(connection: Connection, datasets: list[UUID], limit: int) -> dict[Pair, str]:
    """How well the newest lineage of each slot of `datasets` is known, of `limit` slots."""
    rows = await connection.fetch(LIST_MODELS, datasets, limit)
    return {(row["dataset_id"], row["job_id"]): row["status"] for row in rows}


LIST_FAILED = """
select distinct b.dataset_id, b.job_id
from build as b
where b.status = 'failed' and b.dataset_id = any($1::uuid[])
order by b.dataset_id, b.job_id
limit $2
"""


async def list_failed(connection: Connection, datasets: list[UUID], limit: int) -> list[Pair]:
    """The (dataset, job) of `datasets` whose lineage ever failed, `limit` of them."""
    return [(row["dataset_id"], row["job_id"]) for row in await connection.fetch(LIST_FAILED, datasets, limit)]


LIST_EDGES_BESIDE = """
(
    select e.*
    from unnest($1::uuid[]) as k(id)
    join column_edge_in_force as e on e.target_dataset = k.id
    limit $2
)
union
(
    select e.*
    from unnest($1::uuid[]) as k(id)
    join column_edge_in_force as e on e.source_dataset = k.id
    limit $2
)
"""


async def list_edges_beside(connection: Connection, datasets: list[UUID], limit: int) -> list[ColumnEdgeRow]:
    """The edges into and out of `datasets`, `limit` of either."""
    return make_tuples(ColumnEdgeRow, await connection.fetch(LIST_EDGES_BESIDE, datasets, limit))
