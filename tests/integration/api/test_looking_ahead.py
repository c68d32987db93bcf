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
            ]
    return answers


async def test_at_once_and_level_by_level(client: Client) -> None:
    names = await _weave(client, random.Random(7))
    at_once = await _ask(client, names)
    assert max(len(answer["graph"]) for answer in at_once) > 20
    # where anything has another name, what lies ahead is looked up level by level
    await client.run("elsewhere", 99, at=0, outputs=[dataset("/x", facets=links("db.x"))])
    assert (await client.get(f"/api/v1/namespaces/{HIVE.replace('/', '%2F')}/datasets/db.x"))["name"] == "/x"
    assert await _ask(client, names) == at_once
