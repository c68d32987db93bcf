"""What a read costs depends on what it gives, not on what is stored: counted in rows that PostgreSQL looks at."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from lineal_receiver.app import create_app
from lineal_receiver.ids import job_id
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.settings import Settings
from lineal_receiver.store.write_days import make_day

from .conftest import copied, running
from .large_store import Job, Size, fill

SIZE = Size(jobs=1500, runs=3, busy=6000, namespaces=400, events=6000)
SOME = Job(700, "j700", 3)
JOBS, DATA = "namespaces/jobs/jobs", "namespaces/data/datasets"

# PostgreSQL counts index entries and the rows of scans; it publishes them a while later, unless told.
FLUSH = "select pg_stat_force_next_flush()"
COUNT_ROWS = """
select coalesce(sum(rows), 0)::bigint
from (
    select sum(seq_tup_read) as rows from pg_stat_user_tables
    union all
    select sum(idx_tup_read) from pg_stat_user_indexes
) as looked_at
"""


class Meter:
    """Asks, and counts the rows that were looked at for it; a statement's plan settles in its first uses."""

    def __init__(self, http: httpx.AsyncClient, pool: asyncpg.Pool) -> None:
        self._http, self.pool = http, pool

    async def ask(self, path: str, times: int = 7) -> tuple[Any, int]:
        """The answer's JSON, and the most rows that any of several requests looked at."""
        most, answer = 0, None
        for _ in range(times):
            before = await self._count()
            response = await self._http.get(path if path.startswith("/") else f"/api/v1/{path}")
            most = max(most, await self._count() - before)
            assert response.status_code in {200, 404}, response.text
            answer = response.json()
        return answer, most

    async def delete(self, path: str) -> None:
        """Delete what is found under this path."""
        response = await self._http.delete(f"/api/v1/{path}")
        assert response.status_code in {200, 204}, response.text

    async def _count(self) -> int:
        async with self.pool.acquire() as connection:
            await connection.execute(FLUSH)
            return int(await connection.fetchval(COUNT_ROWS))


@asynccontextmanager
async def metered(server_url: str, template: str, size: Size) -> AsyncIterator[Meter]:
    """A receiver on a store of this size, with the only connection to it."""
    async with copied(server_url, template) as url, open_pool(url, size=1) as pool:
        async with pool.acquire() as connection:
            if connection.get_server_version().major < 15:
                pytest.skip("this PostgreSQL can't be told to publish its counts at once")
            await fill(connection, size)
        app = create_app(Settings(database_url=url, data_dir=Path(), answer_bytes=0), pool)
        transport = httpx.ASGITransport(app)
        async with running(app), httpx.AsyncClient(transport=transport, base_url="http://receiver") as http:
            yield Meter(http, pool)


@pytest.fixture(scope="module")
async def meter(server_url: str, template: str) -> AsyncIterator[Meter]:
    """A receiver on a large store."""
    async with metered(server_url, template, SIZE) as meter:
        yield meter


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("namespaces?limit=10", 50),
        ("namespaces/space%207", 20),
        ("jobs?limit=10", 1200),
        ("jobs?limit=10&offset=200", 1800),
        (f"{JOBS}?limit=10", 1200),
        (f"{JOBS}/busy", 250),
        (f"{JOBS}/busy/runs?limit=10", 250),
        (f"{JOBS}/busy/runs?limit=10&offset=200", 700),
        (f"{JOBS}/busy/versions", 100),
        (f"{JOBS}/busy/versions/{job_id('jobs', 'busy')}", 100),
        (f"jobs/runs/{SOME.run(1)}", 50),
        (f"jobs/runs/{SOME.run(1)}/facets?type=run", 20),
        (f"{DATA}?limit=10", 250),
        (f"{DATA}/busy", 50),
        (f"{DATA}/hub", 100),
        (f"{DATA}/j700/versions", 100),
        ("lineage?nodeId=job:jobs:j700&depth=0", 150),
        ("lineage?nodeId=job:jobs:busy&depth=0", 150),
        ("lineage?nodeId=dataset:data:j700&depth=0", 150),
        ("column-lineage?nodeId=datasetField:data:j700:c", 100),
        ("column-lineage?nodeId=job:jobs:busy", 100),
        ("column-lineage?nodeId=dataset:data:hub", 100),  # of its 1,500 readers' edges, one for each column
        ("column-lineage?nodeId=dataset:data:busy", 100),
        (f"runlineage/upstream?runId={SOME.run(1)}", 50),
        ("sources", 20),
        ("sources/one", 20),
        ("search?q=j700&limit=10", 100),
        ("search?q=no+such+name", 20),
        ("search?q=busy&namespace=data", 50),
        ("events/lineage?limit=10", 300),
        ("events/lineage?limit=10&after=2026-01-01T05:00:00Z&before=2026-01-01T06:30:00Z&sortDirection=asc", 300),
        ("events/lineage?limit=10&after=2026-01-01T05:10:00Z&before=2026-01-01T06:20:00Z", 300),
        ("stats/jobs?period=DAY", 50),
        ("stats/datasets?period=WEEK&timezone=UTC", 50),
        ("stats/sources?period=DAY", 50),
        ("stats/lineage-events?period=WEEK&timezone=UTC", 300),
        ("tags", 50),
        ("/api/v2/runs?limit=10", 300),
        ("/api/v2/runs?limit=10&namespace=jobs&job=busy", 300),
        ("/api/v2/lineage?namespace=data&name=j700&depth=0", 100),
        ("/api/v2/lineage?namespace=data&name=busy", 4000),  # a hub is beside it; its runs aren't read
        (
            "/api/v2/edge?namespace=data&name=j700&field=c&sourceNamespace=data&sourceName=hub&sourceField=c",
            SIZE.jobs + 100,
        ),
        (
            "/api/v2/path?fromNamespace=data&fromName=hub&fromField=c&toNamespace=data&toName=j700&toField=c",
            SIZE.jobs + 100,
        ),
        ("/api/v2/unresolved?namespace=data&name=j700", 50),
        ("/api/v2/search?q=j700&limit=10", 100),
        ("/api/v2/search?q=no+such+name", 20),
        ("/api/v2/drift?namespace=data&name=j700", 100),
        ("/api/v2/diff?namespace=data&name=busy&from=2026-01-02", 300),
        ("/api/v2/attention?limit=10", 50),
        (f"/api/v2/runs/tree?runId={SOME.run(1)}", 50),
        (f"/api/v2/events?runId={SOME.run(1)}", 50),
        ("/api/v2/events?limit=10", 100),
    ],
)
async def test_a_read_looks_at_what_it_gives(meter: Meter, path: str, most: int) -> None:
    _, rows = await meter.ask(path)
    assert rows <= most


async def test_a_hub_costs_a_few_rows_for_each_of_its_neighbours(meter: Meter) -> None:
    tables, rows = await meter.ask("lineage?nodeId=dataset:data:hub&depth=1", times=2)
    assert len(tables["graph"]) == 2 * SIZE.jobs + 1
    assert rows <= 40 * len(tables["graph"])
    columns, rows = await meter.ask("column-lineage?nodeId=datasetField:data:hub:c&withDownstream=true", times=2)
    assert len(columns["graph"]) == SIZE.jobs + 1
    assert rows <= 20 * len(columns["graph"])


async def test_totals_cost_a_row_for_each_that_is_left_out_or_looked_at(meter: Meter) -> None:
    versions, rows = await meter.ask(f"{DATA}/busy/versions?limit=10")
    assert (versions["totalCount"], len(versions["versions"])) == (SIZE.busy * 3 // 4, 10)
    assert rows <= SIZE.busy // 4 + 300  # the failed ones
    jobs, rows = await meter.ask("jobs?limit=1&lastRunStates=FAILED")
    assert jobs["totalCount"] == 1
    assert rows <= 2 * SIZE.jobs + 200  # a small row a job, to count and to find the few
    found, rows = await meter.ask("search?q=j1&limit=10")
    assert found["totalCount"] == 2 * sum(str(number).startswith("1") for number in range(1, SIZE.jobs))
    assert rows <= 12 * SIZE.jobs


async def test_an_old_version_is_found_without_looking_at_the_newer_ones(meter: Meter) -> None:
    route = f"{DATA}/busy/versions"
    oldest, _ = await meter.ask(f"{route}?limit=1&offset={SIZE.busy * 3 // 4 - 1}", times=1)
    version = oldest["versions"][0]["version"]
    found, rows = await meter.ask(f"{route}/{version}")
    assert (found["version"], found["createdAt"]) == (version, oldest["versions"][0]["createdAt"])
    assert rows <= 60


async def test_jobs_by_a_state_that_most_have_cost_a_page(meter: Meter) -> None:
    jobs, rows = await meter.ask("jobs?limit=10&lastRunStates=COMPLETED")
    assert (jobs["totalCount"], len(jobs["jobs"])) == (SIZE.jobs - 1, 10)
    assert rows <= SIZE.jobs + 1300


async def test_entities_of_the_last_hours_are_counted_once(meter: Meter) -> None:
    async with meter.pool.acquire() as connection:
        now = datetime.now(timezone.utc)
        await connection.execute("update job_state set created_at = $1", now - timedelta(hours=3))
        await connection.execute("vacuum analyze job_state")
    try:
        counts, rows = await meter.ask("stats/jobs?period=DAY")
        assert [row["count"] for row in counts[-2:]] == [SIZE.jobs] * 2
        assert rows <= SIZE.jobs + 100
    finally:
        async with meter.pool.acquire() as connection:
            await connection.execute("update job_state set created_at = '2026-01-01'")


@pytest.mark.parametrize("analysed", [False, True])
async def test_events_of_a_part_of_a_day_are_found_without_the_rest_of_it(meter: Meter, *, analysed: bool) -> None:
    async with meter.pool.acquire() as connection:
        async with connection.transaction():
            await make_day(connection, date(2026, 1, 3))
        if analysed:
            await connection.execute("analyze log")
    for hours in ("T05:10:00Z&before=2026-01-03T05:50:00Z", "T05:10:00Z&before=2026-01-03T23:50:00Z"):
        for direction in ("asc", "desc"):
            _, rows = await meter.ask(f"events/lineage?limit=10&sortDirection={direction}&after=2026-01-03{hours}")
            assert rows <= 300
    first, _ = await meter.ask("/api/v2/events?limit=1&kind=run", times=1)
    following, rows = await meter.ask(f"/api/v2/events?limit=10&cursor={first['next']}")
    assert len(following["events"]) == 10
    assert rows <= 100


WIDEN = """
with wide as (
    update build set
        out_columns = '{c}' || array(select 'w' || n from generate_series(1, $1) as n),
        counts = jsonb_build_array(jsonb_build_array('traced', null, 1 + $1))
    returning edge_set_id
)
insert into edge_set_column (edge_set_id, field, position, status)
select edge_set_id, 'w' || n, n, 'traced' from wide cross join generate_series(1, $1) as n
"""
NARROW = """
delete from edge_set_column where field <> 'c';
update build set out_columns = '{c}', counts = '[["traced", null, 1]]';
"""


async def test_what_is_known_is_counted_by_datasets_not_by_columns(meter: Meter) -> None:
    paths = ("/api/v2/summary", "/api/v2/unresolved")
    narrow = [await meter.ask(path) for path in paths]
    assert max(rows for _, rows in narrow) <= 30 * SIZE.jobs
    wide = 20
    async with meter.pool.acquire() as connection:
        await connection.execute(WIDEN, wide)
        await connection.execute("vacuum analyze build, edge_set_column")
    try:
        for path, (before, rows) in zip(paths, narrow, strict=True):
            after, more = await meter.ask(path)
            assert more <= rows + SIZE.jobs
            if path.endswith("summary"):
                assert before["columns"] == {"traced": SIZE.jobs, "constant": 0, "unresolved": 0, "total": SIZE.jobs}
                assert after["columns"]["traced"] == SIZE.jobs * (1 + wide)
            else:
                assert (after["reasons"], after["silent"], after["columns"], after["next"]) == ([], 0, [], None)
    finally:
        async with meter.pool.acquire() as connection:
            await connection.execute(NARROW)
            await connection.execute("vacuum analyze build, edge_set_column")


async def test_what_is_deleted_costs_lists_and_totals_nothing(server_url: str, template: str) -> None:
    few = Size(jobs=400, runs=1, busy=2, namespaces=1, events=0)
    async with metered(server_url, template, few) as meter:
        jobs, _ = await meter.ask("jobs?limit=10", times=1)
        datasets, _ = await meter.ask(f"{DATA}?limit=10", times=1)
        assert (jobs["totalCount"], len(jobs["jobs"])) == (few.jobs, 10)
        assert (datasets["totalCount"], len(datasets["datasets"])) == (few.jobs + 1, 10)
        for namespace in ("jobs", "data"):
            await meter.delete(f"namespaces/{namespace}")
        async with meter.pool.acquire() as connection:
            await connection.execute("vacuum dataset, job_state, total")  # until then what they were is looked at
        for path, listed in (("jobs?limit=10", "jobs"), (f"{JOBS}?limit=10", "jobs"), (f"{DATA}?limit=10", "datasets")):
            answer, rows = await meter.ask(path)
            assert (answer["totalCount"], answer[listed]) == (0, [])
            assert rows <= 100, path
