"""Explicit `lineage` facets by value: they go before columnLineage and what inputs would tell."""

import json
from typing import Any

import asyncpg

from lineal_receiver.ids import NONE
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge

from .asking import EDGES, TABLE_EDGES, Ask, Send, edges
from .conftest import empty, read_state
from .events import dataset, dataset_event, entry, facet, job_event, lineage, run_event, schema, source

COLUMNS = """
select d.name, c.field, c.status, c.reason, c.expression
from slot as s join build as b on b.id = any(s.build_ids) join edge_set_column as c on c.edge_set_id = b.edge_set_id
join dataset as d on d.id = s.dataset_id order by 1, c.position
"""
CONSUMED = f"""
select s.name, j.name from table_edge as e join dataset as s on s.id = e.source_dataset join job as j on j.id = e.job_id
where e.target_dataset = '{NONE}' order by 1, 2
"""
KINDS = "select target_field, source_field, type, subtype, masking, expression from edge_active order by 1, 2, 3"


def told(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"lineage": facet(entries=list(entries))}


ORDERS, CUSTOMERS = dataset("orders"), dataset("customers")


async def test_a_job_that_copies_two_tables_has_two_edges_not_four(send: Send, ask: Ask) -> None:
    await send(
        run_event(
            "COMPLETE", 1, inputs=[ORDERS, CUSTOMERS], outputs=[dataset("copy_orders"), dataset("copy_customers")],
            job_facets=told(entry("copy_orders", "orders"), entry("copy_customers", "customers")),
        )
    )  # fmt: skip
    assert await ask(TABLE_EDGES) == [("customers", "load", "copy_customers"), ("orders", "load", "copy_orders")]
    assert await ask(CONSUMED) == []


async def test_what_the_facet_leaves_out_belongs_to_the_job_alone(send: Send, ask: Ask) -> None:
    await send(
        run_event(
            "COMPLETE", 1, inputs=[ORDERS, CUSTOMERS], outputs=[dataset("copy"), dataset("log")],
            job_facets=told(entry("copy", "orders")),
        )
    )  # fmt: skip
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]
    assert await ask(CONSUMED) == [("customers", "load")]


async def test_targets_and_sources_need_not_be_listed(send: Send, ask: Ask) -> None:
    await send(run_event("COMPLETE", 1, job_facets=told(entry("copy", "orders"))))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]
    assert await ask("select cardinality(inputs), cardinality(outputs) from job_version") == [(1, 1)]


async def test_it_goes_before_column_lineage_in_any_order(send: Send, ask: Ask, pool: asyncpg.Pool) -> None:
    inferred = dataset("copy", schema=schema("x", "y"), columnLineage=lineage(x="wrong.x", y="wrong.y"))
    start = run_event("START", 0, outputs=[inferred], job_facets=told(entry("copy", x="orders.a")))
    end = run_event("COMPLETE", 5, outputs=[inferred])
    await send(start, end)
    assert await ask(EDGES) == edges(("copy", "x", "orders", "a"))
    assert await ask(COLUMNS) == [
        ("copy", "x", "traced", None, None),
        ("copy", "y", "unresolved", "not_reported", None),
    ]
    state = await read_state(pool)
    await empty(pool)
    async with Vault(pool) as vault:
        for event in (end, start):
            assert await Intake(Judge(read_bundle()), vault).take(json.dumps(event).encode()) == Accepted(True)
    assert await read_state(pool) == state


async def test_no_inputs_are_vouched_for(send: Send, ask: Ask) -> None:
    out = dataset("copy", schema=schema("x"), columnLineage=lineage(x="orders.x"))
    await send(run_event("COMPLETE", 1, inputs=[ORDERS], outputs=[out], job_facets=told(entry("copy"))))
    assert (await ask(EDGES), await ask(TABLE_EDGES)) == ([], [])
    assert await ask(COLUMNS) == [("copy", "x", "constant", None, None)]
    assert await ask(CONSUMED) == [("orders", "load")]


async def test_sources_of_the_whole_leave_columns_to_column_lineage(send: Send, ask: Ask) -> None:
    out = dataset("copy", columnLineage=lineage(x="orders.x"))
    await send(run_event("COMPLETE", 1, outputs=[out], job_facets=told(entry("copy", "orders", "customers"))))
    assert await ask(EDGES) == edges(("copy", "x", "orders", "x"))
    assert await ask(TABLE_EDGES) == [("customers", "load", "copy"), ("orders", "load", "copy")]


async def test_what_a_field_comes_from_is_told_with_its_kind(send: Send, ask: Ask) -> None:
    total = {"type": "DIRECT", "subtype": "AGGREGATION", "description": "sum(amount)", "masking": True}
    target = {
        **source("copy"),
        "inputs": [source("orders.day"), source("customers")],
        "fields": {
            "total": {"inputs": [source("orders.amount", total)]},
            "region": {"inputs": [source("customers"), source("customers.zip")]},
            "made": {"inputs": [{"type": "JOB", "transformations": [{"type": "DIRECT", "description": "now()"}]}]},
            "other": {"inputs": [{"type": "JOB", "namespace": "nightly", "name": "function"}]},
            "fixed": {"inputs": []},
        },
    }
    await send(run_event("COMPLETE", 1, outputs=[dataset("copy")], job_facets=told(target)))
    assert await ask(KINDS) == [
        ("", "day", "INDIRECT", "", False, None),
        ("region", "zip", "DIRECT", "", False, None),
        ("total", "amount", "DIRECT", "AGGREGATION", True, "sum(amount)"),
    ]
    assert await ask(COLUMNS) == [
        ("copy", "fixed", "constant", None, None),
        ("copy", "made", "constant", None, "now()"),
        ("copy", "other", "unresolved", "made_by_another_job", None),
        ("copy", "region", "unresolved", "no_source_field", None),
        ("copy", "total", "traced", None, "sum(amount)"),
    ]
    assert await ask(TABLE_EDGES) == [("customers", "load", "copy"), ("orders", "load", "copy")]


async def test_what_the_job_itself_consumes(send: Send, ask: Ask) -> None:
    own: dict[str, Any] = {"type": "JOB", "inputs": [source("events")]}
    other = {**own, "namespace": "elsewhere", "name": "job", "inputs": [source("strange")]}
    await send(run_event("COMPLETE", 1, job_facets=told(own, other, entry("copy", "orders"))))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]
    assert await ask(CONSUMED) == [("events", "load")]


async def test_declared_lineage_of_jobs_and_datasets(send: Send, ask: Ask) -> None:
    facets = told(entry("copy", "orders", x="orders.x"))
    declared = job_event(1, "load", [ORDERS, CUSTOMERS], [dataset("copy")], facets)
    view = dataset("view", lineage=facet(inputs=[source("copy")], fields={"y": {"inputs": [source("copy.x")]}}))
    await send(declared, dataset_event(1, view))
    assert await ask(EDGES) == edges(("copy", "x", "orders", "x"), ("view", "y", "copy", "x"))
    assert await ask(CONSUMED) == [("customers", "load")]
    static = "select s.name from table_edge as e join dataset as s on s.id = e.source_dataset where e.job_id = $1"
    assert await ask(static, NONE) == [("copy",)]


async def test_the_facet_of_an_output_speaks_of_that_output_only(send: Send, ask: Ask) -> None:
    out = dataset("copy", lineage=facet(inputs=[source("orders")]))
    await send(run_event("COMPLETE", 1, inputs=[ORDERS, CUSTOMERS], outputs=[out, dataset("log")]))
    log = [("customers", "load", "log"), ("orders", "load", "log")]
    assert await ask(TABLE_EDGES) == sorted([*log, ("orders", "load", "copy")])


async def test_a_deletion_uncovers_what_was_inferred(send: Send, ask: Ask) -> None:
    out = dataset("copy", columnLineage=lineage(x="customers.x"))
    job = told(entry("copy", x="orders.a"))
    await send(run_event("START", 1, inputs=[CUSTOMERS], outputs=[out], job_facets=job))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]
    await send(run_event("RUNNING", 2, job_facets={"lineage": facet(_deleted=True)}))
    assert await ask(EDGES) == edges(("copy", "x", "customers", "x"))
    assert await ask(TABLE_EDGES) == [("customers", "load", "copy"), ("orders", "load", "copy")]
    await send(run_event("COMPLETE", 3, job_facets=told(entry("copy", x="orders.b"))))
    assert await ask(EDGES) == edges(("copy", "x", "orders", "b"))


async def test_a_deleted_statement_of_a_dataset_ends_its_edges(send: Send, ask: Ask) -> None:
    await send(dataset_event(1, dataset("view", lineage=facet(fields={"y": {"inputs": [source("copy.x")]}}))))
    assert await ask(EDGES) == edges(("view", "y", "copy", "x"))
    await send(dataset_event(2, dataset("view", lineage=facet(_deleted=True))))
    assert await ask(EDGES) == []
    assert await ask("select count(*) from table_edge") == [(0,)]


async def test_the_next_run_replaces_it_and_a_failed_one_does_not(send: Send, ask: Ask) -> None:
    await send(run_event("COMPLETE", 1, 1, job_facets=told(entry("copy", "orders", x="orders.x"))))
    await send(run_event("FAIL", 2, 2, job_facets=told(entry("copy", "customers", x="customers.x"))))
    assert await ask(EDGES) == edges(("copy", "x", "orders", "x"))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]
    await send(run_event("COMPLETE", 3, 3, job_facets=told(entry("copy", "customers", x="customers.x"))))
    assert await ask(EDGES) == edges(("copy", "x", "customers", "x"))
    assert await ask(TABLE_EDGES) == [("customers", "load", "copy")]


async def test_on_a_run_where_only_the_proposal_has_it(send: Send, ask: Ask) -> None:
    await send(run_event("COMPLETE", 1, run_facets=told(entry("copy", "orders"))))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]
    for broken in (
        [{"type": "DATASET"}],
        [{**source("z"), "inputs": ["a"]}],
        [{**source("z"), "fields": {"x": {}}}],
        "no",
    ):
        await send(run_event("COMPLETE", 2, 2, run_facets={"lineage": facet(entries=broken)}))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]


async def test_one_that_its_schema_refuses_says_nothing(send: Send, ask: Ask) -> None:
    broken = told({**source("copy"), "inputs": [{"namespace": "w", "type": "DATASET"}]})
    await send(run_event("COMPLETE", 1, inputs=[ORDERS], outputs=[dataset("copy")], job_facets=broken))
    assert await ask(TABLE_EDGES) == [("orders", "load", "copy")]


async def test_what_a_static_drop_tells_is_apart_from_other_statements(
    send: Send, ask: Ask, pool: asyncpg.Pool
) -> None:
    dropped = dataset("t", lifecycleStateChange=facet(lifecycleStateChange="DROP"), lineage=facet(inputs=[]))
    said = [dataset_event(1, dropped), dataset_event(1, dataset("t"))]
    await send(*said)
    state = await read_state(pool)
    await empty(pool)
    async with Vault(pool) as vault:
        for event in said[::-1]:
            assert await Intake(Judge(read_bundle()), vault).take(json.dumps(event).encode()) == Accepted(True)
    assert await read_state(pool) == state
    assert await ask("select count(*) from run_io where told_build_id is not null and lifecycle is null") == [(0,)]
