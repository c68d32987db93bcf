"""What isn't known, and how much is: by what datasets and jobs are called now, as in all other answers."""

from typing import Any

from .conftest import Client, dataset
from .test_renames import renamed
from .test_v2_changes import own


async def alias(client: Client, kind: str, old: str, new: str) -> None:
    response = await client.http.post("/api/v2/alias", json={"kind": kind, "old": old, "new": new})
    assert response.status_code == 201, response.text


async def listed(client: Client, limit: int = 100, **query: Any) -> list[str]:
    """Every column that isn't known, page by page."""
    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = await client.get("/api/v2/unresolved", limit=limit, cursor=cursor, **query)
        assert len(page["columns"]) <= limit
        found += [
            f"{one['namespace']}.{one['name']}.{one['field']} {one['reason']} {(one['job'] or {}).get('name')}"
            for one in page["columns"]
        ]
        cursor = page["next"]
    assert len(set(found)) == len(found)
    return sorted(found)


async def counted(client: Client, **query: Any) -> tuple[dict[str, int], int, bool]:
    """By reason, in all, and whether there may be more."""
    found = await client.get("/api/v2/unresolved", **query)
    return {one["reason"]: one["count"] for one in found["reasons"]}, found["silent"], found["capped"]


async def summed(client: Client, **query: Any) -> tuple[int, dict[str, int], dict[str, int]]:
    """Edges, columns and models of the summary."""
    found = await client.get("/api/v2/summary", **query)
    assert found["capped"] == []
    return found["edges"], found["columns"], found["models"]


def columns(traced: int, constant: int, unresolved: int) -> dict[str, int]:
    total = traced + constant + unresolved
    return {"traced": traced, "constant": constant, "unresolved": unresolved, "total": total}


def models(resolved: int, partial: int) -> dict[str, int]:
    return {"resolved": resolved, "partial": partial, "unresolved": 0, "failed": 0}


async def test_two_names_of_one_dataset_count_once(client: Client) -> None:
    await client.run("a", 1, outputs=[dataset("old", "x y", lineage={"x": ["s.x"]})])
    await client.run("b", 2, at=1, outputs=[dataset("new", "x y", lineage={"x": ["s.x"]})])
    assert await listed(client) == ["data.new.y not_reported b", "data.old.y not_reported a"]
    assert await counted(client) == ({"not_reported": 2}, 0, False)
    await alias(client, "dataset", "data:old", "data:new")
    for limit in (1, 100):
        assert await listed(client, limit) == ["data.new.y not_reported b"]
    for name in ("old", "new"):
        assert await listed(client, namespace="data", name=name) == ["data.new.y not_reported b"]
        assert await counted(client, namespace="data", name=name) == ({"not_reported": 1}, 0, False)
    assert await counted(client) == ({"not_reported": 1}, 0, False)
    assert await summed(client) == (1, columns(1, 0, 1), models(0, 2))


async def test_a_job_under_two_names_has_its_newest_slot_alone(client: Client) -> None:
    told = [("x", "unresolved", "parser_error")]
    await client.run("old", 1, outputs=[dataset("t", facets=own(*told))])
    await client.run("new", 2, at=1, outputs=[dataset("t", facets=own(("x", "unresolved", "dynamic_sql")))])
    assert await counted(client) == ({"parser_error": 1, "dynamic_sql": 1}, 0, False)
    await alias(client, "job", "jobs:old", "jobs:new")
    assert await listed(client) == ["data.t.x dynamic_sql new"]
    assert await counted(client) == ({"dynamic_sql": 1}, 0, False)


async def test_a_namespace_that_counts_as_another(client: Client) -> None:
    hidden = [dataset("t", "p q", lineage={"p": ["s.p"]}, namespace="pg://old")]
    await client.run("j", 1, outputs=hidden, namespace="dev")
    await client.run("k", 2, at=1, outputs=[dataset("mute", "z", namespace="pg://old")], namespace="dev")
    await alias(client, "namespace", "pg://old", "pg://new")
    await alias(client, "namespace", "dev", "prod")
    for space in ("pg://old", "pg://new"):
        assert await listed(client, namespace=space) == ["pg://new.t.q not_reported j"]
        assert await counted(client, namespace=space) == ({"not_reported": 1}, 1, False)
    assert await counted(client) == ({"not_reported": 1}, 1, False)
    for space in ("dev", "prod"):
        assert await summed(client, namespace=space) == (1, columns(1, 0, 1), models(0, 1))
        assert (await client.get("/api/v2/summary", namespace=space))["runs"]["total"] == 2


async def test_what_was_renamed_is_told_under_its_name_of_now(client: Client) -> None:
    await client.run("build", 1, at=1, outputs=[dataset("t", "x y", lineage={"x": ["s.x"]})])
    await client.run("move", 2, at=2, outputs=[renamed("u", "t")])
    assert await listed(client) == ["data.u.y not_reported build"]
    for name in ("t", "u"):
        assert await listed(client, namespace="data", name=name) == ["data.u.y not_reported build"]
    assert await counted(client) == ({"not_reported": 1}, 1, False)
    assert await summed(client) == (1, columns(1, 0, 1), models(0, 1))


async def test_what_was_swapped_in_and_what_is_built_aside_are_two(client: Client) -> None:
    for day, (source, beside) in enumerate((("a", "p"), ("b", "q")), start=1):
        made = [dataset("t_new", f"{source} {beside}", lineage={source: [f"{source}.x"]})]
        await client.run("build", day, at=10 * day, outputs=made)
        if day == 1:
            await client.run("swap", 12, at=12, outputs=[renamed("t", "t_new")])
    for limit in (1, 100):
        assert await listed(client, limit) == ["data.t.p not_reported build", "data.t_new.q not_reported build"]
    assert await listed(client, namespace="data", name="t") == ["data.t.p not_reported build"]
    assert await counted(client) == ({"not_reported": 2}, 1, False)
    assert await summed(client) == (2, columns(2, 0, 2), models(0, 2))


async def test_names_that_only_an_alias_mentions_change_nothing_but_sources(client: Client) -> None:
    names = {"identifiers": [{"namespace": "hive", "name": "db.t", "type": "TABLE"}]}
    made = dataset("t", "x y", lineage={"x": ["s.x"]}, facets={"symlinks": names})
    await client.run("a", 1, outputs=[made])
    for job, space, name in (("b", "hive", "db.t"), ("c", "data", "t")):
        fields = {"c": {"inputFields": [{"namespace": space, "name": name, "field": "x"}]}}
        read = dataset("v", facets={"columnLineage": {"fields": fields}})
        await client.run(job, ord(job), at=ord(job), outputs=[read])
    assert await listed(client) == ["data.t.y not_reported a"]
    assert await summed(client) == (2, columns(2, 0, 1), models(2, 1))


async def test_what_is_deleted_is_neither_listed_nor_counted(client: Client) -> None:
    for name in ("t", "u"):
        await client.run(f"make {name}", ord(name), outputs=[dataset(name, "x y", lineage={"x": ["s.x"]})])
    assert (await client.http.delete("/api/v1/namespaces/data/datasets/t")).status_code == 200
    assert await listed(client) == ["data.u.y not_reported make u"]
    assert await counted(client) == ({"not_reported": 1}, 0, False)
    assert await summed(client) == (1, columns(1, 0, 1), models(0, 1))
    assert (await client.http.delete("/api/v1/namespaces/jobs/jobs/make%20u")).status_code == 200
    assert await listed(client) == []
    assert await counted(client) == ({}, 0, False)
    assert await summed(client) == (0, columns(0, 0, 0), models(0, 0))


async def test_what_is_deleted_under_two_names_isn_t_counted(client: Client) -> None:
    for number, name in enumerate(("old", "new", "s")):
        await client.run(f"make {name}", number + 1, at=number, outputs=[dataset(name, "x y", lineage={"x": ["s.z"]})])
    await alias(client, "dataset", "data:old", "data:new")
    assert await summed(client) == (2, columns(2, 0, 2), models(0, 3))  # each job that writes it has one
    assert (await client.http.delete("/api/v1/namespaces/data/datasets/new")).status_code == 200
    assert await summed(client) == (1, columns(1, 0, 1), models(0, 1))


async def test_a_column_without_a_name_is_listed_like_any(client: Client) -> None:
    unnamed = dataset("t", lineage={"x": ["s.x"]}, facets={"schema": {"fields": [{"name": ""}, {"name": "x"}]}})
    await client.run("a", 1, outputs=[unnamed])
    await client.run("b", 2, at=1, outputs=[dataset("u", facets=own(("", "unresolved", "parser_error")))])
    expected = ["data.t. not_reported a", "data.u. parser_error b"]
    for limit in (1, 100):
        assert await listed(client, limit) == expected
    assert await counted(client) == ({"not_reported": 1, "parser_error": 1}, 0, False)
    assert (await summed(client))[1] == columns(1, 0, 2)
    assert await listed(client, namespace="data", name="t") == expected[:1]


async def test_readings_that_failed_count_once_and_not_beside_another_of_the_same_dataset(client: Client) -> None:
    failed = own()
    failed["lineal_lineage"]["status"] = "failed"
    for run, name in enumerate(("old", "new"), start=1):
        await client.run("a", run, at=run, outputs=[dataset(name, "x", facets=failed)])
    assert (await summed(client))[2] == models(0, 0) | {"failed": 2}
    await alias(client, "dataset", "data:old", "data:new")
    assert (await summed(client))[2] == models(0, 0) | {"failed": 1}
    await client.run("a", 3, at=3, outputs=[dataset("new", "x", lineage={"x": ["s.x"]})])
    assert (await summed(client))[2] == models(1, 0)
