"""What static events state is as old as the event that stated it, whatever others add later."""

import json
from itertools import permutations
from typing import Any

import asyncpg
import pytest

from lineal_receiver.ingest.intake import Intake
from lineal_receiver.ingest.persist import Vault

from .asking import EDGES, STATES, Ask, edges, fields
from .conftest import empty
from .events import dataset, dataset_event, facet, job_event, lineage, own, run_event, schema
from .ways import JUDGE

VERSIONS = """
select w.fields::jsonb -> 0 ->> 'name', w.run_id = any(array[
    '00000000-0000-0000-0000-000000000000', '57a71c00-0000-0000-0000-000000000002'
]::uuid[])
from (
    select dataset_id, run_id, effective_at, fields from dataset_write
    union all
    select dataset_id, run_id, effective_at, fields from static_write
) as w
join dataset as d on d.id = w.dataset_id and d.name = 'b'
order by w.effective_at
"""
NOTE = facet(description="b")


async def in_all_orders(pool: asyncpg.Pool, events: list[dict[str, Any]], see: Any) -> None:
    """Send these events in all orders; see that what `see` sees is the same."""
    for order in permutations(events):
        await empty(pool)
        async with Vault(pool) as vault:
            for event in order:
                await Intake(JUDGE, vault).take(json.dumps(event).encode())
        await see()


@pytest.mark.parametrize("stated", ["dataset", "job"])
async def test_a_schema_is_as_old_as_its_statement(pool: asyncpg.Pool, ask: Ask, stated: str) -> None:
    def event(minute: int, **said: Any) -> dict[str, Any]:
        target = dataset("b", **said)
        return dataset_event(minute, target) if stated == "dataset" else job_event(minute, "load", [], [target])

    async def see() -> None:
        assert fields(await ask(STATES), "b") == ["y"]
        assert await ask(VERSIONS) == [("x", True), ("y", False), ("y", True)]

    written = run_event("COMPLETE", 2, job="mend", outputs=[dataset("b", schema=schema("y"))])
    await in_all_orders(pool, [event(1, schema=schema("x")), written, event(3, documentation=NOTE)], see)


async def test_a_reading_is_as_old_as_its_statement(pool: asyncpg.Pool, ask: Ask) -> None:
    async def see() -> None:
        assert await ask(EDGES) == edges(("b", "x", "c", "x"))

    def target(*of: str) -> list[dict[str, Any]]:
        return [dataset("b", columnLineage=lineage(x=f"{one}.x")) for one in of] or [dataset("b")]

    events = [
        job_event(1, "load", [], target("a")),
        run_event("COMPLETE", 2, outputs=target("c")),
        job_event(3, "load", [], target()),
    ]
    await in_all_orders(pool, events, see)


async def test_a_reading_from_before_a_drop_is_none_after_it(pool: asyncpg.Pool, ask: Ask) -> None:
    """Not as what stands in, nor as what was known last."""

    async def see() -> None:
        assert await ask(EDGES) == []

    good = dataset("b", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced"), sql="q"))
    gone = dataset("b", lifecycleStateChange=facet(lifecycleStateChange="DROP"))
    open_ = dataset("b", lineal_lineage=own("unresolved", ("x", "unresolved"), sql="q"))
    events = [
        job_event(1, "load", [], [good]),
        run_event("COMPLETE", 2, job="mend", outputs=[gone]),
        job_event(3, "load", [], [dataset("b")]),
        run_event("COMPLETE", 4, outputs=[open_]),
    ]
    await in_all_orders(pool, events, see)


@pytest.mark.parametrize("stated", ["dataset", "job"])
async def test_a_reading_that_failed_leaves_the_one_before(pool: asyncpg.Pool, ask: Ask, stated: str) -> None:
    def event(minute: int, **said: Any) -> dict[str, Any]:
        target = dataset("b", **said)
        return dataset_event(minute, target) if stated == "dataset" else job_event(minute, "load", [], [target])

    async def see() -> None:
        assert await ask(EDGES) == edges(("b", "x", "a", "x"))
        assert await ask("select status from build order by 1") == [("failed",), ("resolved",)]

    good = own("resolved", ("x", "traced"), sql="q")
    await in_all_orders(
        pool,
        [
            event(1, columnLineage=lineage(x="a.x"), lineal_lineage=good),
            event(2, lineal_lineage=own("failed", sql="q")),
            event(3, documentation=NOTE),
        ],
        see,
    )


async def test_an_overwrite_ends_what_was_before_it_whatever_is_stated_later(pool: asyncpg.Pool, ask: Ask) -> None:
    async def see() -> None:
        assert await ask(EDGES) == edges(("b", "x", "c", "x"))

    def event(minute: int, change: str, of: str) -> dict[str, Any]:
        change_of = facet(lifecycleStateChange=change)
        return job_event(
            minute, "mend", [], [dataset("b", lifecycleStateChange=change_of, columnLineage=lineage(x=f"{of}.x"))]
        )

    before = run_event("COMPLETE", 1, outputs=[dataset("b", columnLineage=lineage(x="a.x"))])
    await in_all_orders(pool, [before, event(2, "OVERWRITE", "a"), event(3, "ALTER", "c")], see)


async def test_a_write_has_the_schema_of_its_time_though_it_was_stated_again(pool: asyncpg.Pool, ask: Ask) -> None:
    async def see() -> None:
        assert await ask(VERSIONS) == [("x", True), ("x", True)]

    said = [dataset("b", schema=schema("x")), dataset("b"), dataset("b", schema=schema("x"))]
    by = ("mend", "load", "mend")
    events = [job_event(minute, by[minute], [], [target]) for minute, target in enumerate(said)]
    await in_all_orders(pool, events, see)
