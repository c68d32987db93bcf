"""What is exported as OpenLineage events makes the same graph in an empty receiver: of generated graphs, by value."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from lineal_receiver.app import create_app
from lineal_receiver.settings import Settings

from .conftest import Client, copied, dataset, open_client, path, stamp
from .round_trips import AROUND, describe, differ
from .test_aliases import links
from .test_renames import renamed

TABLES, JOBS, COLUMNS = 13, 12, ("id", "Id", "a b", 'q"uote', "ünï.çode", "x/y:z", "🕷", "=1+1", "line\nfeed", " ")
PLACES = ("data", "s3://bucket/ä", "postgres://db.example:5432")
KINDS: list[dict[str, Any]] = [
    {"type": "DIRECT", "subtype": "IDENTITY"},
    {"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": True},
    {"type": "DIRECT", "subtype": "AGGREGATION", "masking": False},
    {"type": "INDIRECT", "subtype": "CONDITIONAL"},
    {"type": "INDIRECT", "subtype": "WINDOW"},
]
ROWS: list[dict[str, Any]] = [
    {"type": "INDIRECT", "subtype": subtype} for subtype in ("FILTER", "JOIN", "GROUP_BY", "SORT")
]
READ: dict[str, Any] = {"gaps": [], "relations": [], "sqlHash": "q", "dialect": "duckdb", "rulesVersion": "1"}
REASONS = (("parser_error", "line 3: this isn't SQL"), ("star_without_schema", None), ("opaque_function", "f(x)"))


class Story:
    """Tables, and jobs that make one of others: columns traced, constant or unresolved, with or without Lineal's facet.

    Each job writes a table of its own, but for one that two jobs write.
    """

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.tables = [(PLACES[number % len(PLACES)], f"t{number} \\ é\"'|<&>") for number in range(TABLES)]
        self.columns = {table: self.chance.sample(COLUMNS, 4) for table in self.tables}

    def pick(self, kinds: list[dict[str, Any]], sources: list[tuple[str, str]], said: str) -> dict[str, Any]:
        """An input field with one or two kinds."""
        source = self.chance.choice(sources)
        picked = [dict(kind) for kind in self.chance.sample(kinds, self.chance.choice((1, 1, 2)))]
        for kind in picked:
            if kind["type"] == "DIRECT":
                kind["description"] = said
        field = self.chance.choice(self.columns[source])
        return {"namespace": source[0], "name": source[1], "field": field, "transformations": picked}

    def schema(self, table: tuple[str, str]) -> dict[str, Any]:
        types = (("type", "INT"), ("type", "STRUCT<a: INT>"), ("description", "What it is."))
        fields = [{"name": column, **dict([self.chance.choice(types)])} for column in self.columns[table]]
        return {"namespace": table[0], "name": table[1], "facets": stamp({"schema": {"fields": fields}})}

    def write(self, table: tuple[str, str], sources: list[tuple[str, str]]) -> dict[str, Any]:
        """The table as a job tells of it."""
        told = self.schema(table)
        made: dict[str, Any] = {}
        own = []
        for column in self.columns[table]:
            status = self.chance.choice(("traced", "traced", "traced", "constant", "unresolved", "partly"))
            said = f"{self.chance.choice(('lower', 'sum'))}({column})"
            traced = status in ("traced", "partly")
            inputs = [self.pick(KINDS, sources, said) for _ in range(self.chance.choice((1, 2)))] if traced else []
            if status != "unresolved":
                made[column] = {"inputFields": inputs}
            one: dict[str, Any] = {"name": column, "status": status if status != "partly" else "unresolved"}
            if one["status"] == "unresolved":
                one["reason"], one["message"] = self.chance.choice(REASONS)
            own.append({**one, "expression": said})
        rows = [self.pick(ROWS, sources, "") for _ in range(self.chance.choice((0, 2)))]
        lineage: dict[str, Any] = {"fields": made, **({"dataset": rows} if rows else {})}
        mode = self.chance.choice(("own", "own", "plain", "nothing"))
        if mode != "nothing":
            told["facets"] |= stamp({"columnLineage": lineage})
        if mode == "own":
            lost = sum(one["status"] == "unresolved" for one in own)
            status = "resolved" if not lost else "unresolved" if lost == len(own) else "partial"
            told["facets"] |= stamp(
                {"lineal_lineage": {"modelId": f"model.shop.{table[1]}", "status": status, "columns": own, **READ}}
            )
        return told

    async def tell(self, client: Client) -> None:
        """All runs, one after the other; then a table is renamed, one has a second name, one counts as another."""
        for number in range(JOBS):
            target = self.tables[number + 2 if number < JOBS - 1 else 2]
            sources = self.chance.sample([one for one in self.tables[: number + 2] if one != target], 2)
            inputs = [self.schema(source) for source in sources]
            await client.run(f"job {number} ⇒ \"{target[1]}\"", number + 1, at=number, inputs=inputs,
                outputs=[self.write(target, sources)])  # fmt: skip
        await client.run("reader", 90, at=90, inputs=[self.schema(self.tables[2]), self.schema(self.tables[3])])
        await client.run("swap", 91, at=91, outputs=[renamed("rénamed", self.tables[6][1])])
        linked = {**self.schema(self.tables[4]), "facets": stamp(links("warehouse.t4"))}
        read = {"namespace": "hive://metastore:9083", "name": "warehouse.t4"}
        copy = dataset("copy", "a", facets={"columnLineage": {"fields": {"a": {"inputFields": [
            {**read, "field": self.columns[self.tables[4]][0]}]}}}})  # fmt: skip
        await client.run("link", 92, at=92, inputs=[linked])
        await client.run("copy", 93, at=93, inputs=[read], outputs=[copy])
        alias = {"kind": "dataset", "old": {"namespace": "data", "name": "copy"}}
        kept = {"namespace": "data", "name": "copied"}
        assert (await client.http.post("/api/v2/alias", json={**alias, "new": kept})).status_code == 201
        await client.run("late", 94, at=94, inputs=[dataset("copied", "a")], outputs=[dataset("end", "a",
            lineage={"a": ["copied.a"]})])  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
async def test_a_generated_graph(seed: int, client: Client, server_url: str, template: str, tmp_path: Path) -> None:
    await Story(seed).tell(client)
    tables: list[dict[str, str]] = []
    for space in (await client.get("/api/v1/namespaces"))["namespaces"]:
        listed = await client.get(path("namespaces", space["name"], "datasets"), limit=100)
        tables += [{"namespace": space["name"], "name": one["name"]} for one in listed["datasets"]]
    assert {table["name"][:3].strip() for table in tables} >= {"t0", "t12", "end", "cop", "rén"}
    tables = [table for table in tables if not table["name"].startswith("t6 ")]  # is called otherwise by now
    events: dict[str, Any] = {}
    for table in tables:
        told = await client.http.get("/api/v2/export", params={**table, "format": "openlineage"})
        events |= {json.loads(line)["job"]["name"]: json.loads(line) for line in told.text.splitlines()}
    async with (
        copied(server_url, template) as url,
        open_client(create_app(Settings(database_url=url, data_dir=tmp_path))) as other,
    ):
        for event in events.values():
            await other.post(event)
        flags = [event["flags"] for event in (await other.get("/api/v2/events", kind="job", limit=100))["events"]]
        assert flags == [[]] * len(events)  # each of them is valid, and every facet in it
        for table in tables:
            before, after = [describe(await of.get("/api/v2/lineage", **table, **AROUND)) for of in (client, other)]
            assert "\n".join(differ(before, after)) == "", table
