"""GET /metrics: every number is what really happened."""

import asyncio
import re
from uuid import uuid4

import asyncpg
import httpx

from lineal_receiver.postgres.pool import open_pool

from .test_gate import JSON, URL, body, serve_on

SAMPLE = re.compile(r"([a-z_]+)(\{.*\})? (-?[0-9.e+-]+)")


async def scrape(client: httpx.AsyncClient) -> dict[str, float]:
    """Every sample, by its name with its labels; each line must be one that Prometheus can read."""
    answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.text.endswith("\n")
    found: dict[str, float] = {}
    helped: set[str] = set()
    for line in answer.text.splitlines():
        if line.startswith("#"):
            helped.add(line.split()[2])
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample is not None, line
        assert sample[1] in helped or re.sub("_(bucket|sum|count)$", "", sample[1]) in helped, line
        assert f"{sample[1]}{sample[2] or ''}" not in found
        found[f"{sample[1]}{sample[2] or ''}"] = float(sample[3])
    return found


async def test_what_became_of_events(pool: asyncpg.Pool) -> None:
    async with serve_on(pool) as client:
        before = await scrape(client)
        assert before['lineage_events_received_total{kind="run",result="accepted"}'] == 0
        assert (before["lineage_database_up"], before["lineage_dead_letters"]) == (1, 0)
        for content in (body(1), body(1), body(2), body(3, eventTime="2999-01-01T00:00:00Z"), b"{}", b"[", b"["):
            await client.post(URL, content=content, headers=JSON)
        found = await scrape(client)
    received = {key: n for key, n in found.items() if key.startswith("lineage_events_received_total") and n}
    assert received == {
        'lineage_events_received_total{kind="run",result="accepted"}': 3,
        'lineage_events_received_total{kind="run",result="duplicate"}': 1,
        'lineage_events_received_total{kind="unknown",result="rejected"}': 3,
    }
    assert found['lineage_events_rejected_total{reason="json"}'] == 2
    assert found['lineage_events_rejected_total{reason="required"}'] == 1
    assert found['lineage_events_flagged_total{flag="future"}'] == 1
    assert found['lineage_events_flagged_total{flag="null_facet"}'] == 0
    assert found["lineage_dead_letters"] == 2  # the same body twice is one
    assert found["lineage_intake_seconds_count"] == found['lineage_intake_seconds_bucket{le="+Inf"}'] == 7
    assert found["lineage_batch_events_sum"] == 4
    assert found['lineage_event_lag_seconds_bucket{le="1"}'] == 1  # only what is from the future
    assert found["lineage_event_lag_seconds_count"] == 3
    assert found["lineage_backlog_events"] == 0
    assert found["lineage_pool_connections_max"] >= found['lineage_pool_connections{state="idle"}'] > 0


async def test_events_that_share_a_transaction(pool: asyncpg.Pool) -> None:
    bodies = [body(1, run={"runId": str(uuid4())}) for _ in range(20)]
    async with serve_on(pool) as client:
        await asyncio.gather(*(client.post(URL, content=content, headers=JSON) for content in bodies))
        found = await scrape(client)
    assert found["lineage_batch_events_sum"] == 20
    assert 1 <= found["lineage_batch_events_count"] == found["lineage_commit_seconds_count"] <= 20
    bounds = [found[f'lineage_batch_events_bucket{{le="{bound}"}}'] for bound in (1, 2, 5, 10, 20)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == found["lineage_batch_events_count"]


async def test_without_a_database(database_url: str) -> None:
    async with open_pool(database_url) as pool, serve_on(pool) as client:
        await pool.close()
        assert (await client.post(URL, content=body(), headers=JSON)).status_code == 503
        found = await scrape(client)
    assert found["lineage_database_up"] == 0
    assert found['lineage_events_received_total{kind="run",result="deferred"}'] == 1
    assert "lineage_dead_letters" not in found
