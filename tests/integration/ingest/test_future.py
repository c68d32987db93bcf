"""What is said from the future stands below all that isn't, in every choice, until it is trusted; in any order."""

from itertools import permutations
from typing import Any

import asyncpg
import pytest

from lineal_receiver.ids import NONE
from lineal_receiver.ingest.event import Event
from lineal_receiver.ingest.persist import Vault

from .asking import EDGES, SLOTS, STATES, TABLE_EDGES, Ask, Send, edges, fields
from .commands import NIGHTLY, WAREHOUSE, command
from .events import RUN, dataset, dataset_event, facet, job_event, lineage, parent, run_event, schema

OWN_READS = "select d.name from table_edge e join dataset d on d.id = e.source_dataset where e.target_dataset = $1"


def ahead(event: dict[str, Any], day: int = 1) -> dict[str, Any]:
    """The same, said from the future."""
    return event | {"eventTime": f"2999-01-{day:02}T00:00:00Z"}


async def trust(pool: asyncpg.Pool, *commands: Event) -> None:
    async with Vault(pool) as vault:
        for each in commands:
            await vault.keep(each)


def trust_dataset(name: str) -> Event:
    return command("trust", 59, dataset={"namespace": WAREHOUSE, "name": name})


def trust_job(name: str, run: int | None = None) -> Event:
    named = {"namespace": NIGHTLY, "name": name}
    return command("trust", 59, 1, job=named, runId=None if run is None else f"{RUN}{run:02}")


ORDERS = list(permutations(range(3)))


@pytest.mark.parametrize("order", ORDERS)
async def test_a_statement_from_the_future_hides_no_other(
    send: Send, ask: Ask, pool: asyncpg.Pool, order: tuple[int, ...]
) -> None:
    said = [
        job_event(1, "design", [dataset("x")], [dataset("t")]),
        job_event(2, "design", [dataset("a"), dataset("b")], [dataset("t")]),
        ahead(job_event(0, "design", [dataset("a")], [dataset("t")])),
    ]
    for each in order:
        await send(said[each])
    assert await ask(TABLE_EDGES) == [("a", "design", "t"), ("b", "design", "t")]
    await trust(pool, trust_job("design"))
    assert await ask(TABLE_EDGES) == [("a", "design", "t")]


@pytest.mark.parametrize("order", ORDERS)
async def test_what_the_future_says_of_a_dataset_is_in_no_register(
    send: Send, ask: Ask, pool: asyncpg.Pool, order: tuple[int, ...]
) -> None:
    said = [
        dataset_event(1, dataset("t", schema=schema("x"), columnLineage=lineage(x="a.x"))),
        dataset_event(2, dataset("t", documentation=facet(description="now"))),
        ahead(
            dataset_event(
                0,
                dataset(
                    "t",
                    schema=schema("y"),
                    columnLineage=lineage(y="b.y"),
                    documentation=facet(description="then"),
                    lifecycleStateChange=facet(lifecycleStateChange="DROP"),
                ),
            )
        ),
    ]
    documentation = """
    select b.body::jsonb ->> 'description' from facet f join facet_body b on b.id = f.body_id
    where f.scope_id = $1 and f.name = 'documentation'
    """
    for each in order:
        await send(said[each])
    assert fields(await ask(STATES), "t") == ["x"]
    assert await ask(EDGES) == edges(("t", "x", "a", "x"))
    assert await ask(documentation, NONE) == [("now",)]
    await trust(pool, trust_dataset("t"))
    assert next(row for row in await ask(STATES) if row[0] == "t")[2:4] == ("DROP", True)
    assert await ask(EDGES) == []
    assert await ask(documentation, NONE) == [("then",)]


async def test_a_pending_write_of_today_goes_before_one_that_ended_in_the_future(
    send: Send, ask: Ask, pool: asyncpg.Pool
) -> None:
    await send(
        ahead(
            run_event(
                "COMPLETE",
                0,
                1,
                inputs=[dataset("b")],
                outputs=[dataset("t", schema=schema("y"), columnLineage=lineage(y="b.y"))],
            )
        ),
        run_event(
            "START",
            1,
            2,
            inputs=[dataset("a")],
            outputs=[dataset("t", schema=schema("x"), columnLineage=lineage(x="a.x"))],
        ),
    )
    assert await ask(TABLE_EDGES) == [("a", "load", "t")]
    assert await ask(EDGES) == edges(("t", "x", "a", "x"))
    assert fields(await ask(STATES), "t") == ["x"]
    await trust(pool, trust_job("load", 1))
    assert await ask(TABLE_EDGES) == [("b", "load", "t")]
    assert fields(await ask(STATES), "t") == ["y"]


@pytest.mark.parametrize(
    ("sane", "future"),
    [
        (run_event("COMPLETE", 1, 1, "check", [dataset("a")]), job_event(0, "check", [dataset("b")], [])),
        (job_event(1, "check", [dataset("a")], []), run_event("COMPLETE", 0, 1, "check", [dataset("b")])),
        (run_event("START", 1, 1, "check", [dataset("a")]), run_event("COMPLETE", 0, 2, "check", [dataset("b")])),
        (run_event("COMPLETE", 1, 1, "check", [dataset("a")]), job_event(0, "check", [dataset("b")], [dataset("c")])),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
async def test_what_a_job_reads_that_writes_nothing(
    send: Send, ask: Ask, sane: dict[str, Any], future: dict[str, Any], turned: bool
) -> None:
    both = (sane, ahead(future))
    await send(*(both[::-1] if turned else both))
    assert await ask(OWN_READS, NONE) == [("a",)]


async def test_an_open_stream_that_writes_nothing_reads_what_it_reads_now(send: Send, ask: Ask) -> None:
    stream = {"jobType": facet(processingType="STREAMING", integration="FLINK")}
    await send(
        run_event("COMPLETE", 1, 1, "check", inputs=[dataset("a")], job_facets=stream),
        run_event("RUNNING", 2, 2, "check", inputs=[dataset("b")], job_facets=stream),
    )
    assert await ask(OWN_READS, NONE) == [("b",)]


async def test_siblings_from_the_future_do_not_count_together_with_others(send: Send, ask: Ask) -> None:
    under = {"parent": parent(8, "app")}
    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[dataset("t")], run_facets=under),
        ahead(run_event("COMPLETE", 0, 2, inputs=[dataset("b")], outputs=[dataset("t")], run_facets=under)),
    )
    assert await ask(TABLE_EDGES) == [("a", "load", "t")]


JOB = """
select p.name, j.streaming, b.body::jsonb ->> 'url', right(extract(year from j.updated_at)::text, 4)
from job_state j join job n on n.id = j.job_id and n.name = 'load' left join job p on p.id = j.parent_job
left join facet f on f.entity_id = j.job_id and f.scope_id = $1 and f.name = 'sourceCodeLocation'
left join facet_body b on b.id = f.body_id
"""


def place(url: str, kind: str) -> dict[str, Any]:
    return {
        "sourceCodeLocation": facet(type="git", url=url),
        "jobType": facet(processingType=kind, integration="X"),
    }


@pytest.mark.parametrize("turned", [False, True])
async def test_what_a_job_is(send: Send, ask: Ask, pool: asyncpg.Pool, turned: bool) -> None:
    said = [
        run_event(
            "COMPLETE", 1, 1, run_facets={"parent": parent(8, "now")}, job_facets=place("https://now.example", "BATCH")
        ),
        ahead(
            run_event(
                "COMPLETE",
                0,
                2,
                run_facets={"parent": parent(9, "then")},
                job_facets=place("https://then.example", "STREAMING"),
            )
        ),
    ]
    await send(*(said[::-1] if turned else said))
    assert await ask(JOB, NONE) == [("now", False, "https://now.example", "2026")]
    await trust(pool, trust_job("load", 2))
    assert await ask(JOB, NONE) == [("then", True, "https://then.example", "2999")]


async def test_what_job_events_say_of_a_job_is_trusted_by_its_name(send: Send, ask: Ask, pool: asyncpg.Pool) -> None:
    await trust(pool, trust_job("load"))
    await send(
        job_event(1, "load", [dataset("a")], [], place("https://now.example", "BATCH")),
        ahead(job_event(0, "load", [dataset("b")], [], place("https://then.example", "SERVICE"))),
    )
    assert await ask(JOB, NONE) == [(None, True, "https://then.example", "2999")]
    assert await ask(OWN_READS, NONE) == [("b",)]


@pytest.mark.parametrize("turned", [False, True])
async def test_what_readers_saw(send: Send, ask: Ask, pool: asyncpg.Pool, turned: bool) -> None:
    said = [
        run_event("COMPLETE", 1, 1, inputs=[dataset("s", schema=schema("x"))]),
        ahead(run_event("COMPLETE", 0, 2, inputs=[dataset("s", schema=schema("y"))])),
    ]
    await send(*(said[::-1] if turned else said))
    assert fields(await ask(STATES), "s") == ["x"]
    await trust(pool, trust_job("load", 2))
    assert fields(await ask(STATES), "s") == ["y"]


POINTERS = """
select a.name, d.name from alias_pointer p join dataset a on a.id = p.id join dataset d on d.id = p.target_id order by 1
"""


def linked(name: str, *others: str) -> dict[str, Any]:
    identifiers = [{"namespace": WAREHOUSE, "name": other, "type": "TABLE"} for other in others]
    return dataset(name, symlinks=facet(identifiers=identifiers))


@pytest.mark.parametrize("early", [False, True])
async def test_aliases_that_were_claimed_in_the_future(send: Send, ask: Ask, pool: asyncpg.Pool, early: bool) -> None:
    orders = (trust_job("load", 2), trust_dataset("e"))
    if early:
        await trust(pool, *orders)
    await send(
        run_event("START", 1, 1, outputs=[linked("now", "p", "q")]),
        ahead(run_event("COMPLETE", 0, 2, outputs=[linked("then", "p")])),
        ahead(dataset_event(0, linked("e", "q"))),
    )
    if not early:
        assert await ask(POINTERS) == [("p", "now"), ("q", "now")]
        await trust(pool, *orders)
    assert await ask(POINTERS) == [("p", "then"), ("q", "e")]


async def test_renames_in_the_future(send: Send, ask: Ask, pool: asyncpg.Pool) -> None:
    def rename(old: str, new: str) -> dict[str, Any]:
        before = {"namespace": WAREHOUSE, "name": old}
        return dataset(new, lifecycleStateChange=facet(lifecycleStateChange="RENAME", previousIdentifier=before))

    await send(
        ahead(run_event("COMPLETE", 0, 1, outputs=[rename("a", "b")])), ahead(dataset_event(0, rename("c", "d")))
    )
    renames = (
        "select o.name, n.name from renamed r join dataset o on o.id = r.old_id join dataset n on n.id = r.new_id "
        "order by 1"
    )
    assert await ask(renames) == []
    await trust(pool, trust_job("load", 1), trust_dataset("d"))
    assert await ask(renames) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("turned", [False, True])
async def test_versions_of_a_job(send: Send, ask: Ask, pool: asyncpg.Pool, turned: bool) -> None:
    said = [
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")]),
        ahead(run_event("COMPLETE", 0, 2, inputs=[dataset("b")])),
        ahead(job_event(0, "load", [dataset("c")], [])),
        ahead(job_event(0, "load", [dataset("a")], [])),
    ]
    await send(*(said[::-1] if turned else said))
    versions = """
    select d.name, v.future, extract(year from v.created_at) = 2026, v.run_id is not null
    from job_version v join dataset d on d.id = v.inputs[1] order by v.future, v.created_at desc, d.name
    """
    assert await ask(versions) == [
        ("a", False, True, True),
        ("b", True, False, True),
        ("c", True, False, False),
    ]
    await trust(pool, trust_job("load", 2), trust_job("load"))
    assert [row[1] for row in await ask(versions)] == [False, False, False]


async def test_a_drop_from_the_future_ends_nothing_nor_does_an_overwrite(send: Send, ask: Ask) -> None:
    def change(name: str) -> dict[str, Any]:
        return dataset("t", lifecycleStateChange=facet(lifecycleStateChange=name))

    await send(
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[dataset("t")]),
        ahead(job_event(0, "mend", [], [change("DROP")])),
        ahead(run_event("COMPLETE", 0, 2, "mend", outputs=[change("DROP")])),
        ahead(job_event(0, "app", [dataset("b")], [change("OVERWRITE")])),
    )
    assert ("a", "load", "t") in await ask(TABLE_EDGES)
    assert ("t", "load", 2, False, None) in await ask(SLOTS)


async def test_a_static_slot_is_not_ended_by_a_job_of_the_future(send: Send, ask: Ask) -> None:
    await send(
        dataset_event(1, dataset("t", columnLineage=lineage(x="a.x"))),
        ahead(run_event("COMPLETE", 0, 1, outputs=[dataset("t", columnLineage=lineage(x="b.x"))])),
    )
    assert ("t", "x", "a", "x", False) in await ask(EDGES)


HIDDEN = "select e.name from hidden h join (select id, name from job union select id, name from dataset) e "
HIDDEN += "on e.id = h.entity_id order by 1"


async def test_a_deletion_does_not_see_the_future_until_it_is_trusted(send: Send, ask: Ask, pool: asyncpg.Pool) -> None:
    def delete(kind: str, space: str, name: str, ids: list[str]) -> Event:
        newest = "2026-03-01T10:01:00Z"
        return command("delete", 30, kind=kind, namespace=space, name=name, at=newest, ids=ids)

    await send(
        run_event("COMPLETE", 1, 1, outputs=[dataset("d")]),
        dataset_event(1, dataset("e")),
    )
    ids = [row[0] for row in await ask("select encode(substring(id from 1 for 8), 'hex') from log")]
    await trust(
        pool,
        *(
            delete(*named, ids)
            for named in (("job", NIGHTLY, "load"), ("dataset", WAREHOUSE, "d"), ("dataset", WAREHOUSE, "e"))
        ),
    )
    assert await ask(HIDDEN) == [("d",), ("e",), ("load",)]
    await send(
        ahead(run_event("COMPLETE", 0, 2, outputs=[dataset("d")])),
        ahead(dataset_event(0, dataset("e"))),
        ahead(job_event(0, "load", [], [dataset("d")])),
    )
    assert await ask(HIDDEN) == [("d",), ("e",), ("load",)]
    await trust(pool, trust_job("load", 2))
    assert await ask(HIDDEN) == [("e",)]
    await trust(pool, trust_dataset("e"))
    assert await ask(HIDDEN) == []


@pytest.mark.parametrize("order", ORDERS)
async def test_a_stray_event_of_the_future_leaves_its_run_where_it_is(
    send: Send, ask: Ask, order: tuple[int, ...]
) -> None:
    said = [
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[dataset("t")]),
        run_event("COMPLETE", 2, 2, inputs=[dataset("b")], outputs=[dataset("t")]),
        ahead(run_event("RUNNING", 0, 2, outputs=[dataset("z", schema=schema("x"))])),
    ]
    for each in order:
        await send(said[each])
    assert await ask(TABLE_EDGES) == [("b", "load", "t")]
    assert next(row for row in await ask(STATES) if row[0] == "z")[1] is None
    assert await ask("select right(run_id::text, 2), future, seen_at < '2100-01-01' from run order by 1") == [
        ("01", False, True),
        ("02", False, True),
    ]


@pytest.mark.parametrize("turned", [False, True])
async def test_a_run_is_of_the_future_if_its_end_is_until_an_end_of_now_comes(
    send: Send, ask: Ask, turned: bool
) -> None:
    said = [
        run_event("COMPLETE", 1, 1, inputs=[dataset("a")], outputs=[dataset("t")]),
        run_event("START", 2, 2, inputs=[dataset("b")], outputs=[dataset("t")]),
        ahead(run_event("COMPLETE", 0, 2)),
    ]
    await send(*(said[::-1] if turned else said))
    assert await ask(TABLE_EDGES) == [("a", "load", "t")]
    await send(run_event("COMPLETE", 3, 2))
    assert await ask(TABLE_EDGES) == [("b", "load", "t")]


@pytest.mark.parametrize("order", ORDERS)
async def test_an_open_stream_is_as_new_as_its_newest_event_of_now(
    send: Send, ask: Ask, pool: asyncpg.Pool, order: tuple[int, ...]
) -> None:
    stream = {"jobType": facet(processingType="STREAMING", integration="FLINK")}
    said = [
        run_event("RUNNING", 1, 1, inputs=[dataset("a")], outputs=[dataset("t")], job_facets=stream),
        ahead(run_event("RUNNING", 0, 1)),
        run_event("COMPLETE", 2, 2, inputs=[dataset("b")], outputs=[dataset("t")], job_facets=stream),
    ]
    for each in order:
        await send(said[each])
    assert await ask(TABLE_EDGES) == [("b", "load", "t")]
    await trust(pool, trust_job("load", 1))
    assert await ask(TABLE_EDGES) == [("a", "load", "t")]


@pytest.mark.parametrize("order", ORDERS)
async def test_a_trusted_job_was_seen_at_its_newest_event(
    send: Send, ask: Ask, pool: asyncpg.Pool, order: tuple[int, ...]
) -> None:
    for each in order:
        if each == 2:
            await trust(pool, trust_job("load"))
        else:
            await send(ahead(job_event(0, "load", [], []), day=each + 1))
    assert await ask("select extract(day from seen_at at time zone 'UTC')::integer from job_state") == [(2,)]


@pytest.mark.parametrize("order", list(permutations(range(4))))
async def test_whether_a_trusted_job_streams(send: Send, ask: Ask, pool: asyncpg.Pool, order: tuple[int, ...]) -> None:
    said = [
        ahead(job_event(0, "load", [], [], place("https://then.example", "STREAMING")), day=1),
        ahead(job_event(0, "load", [], [], {"jobType": facet(_deleted=True)}), day=2),
        job_event(1, "load", [], [], place("https://now.example", "BATCH")),
    ]
    for each in order:
        if each == 3:
            await trust(pool, trust_job("load"))
        else:
            await send(said[each])
    assert await ask("select streaming, seen_at >= '2999-01-02T00:00:00Z' from job_state") == [(True, True)]
