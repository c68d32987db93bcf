"""A real `dbt build` with dbt-postgres on a real PostgreSQL: every event by value, columns known on the first run."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from lineal_receiver.postgres.pool import connect

from ..conftest import with_database
from .plugin_project import LONG, Project, eventually, kinds, settled
from .ways import Event, by_key, edges, identity

DATABASE = "lineal_dbt_shop"
FILES = {
    "dbt_project.yml": "name: shop\nversion: 1.0.0\nprofile: shop\n",
    "seeds/rates.csv": "currency,rate\nEUR,1.0\nUSD,0.9\n",
    "models/sources.yml": "sources:\n  - name: raw\n    tables: [{name: lines, identifier: Order Lines}]\n",
    "models/staged.sql": "select * from {{ source('raw', 'lines') }} where amount > 0",
    "models/totals.sql": (
        "{{ config(materialized='table') }} select l.customer, sum(l.amount * r.rate) as total"
        " from {{ ref('staged') }} l join {{ ref('rates') }} r using (currency) group by 1"
    ),
    "models/newest.sql": (
        "{{ config(materialized='incremental', unique_key='id') }} select id, at from {{ ref('staged') }}"
        "{% if is_incremental() %} where at > (select max(at) from {{ this }}){% endif %}"
    ),
    "models/refreshed.sql": (
        "{{ config(materialized='materialized_view') }} select customer, total from {{ ref('totals') }}"
    ),
    "models/failing.sql": "{{ config(materialized='table') }} select customer::int as c from {{ ref('staged') }}",
    "models/schema.yml": "models:\n  - name: totals\n    columns: [{name: customer, data_tests: [not_null]}]\n",
    "snapshots/kept.yml": (
        "snapshots:\n  - name: kept\n    relation: ref('staged')\n"
        "    config: {strategy: timestamp, unique_key: id, updated_at: at}\n"
    ),
}
LINES = (
    'create schema raw; create table raw."Order Lines"'
    " (id bigint, customer text, currency varchar(3), amount numeric(10,2), at timestamptz);"
    """ insert into raw."Order Lines" values (1, 'ann', 'EUR', 10, now()), (2, 'bob', 'USD', 0, now())"""
)
STAGED = {
    "id": "bigint",
    "customer": "text",
    "currency": "character varying(3)",
    "amount": "numeric(10,2)",
    "at": "timestamp with time zone",
}


@dataclass(frozen=True, slots=True)
class Shop:
    """A project on a database of its own, and the namespace of its datasets."""

    project: Project
    namespace: str

    def events(self) -> dict[tuple[str, str], Event]:
        """The events by job and state."""
        return {(event["job"]["name"], event["eventType"]): event for event in settled(self.project.events())}


@pytest.fixture(scope="module")
async def shop(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shop]:
    """The shop after its first build."""
    admin = await connect(server_url)
    await admin.execute(f"drop database if exists {DATABASE} with (force)")
    await admin.execute(f"create database {DATABASE}")
    try:
        within = await connect(with_database(server_url, DATABASE))
        await within.execute(LINES)
        await within.close()
        yield _built(server_url, tmp_path_factory.mktemp("postgres"))
    finally:
        await admin.execute(f"drop database {DATABASE} with (force)")
        await admin.close()


def _built(url: str, folder: Path) -> Shop:
    place = urlsplit(url)
    output = {
        "type": "postgres",
        "host": place.hostname,
        "port": place.port,
        "user": unquote(place.username or ""),
        "password": unquote(place.password or "") or "none",
        "dbname": DATABASE,
        "schema": "shop",
        "threads": 2,
    }
    project = Project(folder / "project")
    lines = "".join(f"      {name}: {value!r}\n" for name, value in output.items())
    project.write({**FILES, "profiles.yml": f"shop:\n  target: dev\n  outputs:\n    dev:\n{lines}"})
    ran = project.dbt("build", **project.to_file())
    assert (ran.code, project.waiting()) == (1, []), ran.out
    return Shop(project, f"postgres://{place.hostname}:{place.port}")


SLEEPING = (
    "select count(*) from pg_stat_activity where datname = current_database() and state = 'active'"
    " and query like '%pg_sleep(%' and pid <> pg_backend_pid()"
)


def _name(table: str) -> str:
    return f"{DATABASE}.shop.{table}"


SOURCE = f"{DATABASE}.raw.Order Lines"
IDENTITY, AGGREGATION, FILTER = ("DIRECT", "IDENTITY"), ("DIRECT", "AGGREGATION"), ("INDIRECT", "FILTER")
JOIN, GROUP_BY, CHANGED = ("INDIRECT", "JOIN"), ("INDIRECT", "GROUP_BY"), ("DIRECT", "TRANSFORMATION")
# Of each relation: its columns with their types, then (target column, source, source column, kind) of each edge.
TRUTH: dict[str, tuple[dict[str, str | None], set[tuple[str, str, str, tuple[str, str]]]]] = {
    "rates": ({"currency": "text", "rate": "double precision"}, set()),
    "staged": (
        STAGED,
        {(name, SOURCE, name, IDENTITY) for name in STAGED} | {("", SOURCE, "amount", FILTER)},
    ),
    "totals": (
        {"customer": "text", "total": "double precision"},
        {
            ("customer", _name("staged"), "customer", IDENTITY),
            ("total", _name("staged"), "amount", AGGREGATION),
            ("total", _name("rates"), "rate", AGGREGATION),
            ("", _name("staged"), "currency", JOIN),
            ("", _name("rates"), "currency", JOIN),
            ("", _name("staged"), "customer", GROUP_BY),
        },
    ),
    "newest": (
        {"id": "bigint", "at": "timestamp with time zone"},
        {(name, _name("staged"), name, IDENTITY) for name in ("id", "at")},
    ),
    "refreshed": (
        {"customer": None, "total": None},  # information_schema, which dbt asks, has no materialized views
        {(name, _name("totals"), name, IDENTITY) for name in ("customer", "total")},
    ),
    "kept": (
        {
            **STAGED,
            "dbt_scd_id": "text",
            "dbt_updated_at": "timestamp with time zone",
            "dbt_valid_from": "timestamp with time zone",
            "dbt_valid_to": "timestamp with time zone",
        },
        {(name, _name("staged"), name, IDENTITY) for name in STAGED}
        | {("dbt_scd_id", _name("staged"), name, CHANGED) for name in ("id", "at")}
        | {(f"dbt_{name}", _name("staged"), "at", CHANGED) for name in ("updated_at", "valid_from", "valid_to")},
    ),
}
JOBS = {"rates": "rates.seed", "kept": "kept.snapshot"}


@pytest.mark.parametrize("table", TRUTH)
@pytest.mark.parametrize("state", ["START", "COMPLETE"])
def test_every_relation_by_value(shop: Shop, table: str, state: str) -> None:
    columns, lineage = TRUTH[table]
    event = shop.events()[(f"{DATABASE}.shop.shop.{JOBS.get(table, table)}", state)]
    (output,) = event["outputs"]
    assert (output["namespace"], output["name"]) == (shop.namespace, _name(table))
    assert {each["namespace"] for each in event["inputs"]} <= {shop.namespace}
    assert {each["name"] for each in event["inputs"]} == {source for _, source, _, _ in lineage}
    told = {(target, source, field, (kind, subtype)) for _, target, _, source, field, kind, subtype, _ in edges(event)}
    assert told == lineage
    assert output["facets"]["lineal_lineage"]["status"] == "resolved"
    if state == "COMPLETE":
        assert {each["name"]: each.get("type") for each in output["facets"]["schema"]["fields"]} == columns
    assert output["facets"]["dataSource"]["uri"] == shop.namespace


def test_rows_are_counted(shop: Shop) -> None:
    told = {
        job.rpartition("shop.")[2]: event["outputs"][0].get("outputFacets", {})
        for (job, state), event in shop.events().items()
        if state == "COMPLETE" and event["outputs"]
    }
    counted = {job: facets.get("outputStatistics", {}).get("rowCount") for job, facets in told.items()}
    assert counted == {"rates.seed": 2, "staged": None, "totals": 1, "newest": 1, "refreshed": 1, "kept.snapshot": 1}


def test_a_failure_says_what_the_server_said(shop: Shop) -> None:
    event = shop.events()[(f"{DATABASE}.shop.shop.failing", "FAIL")]
    assert 'invalid input syntax for type integer: "ann"' in event["run"]["facets"]["errorMessage"]["message"]
    assert [each["name"] for each in event["inputs"]] == [_name("staged")]
    assert (f"{DATABASE}.shop.shop.failing", "COMPLETE") not in shop.events()


def test_a_test_is_an_assertion_on_what_it_tests(shop: Shop) -> None:
    (tested,) = [each for (job, state), each in shop.events().items() if "not_null" in job and state == "COMPLETE"]
    (given,) = tested["inputs"]
    assert given["name"] == _name("totals")
    (assertion,) = given["inputFacets"]["dataQualityAssertions"]["assertions"]
    assert (assertion["assertion"], assertion["column"], assertion["success"]) == ("not_null", "customer", True)


def test_the_invocation_failed_and_holds_all(shop: Shop) -> None:
    events = shop.events()
    invocation = events[("dbt-run-shop", "FAIL")]["run"]["runId"]
    parents = {
        event["run"]["facets"]["parent"]["run"]["runId"] for (job, _), event in events.items() if job != "dbt-run-shop"
    }
    assert parents == {invocation}
    assert len(events) == 18


def test_nothing_of_the_connection_but_its_place_is_told(shop: Shop) -> None:
    text = shop.project.log.read_text()
    assert "password" not in text
    assert "@" not in shop.namespace


async def test_nodes_that_were_running_when_dbt_was_stopped_are_aborted(
    server_url: str, shop: Shop, tmp_path: Path
) -> None:
    names = [f"long_{number}" for number in range(4)]
    project = Project(tmp_path / "project")
    profiles = (shop.project.root / "profiles.yml").read_text().replace("threads: 2", "threads: 4")
    assert "threads: 4" in profiles
    project.write({"dbt_project.yml": FILES["dbt_project.yml"], "profiles.yml": profiles})
    project.write({f"models/{name}.sql": "select pg_sleep(3600)::text as x" for name in names})
    project.write({"dbt_project.yml": FILES["dbt_project.yml"] + "models: {shop: {+materialized: table}}\n"})
    watching = await connect(with_database(server_url, DATABASE))
    process = project.start("--log-format-file", "json", "build", **project.to_file())
    try:
        while await watching.fetchval(SLEEPING) < len(names):
            assert process.poll() is None
            await asyncio.sleep(0.02)
    finally:
        process.send_signal(signal.SIGINT)
        await asyncio.to_thread(process.communicate, timeout=LONG)
        await watching.close()
    assert process.returncode != 0
    eventually(lambda: len(kinds(project.events(), "dbt-run-shop")) == 2)
    log = tmp_path / "told.ndjson"
    to = {**project.to_file(), "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(log)}
    assert project.lineal("consume", "logs/dbt.log", **to).code == 0
    for events in (project.events(), [json.loads(line) for line in log.read_bytes().splitlines()]):
        told = {name: kinds(events, f"shop.{name}") for name in names}
        assert told == {name: ["START", "ABORT"] for name in names}
        assert kinds(events, "dbt-run-shop") == ["START", "FAIL"]


def test_emit_tells_the_same_with_the_columns_of_the_catalog(shop: Shop) -> None:
    project = shop.project
    build = project.root / "target"
    build.rename(project.root / "kept_target")
    assert project.dbt("docs", "generate", "--target-path", "docs_target").code == 0
    (project.root / "docs_target" / "catalog.json").rename(project.root / "kept_target" / "catalog.json")
    log = project.root.parent / "emit.ndjson"
    told = {**project.to_file(), "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(log)}
    ran = project.lineal("emit", "--target-dir", "kept_target", **told)
    assert (ran.code, ran.err) == (0, "")
    plugin = by_key(project.events())
    emitted = by_key([json.loads(line) for line in log.read_bytes().splitlines()])
    assert emitted.keys() == plugin.keys()
    for key, event in plugin.items():
        assert identity(emitted[key]) == identity(event), key
