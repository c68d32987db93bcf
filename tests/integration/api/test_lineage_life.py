"""The life of column lineage, asked over HTTP: when an edge is there, when it ends, what is said meanwhile."""

from typing import Any

import pytest

ROUTE = "/api/v1/column-lineage"
STREAM = {"jobType": {"processingType": "STREAMING", "integration": "FLINK"}}


async def sources(client: Any, field: str, **query: Any) -> dict[str, list[str]]:
    """By column of the graph around data.out.`field`: the columns that it comes from."""
    answer = await client.get(ROUTE, nodeId=f"datasetField:data:out:{field}", **query)
    return {
        f"{node['data']['dataset']}.{node['data']['field']}": [
            f"{one['dataset']}.{one['field']}" for one in node["data"]["inputFields"]
        ]
        for node in answer["graph"]
    }


async def column(client: Any, field: str, of: str = "out") -> dict[str, Any]:
    answer = await client.get(ROUTE, nodeId=f"datasetField:data:{of}:{field}", depth=1)
    found: dict[str, Any] = next(
        node["data"] for node in answer["graph"] if (node["data"]["dataset"], node["data"]["field"]) == (of, field)
    )
    return found


def own(status: str, **columns: str) -> dict[str, Any]:
    """Lineal's own facet: what its producer could read."""
    return {
        "lineal_lineage": {
            "modelId": "model.shop.out",
            "status": status,
            "columns": [
                {"name": name, "status": state, "reason": "no_schema" if state == "unresolved" else None}
                for name, state in columns.items()
            ],
            "gaps": [],
            "relations": [],
            "sqlHash": status,
        }
    }


async def write(client: Any, run: int, *, lineage: Any = None, facets: Any = None, **more: Any) -> None:
    """A run of one job that writes data.out(a)."""
    made = client.dataset("out", "a", lineage=lineage, facets=facets)
    await client.run("load", run, at=run * 10, outputs=[made], **more)


async def test_an_edge_ends_with_the_run_that_no_longer_has_it_and_stays_in_history(client: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x", "raw.y"]})
    await write(client, 2, lineage={"a": ["raw.y"]})
    assert await sources(client, "a") == {"out.a": ["raw.y"], "raw.y": []}
    versions = (await client.get("/api/v1/namespaces/data/datasets/out/versions"))["versions"]
    past = await client.get(ROUTE, nodeId=f"datasetField:data:out:a#{versions[-1]['version']}")
    assert sorted(node["data"]["field"] for node in past["graph"]) == ["a", "x", "y"]


@pytest.mark.parametrize("end", ["FAIL", "ABORT"])
async def test_a_run_that_failed_leaves_the_last_good_one(client: Any, end: str) -> None:
    await write(client, 1, lineage={"a": ["raw.x"]})
    await write(client, 2, lineage={"a": ["raw.wrong"]}, event="START")
    await write(client, 2, lineage={"a": ["raw.wrong"]}, event=end)
    assert await sources(client, "a") == {"out.a": ["raw.x"], "raw.x": []}


@pytest.mark.parametrize("lineage", [None, {}], ids=["absent", "empty and not vouched for"])
async def test_a_run_that_says_nothing_of_columns_leaves_the_last_good_one(client: Any, lineage: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x"]})
    await write(client, 2, lineage=lineage)
    assert await sources(client, "a") == {"out.a": ["raw.x"], "raw.x": []}


async def test_an_empty_one_that_is_vouched_for_ends_the_edges(client: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x"]})
    await write(client, 2, lineage={}, facets=own("resolved", a="constant"))
    assert (await column(client, "a"))["status"] == "constant"
    assert await sources(client, "a") == {"out.a": []}


async def test_new_sql_that_cannot_be_read_shows_so_beside_the_last_known(client: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x"]}, facets=own("resolved", a="traced"))
    await write(client, 2, facets=own("unresolved", a="unresolved"))
    data = await column(client, "a")
    assert (data["status"], data["reason"]) == ("unresolved", "no_schema")
    assert [(one["field"], one["lastKnown"]) for one in data["inputFields"]] == [("x", True)]
    await write(client, 3, lineage={"a": ["raw.z"]}, facets=own("resolved", a="traced"))
    assert await sources(client, "a") == {"out.a": ["raw.z"], "raw.z": []}
    assert "lastKnown" not in (await column(client, "a"))["inputFields"][0]


async def test_inputs_need_no_schema_and_need_not_be_listed(client: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x", "never_listed.y"]}, inputs=[client.dataset("raw")])
    assert (await sources(client, "a"))["out.a"] == ["never_listed.y", "raw.x"]


async def test_fields_that_no_schema_has_are_kept_and_marked(client: Any) -> None:
    made = client.dataset("out", lineage={"a": ["raw.x"], "c": ["raw.gone"]})
    await client.run("load", 1, inputs=[client.dataset("raw", "x")], outputs=[made])
    assert (await column(client, "c"))["unconfirmed"] is True
    await client.run("load", 1, event="OTHER", at=-1, outputs=[client.dataset("out", "a b")])
    kept = await column(client, "c")
    assert (kept["unconfirmed"], kept["inputFields"][0]["unconfirmed"]) == (True, True)
    known = await column(client, "a")
    assert ("unconfirmed" in known, "unconfirmed" in known["inputFields"][0]) == (False, False)
    dataset = await client.get("/api/v1/namespaces/data/datasets/out")
    assert {row["name"]: row.get("unconfirmed", False) for row in dataset["columnLineage"]} == {"a": False, "c": True}


async def test_a_field_inside_a_struct_is_confirmed_by_its_path(client: Any) -> None:
    made = client.dataset("out", lineage={"payload.id": ["raw.x"], "payload.no": ["raw.x"]})
    fields = [{"name": "payload", "type": "STRUCT", "fields": [{"name": "id", "type": "INT"}]}]
    made["facets"] |= client.dataset("out", facets={"schema": {"fields": fields}})["facets"]
    await client.run("load", 1, outputs=[made])
    assert "unconfirmed" not in await column(client, "payload.id")
    assert (await column(client, "payload.no"))["unconfirmed"] is True


async def test_lineage_is_there_while_a_first_run_is_under_way(client: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x"]}, event="START")
    assert await sources(client, "a") == {"out.a": ["raw.x"], "raw.x": []}


async def test_lineage_stays_while_the_next_run_is_under_way(client: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x"]})
    await write(client, 2, lineage={"a": ["raw.y"]}, event="START")
    assert await sources(client, "a") == {"out.a": ["raw.x"], "raw.x": []}
    await write(client, 2, lineage={"a": ["raw.y"]})
    assert await sources(client, "a") == {"out.a": ["raw.y"], "raw.y": []}


async def test_a_stream_that_never_ends_changes_its_lineage_as_it_runs(client: Any) -> None:
    await write(client, 1, lineage={"a": ["topic.x"]}, event="RUNNING", job_facets=STREAM)
    assert await sources(client, "a") == {"out.a": ["topic.x"], "topic.x": []}
    made = client.dataset("out", "a", lineage={"a": ["topic.y"]})
    await client.run("load", 1, at=3600, event="RUNNING", outputs=[made])
    assert await sources(client, "a") == {"out.a": ["topic.y"], "topic.y": []}
    await client.run("load", 1, at=7200, event="RUNNING")
    assert await sources(client, "a") == {"out.a": ["topic.y"], "topic.y": []}
    (job,) = (await client.get("/api/v1/namespaces/jobs/jobs"))["jobs"]
    assert (job["type"], [one["name"] for one in job["outputs"]]) == ("STREAM", ["out"])


async def test_downstream_from_a_column_that_nothing_makes(client: Any) -> None:
    await write(client, 1, lineage={"a": ["raw.x"]})
    answer = await client.get(ROUTE, nodeId="datasetField:data:raw:x", withDownstream="true")
    assert [node["data"]["dataset"] for node in answer["graph"]] == ["out", "raw"]


async def test_declared_jobs_and_datasets_make_edges(client: Any) -> None:
    common = {"eventTime": "2026-03-02T12:00:00Z", "producer": "https://example.com/tests", "schemaURL": "x"}
    made = client.dataset("out", "a", lineage={"a": ["mid.m"]})
    await client.post(
        common
        | {"job": {"namespace": "jobs", "name": "declared"}, "inputs": [client.dataset("mid")], "outputs": [made]}
    )
    view = client.dataset("mid", "m", lineage={"m": ["raw.x"]})
    await client.post(common | {"dataset": view})
    assert await sources(client, "a") == {"out.a": ["mid.m"], "mid.m": ["raw.x"], "raw.x": []}
    graph = (await client.get("/api/v1/lineage?nodeId=dataset:data:out"))["graph"]
    assert [node["id"] for node in graph] == ["dataset:data:mid", "dataset:data:out", "job:jobs:declared"]


async def test_mapped_tasks_do_not_cross(client: Any) -> None:
    for number, table in enumerate(("orders", "customers")):
        made = client.dataset(f"copy_{table}", "id", lineage={"id": [f"{table}.id"]})
        await client.run("copy", number + 1, at=number, inputs=[client.dataset(table, "id")], outputs=[made])
    for table in ("orders", "customers"):
        answer = await client.get(ROUTE, nodeId=f"dataset:data:copy_{table}", withDownstream="true")
        assert sorted(node["data"]["dataset"] for node in answer["graph"]) == sorted([f"copy_{table}", table])
    (job,) = (await client.get("/api/v1/namespaces/jobs/jobs"))["jobs"]
    assert sorted(one["name"] for one in job["outputs"]) == ["copy_customers", "copy_orders"]


async def test_what_is_told_explicitly_goes_before_what_would_be_inferred(client: Any) -> None:
    def named(name: str, **more: Any) -> dict[str, Any]:
        return {"namespace": "data", "name": name, "type": "DATASET", **more}

    entry = named("out", inputs=[named("raw")], fields={"a": {"inputs": [named("raw", field="told")]}})
    await write(
        client, 1, lineage={"a": ["raw.inferred"]}, inputs=[client.dataset("raw"), client.dataset("other")],
        job_facets={"lineage": {"entries": [entry]}},
    )  # fmt: skip
    assert await sources(client, "a") == {"out.a": ["raw.told"], "raw.told": []}
    upstream = (await client.get("/api/v1/lineage?nodeId=dataset:data:out"))["graph"]
    assert [node["id"] for node in upstream] == [
        "dataset:data:other", "dataset:data:out", "dataset:data:raw", "job:jobs:load",
    ]  # fmt: skip


async def test_a_column_of_which_only_a_reading_knows_is_there_without_a_schema(client: Any) -> None:
    made = client.dataset("bare", lineage={"c": []}, facets=own("partial", c="constant", u="unresolved"))
    await client.run("load", 1, outputs=[made])
    answer = await client.get(ROUTE, nodeId="dataset:data:bare")
    assert {node["data"]["field"]: node["data"]["status"] for node in answer["graph"]} == {
        "c": "constant",
        "u": "unresolved",
    }
    alone = await client.get(ROUTE, nodeId="datasetField:data:bare:u")
    assert [node["data"]["reason"] for node in alone["graph"]] == ["no_schema"]


async def test_a_column_of_the_schema_that_a_reading_leaves_out_is_unresolved(client: Any) -> None:
    made = client.dataset("out", "a b", lineage={"a": ["raw.x"]}, facets=own("resolved", a="traced"))
    await client.run("load", 1, outputs=[made])
    data = await column(client, "b")
    assert (data["status"], data["reason"]) == ("unresolved", "not_reported")


async def test_what_a_drop_ended_does_not_come_back_with_the_next_write(client: Any) -> None:
    gone = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    await write(client, 1, lineage={"a": ["raw.x"]})
    await client.run("clean", 2, at=20, outputs=[client.dataset("out", facets=gone)])
    await write(client, 3)
    assert await sources(client, "a") == {"out.a": []}
    await write(client, 4, lineage={"a": ["raw.z"]})
    assert await sources(client, "a") == {"out.a": ["raw.z"], "raw.z": []}
