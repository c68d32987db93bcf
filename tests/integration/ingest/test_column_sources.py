"""Table edges from what columns are made of: in any order, beside explicit lineage, and in a store from before them."""

from itertools import permutations

import asyncpg
import pytest

from lineal_receiver.resources import find_data

from .asking import TABLE_EDGES, Ask, Send
from .conftest import read_state
from .events import dataset, dataset_event, facet, job_event, lineage, own, parent, run_event
from .test_explicit_lineage import entry, told

STATIC = """
select s.name, t.name from table_edge as e join dataset as t on t.id = e.target_dataset
join dataset as s on s.id = e.source_dataset where e.job_id = '00000000-0000-0000-0000-000000000000' order by 1, 2
"""


def made(*sources: str) -> dict[str, object]:
    """The table t, whose column x is made of these."""
    return dataset("t", columnLineage=lineage(x=" ".join(sources)))


TURNS = [
    run_event("COMPLETE", 1, 1, outputs=[made("a.x", "b.x")]),
    run_event("COMPLETE", 2, 2, inputs=[dataset("d")], outputs=[made("b.x")]),
    run_event("FAIL", 3, 3, outputs=[made("c.x")]),
]


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_of_the_newest_reading_in_any_order(send: Send, ask: Ask, order: tuple[int, ...]) -> None:
    for each in order:
        await send(TURNS[each])
    assert await ask(TABLE_EDGES) == [("b", "load", "t"), ("d", "load", "t")]


async def test_mapped_tasks_are_united_and_the_next_parent_run_replaces_them(send: Send, ask: Ask) -> None:
    for run, source, above in ((1, "a.x", 11), (2, "b.x", 11)):
        await send(run_event("COMPLETE", run, run, outputs=[made(source)], run_facets={"parent": parent(above, "dag")}))
    assert await ask(TABLE_EDGES) == [("a", "load", "t"), ("b", "load", "t")]
    await send(run_event("COMPLETE", 3, 3, outputs=[made("c.x")], run_facets={"parent": parent(12, "dag")}))
    assert await ask(TABLE_EDGES) == [("c", "load", "t")]


async def test_a_deletion_an_overwrite_and_a_drop_end_it(send: Send, ask: Ask) -> None:
    await send(run_event("COMPLETE", 1, 1, outputs=[made("a.x")]))
    await send(run_event("COMPLETE", 2, 2, outputs=[dataset("t", columnLineage=facet(_deleted=True))]))
    assert await ask(TABLE_EDGES) == []
    await send(run_event("COMPLETE", 3, 3, outputs=[made("b.x")]))
    over = dataset("t", lifecycleStateChange=facet(lifecycleStateChange="OVERWRITE"), columnLineage=lineage(x="c.x"))
    await send(run_event("START", 4, 4, "mend"), run_event("COMPLETE", 5, 4, "mend", outputs=[over]))
    assert await ask(TABLE_EDGES) == [("c", "mend", "t")]
    drop = dataset("t", lifecycleStateChange=facet(lifecycleStateChange="DROP"))
    await send(run_event("COMPLETE", 6, 5, "clean", outputs=[drop]))
    assert await ask(TABLE_EDGES) == []


async def test_what_was_last_known_is_of_columns_alone(send: Send, ask: Ask) -> None:
    known = dataset("t", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced"), sql="old"))
    lost = dataset("t", lineal_lineage=own("unresolved", ("x", "unresolved"), sql="new"))
    await send(run_event("COMPLETE", 1, 1, outputs=[known]))
    await send(run_event("COMPLETE", 2, 2, inputs=[dataset("b")], outputs=[lost]))
    assert await ask("select count(*) from edge_active where last_known") == [(1,)]
    assert await ask(TABLE_EDGES) == [("b", "load", "t")]


async def test_outputs_that_explicit_lineage_leaves_out_have_none(send: Send, ask: Ask) -> None:
    facets = told(entry("copy", "orders"))
    await send(run_event("COMPLETE", 1, 1, outputs=[made("a.x"), dataset("copy")], job_facets=facets))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]
    await send(run_event("COMPLETE", 2, 2, outputs=[made("a.x"), dataset("copy")]))  # the same reading, nothing told
    assert await ask(TABLE_EDGES) == [("a", "load", "t")]


async def test_static_events_that_wait_for_a_job_to_end(send: Send, ask: Ask) -> None:
    await send(dataset_event(1, made("a.x")))
    assert await ask(STATIC) == [("a", "t")]
    await send(run_event("COMPLETE", 2, 1, outputs=[made("b.x")]))
    assert await ask(STATIC) == []
    assert await ask(TABLE_EDGES) == [("b", "load", "t")]


async def test_a_store_from_before_is_brought_to_the_same(send: Send, ask: Ask, pool: asyncpg.Pool) -> None:
    await send(
        *TURNS,
        run_event("COMPLETE", 4, 4, "mend", outputs=[made("e.x")], job_facets=told(entry("t", "f"))),
        job_event(5, "design", [], [dataset("u", columnLineage=lineage(y="t.x"))]),
        dataset_event(6, dataset("v", columnLineage=lineage(y="u.y"))),
        dataset_event(6, dataset("w", lineage=facet(inputs=[{"type": "DATASET", "namespace": "w", "name": "s"}]))),
    )
    state = await read_state(pool)
    assert len(state["made_from"]) == 7
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("drop table made_from cascade")
        gone = await connection.fetch(
            """
            delete from table_edge as e
            where
                not exists (select from run_io as i where i.side = 'i' and i.dataset_id = e.source_dataset)
                and not exists (select from told_lineage as t where e.source_dataset = any(t.sources))
            returning 1
            """
        )
        assert len(gone) == 3
        await connection.execute((find_data("migrations") / "0024_keep_column_sources.sql").read_text())
    assert await read_state(pool) == state
