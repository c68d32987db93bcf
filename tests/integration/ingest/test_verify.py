"""`lineal verify`: the log folded again gives the same tables, and what was changed by another hand is named."""

import asyncio
import io
import json
from typing import Any

import pytest

from lineal_receiver.cli import main
from lineal_receiver.ids import dataset_id
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.mend import ServersRunning, mend
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.ingest.verify import NothingToVerify, VerifyRunning, verify
from lineal_receiver.postgres.pool import connect, open_pool
from lineal_receiver.store import shadow
from lineal_receiver.store.compare import EXCEPTED, LEFT_OUT

from . import conftest
from .commands import command
from .events import RUN, dataset, dataset_event, facet, job_event, lineage, own, parent, run_event, schema

A, B = dataset_id("postgres://db.example:5432", "a"), dataset_id("postgres://db.example:5432", "b")
STORY = [
    run_event("START", 0, 1, inputs=[dataset("a", schema=schema("x"))], run_facets={"parent": parent(8, "app")}),
    run_event("COMPLETE", 5, 1, outputs=[dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))]),
    run_event("FAIL", 6, 1),
    run_event("COMPLETE", 9, 2, outputs=[dataset("b", lineal_lineage=own("unresolved", ("x", "unresolved")))]),
    job_event(3, "mend", [dataset("b")], [dataset("c", documentation=facet(description="c"))]),
    dataset_event(4, dataset("a", schema=schema("x", "y"))),
]


async def take(url: str, events: list[dict[str, Any]]) -> None:
    async with open_pool(url) as pool, Vault(pool) as vault:
        intake = Intake(Judge(read_bundle()), vault)
        for event in events:
            assert isinstance(await intake.take(json.dumps(event).encode()), Accepted)


async def look(url: str, **options: Any) -> tuple[int, list[str]]:
    out = io.StringIO()
    report = await verify(url, out=out, err=io.StringIO(), **options)
    return report.findings, out.getvalue().splitlines()


async def change(url: str, sql: str, *arguments: Any) -> None:
    connection = await connect(url)
    try:
        await connection.execute(sql, *arguments)
    finally:
        await connection.close()


async def read(url: str) -> list[str]:
    connection = await connect(url)
    try:
        rows = await connection.fetch("select nspname from pg_namespace where nspname like 'lineal%'")
        return [row["nspname"] for row in rows]
    finally:
        await connection.close()


def test_the_exceptions_are_those_of_the_property_tests() -> None:
    assert {table: set(names) for table, names in EXCEPTED.items()} == conftest.EXCEPTED
    assert set(LEFT_OUT) == conftest.LEFT_OUT


async def test_a_store_is_what_its_log_says_and_nothing_is_left_behind(database_url: str) -> None:
    await take(database_url, STORY)
    async with open_pool(database_url) as pool:
        before = await conftest.read_state(pool)
        assert before["edge_active"]
        findings, lines = await look(database_url)
        assert (findings, lines[-1].partition(",")[0]) == (0, f"{len(STORY)} records")
        assert await conftest.read_state(pool) == before
    assert await read(database_url) == []


async def test_the_first_and_the_last_hour_that_there_are_add_up(database_url: str) -> None:
    times = ("0001-01-01T00:00:00Z", "0001-01-01T00:30:00Z", "9999-12-31T23:00:00Z", "9999-12-31T23:59:59.999999Z")
    await take(database_url, [run_event("START", 0, n) | {"eventTime": time} for n, time in enumerate(times)])
    findings, (said,) = await look(database_url)
    assert (findings, said.partition(",")[0], said.partition(": ")[2]) == (0, "4 records", "all as it should be")


@pytest.mark.parametrize(
    ("sql", "arguments", "said"),
    [
        (
            "update dataset_state set written_at = written_at + interval '1 hour' where dataset_id = $1",
            (B,),
            [
                f'dataset_state {{"dataset_id":"{B}"}}: written_at is "2026-03-01T11:09:00+00:00", '
                'the log says "2026-03-01T10:09:00+00:00"'
            ],
        ),
        (
            "delete from reader_schema where dataset_id = $1",
            (A,),
            ['reader_schema {"job_id":', f'"dataset_id":"{A}"}}: isn\'t there, but the log says '],
        ),
        (
            "insert into job_version (job_id, id, inputs, outputs, created_at) "
            "select job_id, gen_random_uuid(), '{}', '{}', created_at from job_version limit 1",
            (),
            ["job_version {", "is there, but doesn't follow from the log"],
        ),
        ("update total set n = n + 1 where kind = 'namespaces'", (), ["total of namespaces in ", ": is 3, counted 2"]),
        (
            "update event_hour set events = 7 where event_type = 'FAIL'",
            (),
            ["event_hour 2026-03-01T10:00:00+00:00 run FAIL: is 7, the log holds 1"],
        ),
        ("update job set name = 'another' where name = 'mend'", (), ['isn\'t the id of ["nightly","another"]']),
        ("delete from facet_body", (), ["facet {", "there is no such row in facet_body"]),
        ("update log set body = '{}'", (), ["its body would be refused now: "]),
        (
            "update log set body = $1",
            (json.dumps(run_event("COMPLETE", 5, 3)).encode(),),
            ["its body isn't what was accepted: its id is "],
        ),
    ],
    ids=["value", "lost", "foreign", "total", "hour", "name", "reference", "unreadable", "tampered"],
)
async def test_what_another_hand_changed_is_named(
    database_url: str, sql: str, arguments: tuple[Any, ...], said: list[str]
) -> None:
    await take(database_url, STORY)
    await change(database_url, sql, *arguments)
    findings, lines = await look(database_url)
    assert findings > 0
    for part in said:
        assert any(part in line for line in lines), (part, lines)


async def test_trust_may_be_said_of_what_nobody_told_of_yet(database_url: str) -> None:
    trust = command("trust", 0, job={"namespace": "nightly", "name": "load"}, runId=f"{RUN}09")
    async with open_pool(database_url) as pool, Vault(pool) as vault:
        assert await vault.keep(trust)
    assert (await look(database_url))[0] == 0


async def test_only_so_many_differences_are_shown(database_url: str) -> None:
    await take(database_url, [run_event("COMPLETE", minute, minute) for minute in range(20)])
    await change(database_url, "update run set last_at = last_at + interval '1 day'")
    findings, lines = await look(database_url, most=4)
    assert (findings, [line for line in lines if "more" in line]) == (
        4,
        ["run: there are more; only the first are shown"],
    )


async def test_quick_folds_nothing(database_url: str) -> None:
    await take(database_url, STORY)
    await change(database_url, "update dataset_state set written_at = null")
    assert await look(database_url, quick=True) == (0, ["counts, references and names: all as it should be"])
    assert (await look(database_url))[0] > 0


async def test_one_at_a_time_and_what_a_killed_one_left_is_removed(database_url: str) -> None:
    await take(database_url, STORY[:1])
    other = await connect(database_url)
    assert await shadow.own_shadow(other)
    with pytest.raises(VerifyRunning):
        await look(database_url)
    await other.execute("create schema lineal_verify create table log (id int)")
    await other.close()
    findings, _ = await look(database_url)
    assert findings == 0
    assert await read(database_url) == []


async def test_without_a_store_it_says_what_to_do(empty_database_url: str) -> None:
    with pytest.raises(NothingToVerify, match=r"0001_create_store.*lineal migrate"):
        await look(empty_database_url)
    with pytest.raises(NothingToVerify, match=r"0001_create_store.*lineal migrate"):
        await mend(empty_database_url)


def test_the_command_ends_with_0_1_or_2(
    database_url: str, empty_database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--database-url", database_url]) == 0
    assert "0 records" in capsys.readouterr().out
    assert main(["verify", "--database-url", empty_database_url]) == 2
    assert "lineal migrate" in capsys.readouterr().err


async def test_the_command_finds(database_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    await take(database_url, STORY)
    await change(database_url, "delete from slot")
    assert await asyncio.to_thread(main, ["verify", "--database-url", database_url, "--limit", "2"]) == 1
    assert "slot {" in capfd.readouterr().out


HARMS = (
    "update run set end_rank = 0 where end_rank = 2",
    "delete from table_edge",
    "update total set n = n + 1",
    "delete from facet_set",
    "insert into facet_body (id, body, touched_day) values ('x', '{}', '2026-03-01')",
)


async def test_what_another_hand_changed_is_mended_from_the_log(database_url: str) -> None:
    await take(database_url, STORY)
    for sql in HARMS:
        await change(database_url, sql)
    assert (await look(database_url))[0] > len(HARMS)
    mended = await mend(database_url)
    assert (mended.records, mended.unfoldable) == (len(STORY), [])
    assert {"run", "table_edge", "total", "facet_set", "facet_body"} <= mended.rows.keys()
    assert mended.rows["facet_body"] == (1, 0)
    assert (await look(database_url))[0] == 0
    assert (await mend(database_url)).rows == {}


async def test_nothing_is_mended_while_others_are_there_or_if_a_record_is_broken(database_url: str) -> None:
    await take(database_url, STORY)
    other = await connect(database_url)
    try:
        with pytest.raises(ServersRunning):
            await mend(database_url)
    finally:
        await other.close()
    await change(database_url, "delete from table_edge")
    await change(database_url, "update log set body = '{}' where event_type = 'FAIL'")
    mended = await mend(database_url)
    assert (len(mended.unfoldable), mended.rows) == (1, {})
    assert any(line.startswith("table_edge") for line in (await look(database_url))[1])


async def test_the_command_mends_and_says_what(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    await take(database_url, STORY)
    await change(database_url, "delete from table_edge")
    assert await asyncio.to_thread(main, ["verify", "--mend", "--database-url", database_url]) == 0
    assert "table_edge: 0 rows gone, 1 come" in capsys.readouterr().out
