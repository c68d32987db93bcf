"""What ends of runs carry is kept once by its content, and shown as what each of them said."""

from itertools import permutations
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from lineal_receiver.ids import dataset_id, job_id
from lineal_receiver.store.read_facets import fetch_facets

from .asking import Ask, Send
from .events import dataset, facet, run_event, schema

JOB = job_id("nightly", "load")
TABLE = dataset_id("postgres://db.example:5432", "t")


def said(kind: str, minute: int, run: int, text: str, **more: Any) -> dict[str, Any]:
    return run_event(
        kind, minute, run, outputs=[dataset("t", documentation=facet(description=text), **more)],
        job_facets={"documentation": facet(description=f"job of {text}")},
    )  # fmt: skip


async def shown(pool: asyncpg.Pool, run: UUID) -> dict[str, str]:
    async with pool.acquire() as connection:
        of_table = await fetch_facets(connection, [(TABLE, (JOB, run))], "w")
        of_job = await fetch_facets(connection, [(JOB, run)], "j")
    rows = [*next(iter(of_table.values()), []), *next(iter(of_job.values()), [])]
    return {f"{row.side} {row.name}": row.body for row in rows}


async def ids_of_runs(ask: Ask) -> list[UUID]:
    return [row[0] for row in await ask("select run_id from run order by first_at")]


async def test_runs_that_say_the_same_share_one_set(send: Send, ask: Ask, pool: asyncpg.Pool) -> None:
    await send(said("COMPLETE", 1, 1, "a"), said("COMPLETE", 2, 2, "a"))
    await send(said("COMPLETE", 3, 3, "a"), said("START", 0, 3, "before"))
    assert await ask("select count(facet_set_id), count(distinct facet_set_id) from run") == [(3, 1)]
    assert await ask("select side::text, name from facet_set order by 1, 2") == [
        ("j", "documentation"),
        ("w", "documentation"),
    ]
    none = "00000000-0000-0000-0000-000000000000"
    assert await ask("select count(*) from facet where scope_id <> $1", none) == [(0,)]
    for run in await ids_of_runs(ask):
        texts = await shown(pool, run)
        assert set(texts) == {"w documentation", "j documentation"}
        assert '"description":"a"' in texts["w documentation"]
        assert '"description":"job of a"' in texts["j documentation"]


@pytest.mark.parametrize("order", list(permutations(range(4))))
async def test_the_newest_says_what_is_shown_whichever_end_decides(
    send: Send, ask: Ask, pool: asyncpg.Pool, order: tuple[int, ...]
) -> None:
    story = [
        said("START", 1, 1, "start", storage=facet(storageLayer="delta")),
        said("FAIL", 4, 1, "fail"),
        said("COMPLETE", 5, 1, "complete", schema=schema("x")),
        said("OTHER", 7, 1, "other"),
    ]
    for index in order:
        await send(story[index])
    assert await ask("select count(facet_set_id) from run") == [(1,)]
    assert await ask("select count(distinct set_id) from facet_set") == [(2,)]
    (run,) = await ids_of_runs(ask)
    texts = await shown(pool, run)
    assert set(texts) == {"w documentation", "w schema", "w storage", "j documentation"}
    assert '"description":"other"' in texts["w documentation"]
    assert '"description":"job of other"' in texts["j documentation"]
    assert '"storageLayer":"delta"' in texts["w storage"]
