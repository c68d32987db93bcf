"""A build keeps how many of its columns are known: the writer counts as the migration does for older stores."""

from typing import Any

import asyncpg

from lineal_receiver.resources import find_data

from .conftest import Client, dataset
from .test_v2_changes import own

MIGRATION = "0023_count_columns.sql"


async def fetch_counts(pool: asyncpg.Pool) -> dict[str, Any]:
    return {row["name"]: row["counts"] for row in await pool.fetch(
        "select d.name, b.counts from build as b join dataset as d on d.id = b.dataset_id"
    )}  # fmt: skip


async def test_counts_of_new_and_of_older_stores(client: Client, pool: asyncpg.Pool) -> None:
    odd = [("a", "unresolved", 'Ωdd "1"\n\\'), ("b", "unresolved", None), ("c", "constant", None)]
    told = [*odd, ("d", "unresolved", "odd"), ("e", "unresolved", "odd")]
    await client.run("j", 1, outputs=[dataset("t", "a f", lineage={"f": ["s.f"]}, facets=own(*told))])
    await client.run("k", 2, outputs=[dataset("u", "x y z", lineage={"x": ["s.x"], "y": []})])
    deleted = {"columnLineage": {"_deleted": True}}
    await client.run("l", 3, outputs=[dataset("none", facets=deleted)])
    expected = {
        "t": [
            ["constant", None, 1],
            ["traced", None, 1],
            ["unresolved", None, 1],
            ["unresolved", "odd", 2],
            ["unresolved", 'Ωdd "1"\n\\', 1],
        ],
        "u": [["constant", None, 1], ["traced", None, 1], ["unresolved", "not_reported", 1]],
        "none": [],
    }
    assert await fetch_counts(pool) == expected
    (update,) = [
        statement
        for statement in (find_data("migrations") / MIGRATION).read_text().split(";")
        if statement.strip().startswith("update build")
    ]
    async with pool.acquire() as connection:
        await connection.execute("update build set counts = '[]'")
        await connection.execute(update)
    assert await fetch_counts(pool) == expected
