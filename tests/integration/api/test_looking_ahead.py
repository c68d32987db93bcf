"""Graphs are the same whether they are looked up at once or level by level."""

import random
from typing import Any

from .conftest import Client, dataset
from .test_aliases import HIVE, links

DEPTHS = (0, 1, 3, 4, 20)


async def _weave(client: Client, chance: random.Random) -> list[str]:
    """Tables in layers that read each other crosswise, with cycles; gives their names."""
    names = [f"t{number}" for number in range(14)]
    for number, name in enumerate(names):
        sources = chance.sample(names, chance.randrange(1, 4))
        lineage = {"a": [f"{source}.{chance.choice('ab')}" for source in sources], "b": [f"{sources[0]}.a"]}
        written = dataset(name, "a b", lineage=lineage)
        await client.run(
            f"j{number % 9}", number + 1, at=number, inputs=[dataset(s) for s in sources], outputs=[written]
        )
    return names


async def _ask(client: Client, names: list[str]) -> list[Any]:
    answers = []
    for name in names[::3]:
        for depth in DEPTHS:
            answers += [
                await client.get("/api/v1/lineage", nodeId=f"dataset:data:{name}", depth=depth),
                await client.get("/api/v1/lineage", nodeId="job:jobs:j3", depth=depth),
                await client.get("/api/v1/column-lineage", nodeId=f"datasetField:data:{name}:a", depth=depth),
                await client.get(
                    "/api/v1/column-lineage", nodeId=f"dataset:data:{name}", depth=depth, withDownstream="true"
                ),
                await client.get("/api/v2/lineage", namespace="data", name=name, depth=depth, columns="none"),
                await client.get("/api/v2/upstream", namespace="data", name=name, depth=depth),
            ]
    return answers


async def test_at_once_and_level_by_level(client: Client) -> None:
    names = await _weave(client, random.Random(7))
    at_once = await _ask(client, names)
    assert max(len(answer["graph"]) for answer in at_once if "graph" in answer) > 20
    # where anything has another name, what lies ahead is looked up level by level
    await client.run("elsewhere", 99, at=0, outputs=[dataset("/x", facets=links("db.x"))])
    assert (await client.get(f"/api/v1/namespaces/{HIVE.replace('/', '%2F')}/datasets/db.x"))["name"] == "/x"
    assert await _ask(client, names) == at_once


async def _ask_with_rows(client: Client) -> dict[str, Any]:
    return {
        f"{way} of {name}.{field}": await client.get(
            f"/api/v2/{way}", namespace="data", name=name, field=field, withRows="true"
        )
        for way, name, field in (("upstream", "t4", "v"), ("downstream", "t0", "k"), ("impact", "t0", "k"))
    }


def _edges(answer: dict[str, Any]) -> set[tuple[str, str]]:
    names = {one["id"]: one["name"] for one in answer["datasets"]}

    def write(end: dict[str, Any]) -> str:
        return f"{names[end['dataset']]}.{end['field'] or '*'}"

    return {(write(edge["source"]), write(edge["target"])) for edge in answer["columnEdges"]}


async def test_columns_behind_those_that_decide_rows(client: Client) -> None:
    # v is made of v, k of k, and k decides which rows the next table has
    for number in range(1, 5):
        before, now = f"t{number - 1}", f"t{number}"
        made = dataset(now, "v k", lineage={"v": [f"{before}.v"], "k": [f"{before}.k"]})
        filtered = [{"type": "INDIRECT", "subtype": "FILTER"}]
        made["facets"]["columnLineage"]["dataset"] = [
            {"namespace": "data", "name": before, "field": "k", "transformations": filtered}
        ]
        await client.run(f"j{number}", number, at=number, inputs=[dataset(before, "v k")], outputs=[made])
    at_once = await _ask_with_rows(client)
    values = {(f"t{n}.v", f"t{n + 1}.v") for n in range(4)}
    keys, rows = ({(f"t{n}.k", f"t{n + 1}.{field}") for n in range(4)} for field in "k*")
    assert _edges(at_once["upstream of t4.v"]) == values | rows | (keys - {("t3.k", "t4.k")})
    assert _edges(at_once["downstream of t0.k"]) == keys | rows | (values - {("t0.v", "t1.v")})
    reached = {f"{one['name']}.{one['field']}" for one in at_once["impact of t0.k"]["columns"]}
    assert reached == {f"t{n}.k" for n in range(1, 5)}  # of what is reached by its rows, the table as a whole
    assert {one["name"] for one in at_once["impact of t0.k"]["datasets"]} == {"t1", "t2", "t3", "t4"}
    await client.run("elsewhere", 99, at=0, outputs=[dataset("/x", facets=links("db.x"))])
    assert await _ask_with_rows(client) == at_once
