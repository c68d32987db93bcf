"""Lineage by value: which edges are in force after which events."""

from itertools import permutations
from typing import Any

import pytest

from lineal_receiver.ids import NONE
from lineal_receiver.store.packing import unpack

from .asking import EDGES, RUNS, SLOTS, STATES, TABLE_EDGES, Ask, Send, at, edges, fields
from .events import dataset, dataset_event, facet, job_event, lineage, own, parent, run_event, schema


async def test_while_a_run_is_under_way_its_lineage_is_there(send: Send, ask: Ask) -> None:
    target = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(run_event("START", 0, inputs=[dataset("a")], outputs=[target]))
    assert await ask(RUNS) == [("01", at(0), None, None, 0)]
    assert await ask(SLOTS) == [("b", "load", 1, False, "resolved")]
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    assert await ask(TABLE_EDGES) == [("a", "load", "b")]
    found = await ask(STATES)
    assert (found[1][1], fields(found, "b")) == ("pending", ["x"])


async def test_a_failed_run_leaves_the_last_good_one_in_force(send: Send, ask: Ask) -> None:
    good = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    worse = dataset("b", schema=schema("y"), columnLineage=lineage(y="c.y"))
    await send(
        run_event("COMPLETE", 1, run=1, inputs=[dataset("a")], outputs=[good]),
        run_event("START", 2, run=2, inputs=[dataset("c")], outputs=[worse]),
    )
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    await send(run_event("FAIL", 3, run=2, inputs=[dataset("c")], outputs=[worse]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    assert await ask(TABLE_EDGES) == [("a", "load", "b")]
    assert fields(await ask(STATES), "b") == ["x"]


async def test_what_only_a_failure_names_is_no_write(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, inputs=[dataset("a")], outputs=[dataset("b")]),
        run_event("FAIL", 2, inputs=[dataset("x")], outputs=[dataset("c")]),
    )
    assert await ask(TABLE_EDGES) == [("a", "load", "b")]


async def test_an_announced_output_is_never_effective(send: Send, ask: Ask) -> None:
    await send(
        run_event("START", 1, outputs=[dataset("a")]),
        run_event("COMPLETE", 2, outputs=[dataset("b")]),
    )
    rows = await ask(
        "select d.name, i.class, i.announced from run_io i join dataset d on d.id = i.dataset_id order by 1"
    )
    assert rows == [("a", 1, True), ("b", 2, False)]


async def test_an_end_that_names_nothing_confirms_all(send: Send, ask: Ask) -> None:
    await send(run_event("START", 1, outputs=[dataset("a")]), run_event("COMPLETE", 2))
    assert await ask("select class, announced from run_io") == [(2, False)]


async def test_a_dropped_input_goes_and_a_parameterised_job_keeps_its_outputs(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, run=1, inputs=[dataset("a"), dataset("c")], outputs=[dataset("b")]),
        run_event("COMPLETE", 2, run=2, inputs=[dataset("a")], outputs=[dataset("b")]),
        run_event("COMPLETE", 3, run=3, inputs=[dataset("c")], outputs=[dataset("d")]),
    )
    assert await ask(TABLE_EDGES) == [("a", "load", "b"), ("c", "load", "d")]


async def test_an_empty_facet_that_nobody_vouches_for_says_nothing(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"))
    await send(
        run_event("COMPLETE", 1, run=1, outputs=[good]),
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", columnLineage=lineage())]),
        run_event("COMPLETE", 3, run=3, outputs=[dataset("b", columnLineage=None)]),
    )
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))


async def test_a_column_that_changed_its_source_loses_the_old_edge(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", columnLineage=lineage(x="c.x"))]),
        run_event("COMPLETE", 1, run=1, outputs=[dataset("b", columnLineage=lineage(x="a.x"))]),
    )
    assert await ask(EDGES) == edges(("b", "x", "c", "x"))
    assert len(await ask("select from build")) == 2


async def test_new_sql_that_cannot_be_read_shows_the_last_known_edges_marked(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced")))
    blind = dataset("b", lineal_lineage=own("unresolved", ("x", "unresolved"), sql="q2"))
    await send(run_event("COMPLETE", 1, run=1, outputs=[good]), run_event("COMPLETE", 2, run=2, outputs=[blind]))
    assert await ask(SLOTS) == [("b", "load", 2, False, "unresolved")]
    assert await ask(EDGES) == [("b", "x", "a", "x", True)]
    await send(run_event("COMPLETE", 3, run=3, outputs=[good]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))


async def test_the_same_sql_read_well_before_stands_in(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced")))
    await send(
        run_event("COMPLETE", 1, run=1, outputs=[good]),
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", lineal_lineage=own("unresolved", schema_hash=None))]),
    )
    assert await ask(SLOTS) == [("b", "load", 2, False, "resolved")]
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))
    # other columns in the sources: the old reading doesn't stand in, its edges are only the last known
    other = own("unresolved", ("x", "unresolved"), schema_hash="s2")
    await send(run_event("COMPLETE", 3, run=3, outputs=[dataset("b", lineal_lineage=other)]))
    assert await ask(EDGES) == [("b", "x", "a", "x", True)]


async def test_a_failed_reading_is_kept_but_never_in_force(send: Send, ask: Ask) -> None:
    good = dataset("b", columnLineage=lineage(x="a.x"), lineal_lineage=own("resolved", ("x", "traced")))
    await send(
        run_event("COMPLETE", 1, run=1, outputs=[good]),
        run_event("COMPLETE", 2, run=2, outputs=[dataset("b", lineal_lineage=own("failed", sql="q9"))]),
    )
    assert await ask(SLOTS) == [("b", "load", 2, False, "resolved")]
    assert sorted(await ask("select status from build")) == [("failed",), ("resolved",)]


async def test_several_writers_are_united_and_an_overwrite_ends_the_others(send: Send, ask: Ask) -> None:
    create, overwrite = (facet(lifecycleStateChange=change) for change in ("CREATE", "OVERWRITE"))
    await send(
        run_event("COMPLETE", 1, 1, "load", outputs=[dataset("b", columnLineage=lineage(x="a.x"))]),
        run_event(
            "COMPLETE",
            2,
            2,
            "mend",
            outputs=[dataset("b", columnLineage=lineage(x="c.x"), lifecycleStateChange=create)],
        ),
    )
    assert await ask(EDGES) == edges(("b", "x", "a", "x"), ("b", "x", "c", "x"))
    part = dataset("b", columnLineage=lineage(y="c.y"), lifecycleStateChange=overwrite)
    subset = facet(outputCondition={"type": "location", "locations": ["x"]})
    await send(run_event("COMPLETE", 3, 3, "mend", outputs=[part | {"outputFacets": {"subset": subset}}]))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"), ("b", "y", "c", "y"))
    await send(run_event("COMPLETE", 4, 4, "mend", outputs=[part]))
    assert await ask(EDGES) == edges(("b", "y", "c", "y"))
    assert await ask(SLOTS) == [("b", "load", 2, True, "resolved"), ("b", "mend", 2, False, "resolved")]


async def test_a_drop_ends_slots_and_schema_until_the_next_write(send: Send, ask: Ask) -> None:
    drop = facet(lifecycleStateChange="DROP")
    written = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[written]),
        run_event("COMPLETE", 2, 2, "app", outputs=[dataset("b", lifecycleStateChange=drop)]),
    )
    assert await ask(EDGES) == []
    assert await ask(TABLE_EDGES) == []
    assert (await ask(STATES))[1][1:] == (None, "DROP", True, None)
    await send(run_event("COMPLETE", 3, 3, inputs=[dataset("b")]))  # reading doesn't revive
    assert (await ask(STATES))[1][3] is True
    await send(run_event("COMPLETE", 4, 4, inputs=[dataset("a")], outputs=[written]))
    assert (await ask(STATES))[1][1:4] == ("write", None, False)
    assert await ask(EDGES) == edges(("b", "x", "a", "x"))


async def test_writes_under_one_parent_count_together_until_the_next_parent(send: Send, ask: Ask) -> None:
    def write(minute: int, run: int, under: int, source: str) -> dict[str, Any]:
        target = dataset("b", columnLineage=lineage(x=f"{source}.x"))
        facets = {"parent": parent(under, "app")}
        return run_event("COMPLETE", minute, run, inputs=[dataset(source)], outputs=[target], run_facets=facets)

    await send(write(1, 1, 8, "a"), write(2, 2, 8, "c"))
    assert await ask(EDGES) == edges(("b", "x", "a", "x"), ("b", "x", "c", "x"))
    assert await ask(TABLE_EDGES) == [("a", "load", "b"), ("c", "load", "b")]
    await send(write(3, 3, 9, "c"))
    assert await ask(EDGES) == edges(("b", "x", "c", "x"))


async def test_a_drop_in_between_ends_the_writes_before_it_whenever_it_comes(send: Send, ask: Ask) -> None:
    facets = {"parent": parent(8, "app")}
    drop = dataset("b", lifecycleStateChange=facet(lifecycleStateChange="DROP"))
    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[dataset("b")], run_facets=facets),
        run_event("COMPLETE", 5, 2, inputs=[dataset("c")], outputs=[dataset("b")], run_facets=facets),
        run_event("COMPLETE", 3, 3, "mend", outputs=[drop]),
    )
    assert await ask(TABLE_EDGES) == [("c", "load", "b")]
    await send(run_event("FAIL", 2, 3, "mend"))  # it wasn't dropped after all
    assert await ask(TABLE_EDGES) == [("a", "load", "b"), ("c", "load", "b")]


async def test_mapped_tasks_do_not_cross(send: Send, ask: Ask) -> None:
    facets = {"parent": parent(8, "app")}
    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("orders")], outputs=[dataset("copy_orders")], run_facets=facets),
        run_event("COMPLETE", 1, 2, inputs=[dataset("people")], outputs=[dataset("copy_people")], run_facets=facets),
    )
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy_orders"), ("people", "load", "copy_people")]


async def test_an_open_stream_is_effective_even_if_its_type_comes_late(send: Send, ask: Ask) -> None:
    target = dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))
    await send(run_event("START", 1, inputs=[dataset("a")], outputs=[target]))
    assert (await ask(SLOTS))[0][2] == 1
    stream = {"jobType": facet(processingType="STREAMING", integration="FLINK")}
    await send(run_event("RUNNING", 2, job_facets=stream))
    assert (await ask(SLOTS))[0][2] == 2
    assert (await ask(STATES))[1][1] == "write"
    assert await ask("select cardinality(outputs) from job_version") == [(1,)]
    other = run_event("RUNNING", 3, inputs=[dataset("c")], outputs=[dataset("b")], job_facets=stream)
    await send(other, other | {"eventTime": "2026-03-01T10:04:00Z", "inputs": [], "outputs": []})
    rows = await ask("select cardinality(inputs), cardinality(outputs) from job_version order by 1")
    assert rows == [(1, 1), (2, 1)]


async def test_static_events_make_edges_until_a_job_writes(send: Send, ask: Ask) -> None:
    await send(
        job_event(1, "dashboard", [dataset("a")], [dataset("b")]),
        dataset_event(1, dataset("c", schema=schema("x"), columnLineage=lineage(x="a.x"))),
    )
    assert await ask(TABLE_EDGES) == [("a", "dashboard", "b")]
    assert await ask(EDGES) == edges(("c", "x", "a", "x"))
    await send(run_event("COMPLETE", 2, outputs=[dataset("c", columnLineage=lineage(x="b.x"))]))
    assert await ask(EDGES) == edges(("c", "x", "b", "x"))


STATEMENTS = [
    job_event(1, "design", [dataset("a"), dataset("b")], [dataset("t", columnLineage=lineage(x="a.x"))]),
    job_event(2, "design", [dataset("b"), dataset("c")], [dataset("u", columnLineage=lineage(x="c.x"))]),
    job_event(3, "design", [], []),
]


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_the_newest_statement_of_a_job_replaces_the_one_before(
    send: Send, ask: Ask, order: tuple[int, ...]
) -> None:
    for each in order:
        await send(STATEMENTS[each])
    assert await ask(TABLE_EDGES) == [("b", "design", "u"), ("c", "design", "u")]
    assert await ask(EDGES) == edges(("u", "x", "c", "x"))


async def test_a_statement_of_inputs_alone_leaves_the_outputs_and_one_of_a_reader_replaces_its_own(
    send: Send, ask: Ask
) -> None:
    await send(job_event(1, "design", [dataset("a")], [dataset("t"), dataset("u")]))
    await send(job_event(2, "design", [dataset("b")], []), job_event(1, "check", [dataset("a")], []))
    await send(job_event(2, "check", [dataset("b")], []))
    assert await ask(TABLE_EDGES) == [("b", "design", "t"), ("b", "design", "u")]
    reads = "select d.name from table_edge e join dataset d on d.id = e.source_dataset where e.target_dataset = $1"
    assert await ask(reads, NONE) == [("b",)]


async def test_a_job_that_writes_nothing_has_a_slot_for_itself(send: Send, ask: Ask) -> None:
    await send(
        run_event("COMPLETE", 1, 1, "check", inputs=[dataset("a")]),
        run_event("START", 2, 2, "check", inputs=[dataset("b")]),
    )
    rows = await ask("select dataset_id, right(run_id::text, 2), class from slot")
    assert rows == [(NONE, "01", 2)]
    reads = "select d.name from table_edge e join dataset d on d.id = e.source_dataset where e.target_dataset = $1"
    assert await ask(reads, NONE) == [("a",)]
    await send(run_event("COMPLETE", 3, 3, "check", outputs=[dataset("c")]))
    assert [(row[0] == NONE) for row in await ask("select dataset_id from slot")] == [False]
    assert await ask(reads, NONE) == []


async def test_two_listings_of_one_output_are_one(send: Send, ask: Ask) -> None:
    twice = [dataset("b", schema=schema("x")), dataset("b", columnLineage=lineage(x="b.x"))]
    await send(run_event("COMPLETE", 1, inputs=[dataset("b")], outputs=twice))
    assert await ask(EDGES) == edges(("b", "x", "b", "x"))
    assert await ask(TABLE_EDGES) == [("b", "load", "b")]


async def test_the_seed_query(send: Send, ask: Ask) -> None:
    facts = own("partial", ("amount", "traced"), ("share", "unresolved"), model="orders")
    target = dataset("orders", columnLineage=lineage(amount="raw.price"), lineal_lineage=facts)
    await send(run_event("COMPLETE", 1, inputs=[dataset("raw")], outputs=[target]))
    query = """
    select e.source_relation, e.source_column, e.target_relation, e.target_column, e.expression, e.resolved from
    column_lineage_edge e join lineage_build b on b.id = e.build_id and b.is_active where e.target_relation = $1
    """
    assert sorted(await ask(query, "model.shop.orders"), key=str) == [
        ("postgres://db.example:5432/raw", "price", "model.shop.orders", "amount", "amount_x", True),
        (None, None, "model.shop.orders", "share", "share_x", False),
    ]


TWO_AT_ONCE = [
    job_event(1, "design", [dataset("a")], [dataset("t", schema=schema("x"), columnLineage=lineage(x="a.x"))]),
    job_event(1, "design", [dataset("b")], [dataset("u", schema=schema("y"), columnLineage=lineage(y="b.y"))]),
]


@pytest.mark.parametrize("turned", [False, True])
async def test_of_two_statements_at_one_time_one_counts(send: Send, ask: Ask, turned: bool) -> None:
    await send(*(TWO_AT_ONCE[::-1] if turned else TWO_AT_ONCE))
    ids = await ask("select id from log order by id")
    last = unpack((await ask("select body from log where id = $1", ids[-1][0]))[0][0])
    if b'"t"' in last:
        assert await ask(TABLE_EDGES) == [("a", "design", "t")]
        assert await ask(EDGES) == edges(("t", "x", "a", "x"))
    else:
        assert await ask(TABLE_EDGES) == [("b", "design", "u")]
        assert await ask(EDGES) == edges(("u", "y", "b", "y"))


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_a_static_drop_ends_what_was_stated_before_it_and_nothing_after(
    send: Send, ask: Ask, order: tuple[int, ...]
) -> None:
    drop = dataset("t", lifecycleStateChange=facet(lifecycleStateChange="DROP"))
    said = [
        dataset_event(1, dataset("t", schema=schema("x"), columnLineage=lineage(x="a.x"))),
        dataset_event(2, drop),
        dataset_event(3, dataset("t", documentation=facet(description="again"))),
    ]
    for each in order:
        await send(said[each])
    assert next(row for row in await ask(STATES) if row[0] == "t")[1:] == (None, None, False, None)
    assert await ask(EDGES) == []
    await send(dataset_event(4, drop))
    assert next(row for row in await ask(STATES) if row[0] == "t")[2:4] == ("DROP", True)
    await send(dataset_event(4, dataset("t", schema=schema("y"))))
    found = await ask(STATES)
    assert next(row for row in found if row[0] == "t")[1:4] == ("write", None, False)
    assert fields(found, "t") == ["y"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_a_static_overwrite_ends_what_others_wrote_before_it(
    send: Send, ask: Ask, order: tuple[int, ...]
) -> None:
    over = dataset("t", lifecycleStateChange=facet(lifecycleStateChange="OVERWRITE"))
    said = [
        job_event(1, "design", [dataset("a")], [over]),
        run_event("COMPLETE", 2, 1, "load", inputs=[dataset("b")], outputs=[dataset("t")]),
        job_event(3, "design", [dataset("a")], [over]),
    ]
    for each in order:
        await send(said[each])
    assert await ask(TABLE_EDGES) == [("a", "design", "t")]
    await send(
        run_event("COMPLETE", 4, 2, "load", inputs=[dataset("b")], outputs=[dataset("t")]),
        job_event(5, "design", [dataset("a")], [dataset("t")]),
    )
    assert await ask(TABLE_EDGES) == [("a", "design", "t"), ("b", "load", "t")]


@pytest.mark.parametrize("turned", [False, True])
async def test_of_two_dataset_events_at_one_time_one_counts_in_all_that_both_say(
    send: Send, ask: Ask, turned: bool
) -> None:
    said = [
        dataset_event(1, dataset("t", schema=schema("x"), columnLineage=lineage(x="a.x"))),
        dataset_event(1, dataset("t", schema=schema("y"), columnLineage=lineage(y="b.y"))),
    ]
    await send(*(said[::-1] if turned else said))
    last = await ask("select body from log order by id desc limit 1")
    found = (fields(await ask(STATES), "t"), await ask(EDGES))
    if b'"a"' in unpack(last[0][0]):
        assert found == (["x"], edges(("t", "x", "a", "x")))
    else:
        assert found == (["y"], edges(("t", "y", "b", "y")))
