"""Datasets: the list, one, its facets, versions and column lineage."""

from typing import Any
from uuid import UUID


async def test_a_dataset_with_everything(client: Any) -> None:
    facets = {
        "documentation": {"description": "Orders."},
        "dataSource": {"name": "shop", "uri": "postgres://shop"},
    }
    written = client.dataset("orders", "id amount", lineage={"amount": ["raw.cents"]}, facets=facets)
    await client.run("load", 1, inputs=[client.dataset("raw", "cents")], outputs=[written])
    dataset = await client.get("/api/v1/namespaces/data/datasets/orders")
    facets = dataset.pop("facets")
    assert sorted(facets) == ["columnLineage", "dataSource", "documentation", "schema"]
    assert UUID(dataset.pop("currentVersion"))
    assert dataset == {
        "id": {"namespace": "data", "name": "orders"},
        "type": "DB_TABLE",
        "name": "orders",
        "physicalName": "orders",
        "createdAt": "2026-03-02T12:00:00Z",
        "updatedAt": "2026-03-02T12:00:00Z",
        "namespace": "data",
        "sourceName": "shop",
        "fields": [
            {"name": "id", "type": "INT", "tags": [], "description": None},
            {"name": "amount", "type": "INT", "tags": [], "description": None},
        ],
        "tags": [],
        "lastModifiedAt": "2026-03-02T12:00:00Z",
        "description": "Orders.",
        "lastLifecycleState": "",
        "columnLineage": [
            {
                "name": "amount",
                "inputFields": [
                    {
                        "namespace": "data",
                        "dataset": "raw",
                        "field": "cents",
                        "transformationDescription": None,
                        "transformationType": None,
                    }
                ],
                "transformationDescription": None,
                "transformationType": None,
            }
        ],
        "deleted": False,
    }
    raw = await client.get("/api/v1/namespaces/data/datasets/raw")
    assert (raw["columnLineage"], [field["name"] for field in raw["fields"]]) == (None, ["cents"])
    assert UUID(raw["currentVersion"])


async def test_every_row_of_a_page_has_its_facets(client: Any) -> None:
    outputs = [
        client.dataset(f"d{number:02}", "a", facets={"documentation": {"description": f"{number}"}})
        for number in range(15)
    ]
    await client.run("load", 1, outputs=outputs)
    page = await client.get("/api/v1/namespaces/data/datasets", limit=15)
    assert [row["description"] for row in page["datasets"]] == [str(number) for number in range(15)]
    assert [row["facets"]["documentation"]["description"] for row in page["datasets"]][14] == "14"
    part = await client.get("/api/v1/namespaces/data/datasets", limit=2, offset=13)
    assert ([row["name"] for row in part["datasets"]], part["totalCount"]) == (["d13", "d14"], 15)
    unknown = await client.get("/api/v1/namespaces/nothing/datasets", status=404)
    assert unknown == {"code": 404, "message": "Namespace 'nothing' not found."}


async def test_a_version_for_each_write_with_the_run_that_made_it(client: Any) -> None:
    await client.run(
        "load", 1, at=0, outputs=[client.dataset("d", "a", outputFacets={"outputStatistics": {"size": 1}})]
    )
    await client.run("load", 2, at=10, outputs=[client.dataset("d", "a b")])
    await client.run("load", 3, at=20, outputs=[client.dataset("d")])
    await client.run("load", 4, at=30, event="FAIL", outputs=[client.dataset("d", "broken")])
    await client.run("load", 5, at=40, event="START", outputs=[client.dataset("d", "new")])
    versions = await client.get("/api/v1/namespaces/data/datasets/d/versions")
    assert versions["totalCount"] == 3
    assert [version["createdByRun"]["id"] for version in versions["versions"]] == [str(UUID(int=n)) for n in (3, 2, 1)]
    assert [len(version["fields"]) for version in versions["versions"]] == [2, 2, 1]
    assert versions["versions"][2]["facets"]["outputStatistics"]["size"] == 1
    dataset = await client.get("/api/v1/namespaces/data/datasets/d")
    assert dataset["currentVersion"] == versions["versions"][0]["version"]
    assert [field["name"] for field in dataset["fields"]] == ["a", "b"]
    for version in versions["versions"]:
        one = await client.get(f"/api/v1/namespaces/data/datasets/d/versions/{version['version']}")
        assert one == version
        run = version["createdByRun"]
        assert [out["datasetVersionId"]["version"] for out in run["outputDatasetVersions"]] == [version["version"]]
    page = await client.get("/api/v1/namespaces/data/datasets/d/versions", limit=1, offset=1)
    assert page == {"versions": [versions["versions"][1]], "totalCount": 3}


async def test_what_was_only_read_has_one_version(client: Any) -> None:
    quality = {"dataQualityAssertions": {"assertions": [{"assertion": "unique", "success": True}]}}
    read = client.dataset("d", "a", inputFacets=quality)
    await client.run("copy", 1, inputs=[read], outputs=[client.dataset("e")])
    dataset = await client.get("/api/v1/namespaces/data/datasets/d")
    versions = await client.get("/api/v1/namespaces/data/datasets/d/versions")
    assert [version["version"] for version in versions["versions"]] == [dataset["currentVersion"]]
    assert (versions["totalCount"], versions["versions"][0]["createdByRun"]) == (1, None)
    assert dataset["facets"]["dataQualityAssertions"]["assertions"][0]["success"] is True
    one = await client.get(f"/api/v1/namespaces/data/datasets/d/versions/{dataset['currentVersion']}")
    assert [field["name"] for field in one["fields"]] == ["a"]
    run = await client.get(f"/api/v1/jobs/runs/{UUID(int=1)}")
    assert run["inputDatasetVersions"][0]["facets"]["dataQualityAssertions"]["assertions"][0]["success"] is True


async def test_a_run_read_the_version_that_was_there_when_it_started(client: Any) -> None:
    await client.run("write", 1, at=0, outputs=[client.dataset("d", "a")])
    await client.run("read", 3, at=15, event="START", inputs=[client.dataset("d")])
    await client.run("write", 2, at=20, outputs=[client.dataset("d", "a b")])
    await client.run("read", 3, at=30, inputs=[client.dataset("d")], outputs=[client.dataset("e")])
    versions = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    run = await client.get(f"/api/v1/jobs/runs/{UUID(int=3)}")
    assert run["inputDatasetVersions"][0]["datasetVersionId"]["version"] == versions[1]["version"]
    upstream = await client.get("/api/v1/runlineage/upstream", runId=str(UUID(int=3)))
    assert [row["job"]["name"] for row in upstream["runs"]] == ["read", "write"]
    assert upstream["runs"][0]["inputs"] == [
        {
            "namespace": "data",
            "name": "d",
            "version": versions[1]["version"],
            "producedByRunId": str(UUID(int=1)),
        }
    ]


async def test_a_readers_words_show_only_where_no_writer_spoke(client: Any) -> None:
    said = client.dataset("d", "a", facets={"documentation": {"description": "by its writer"}})
    await client.run("write", 1, at=0, outputs=[said])
    other = client.dataset("d", "a z", facets={"documentation": {"description": "by a reader"}, "mine": {"k": 1}})
    await client.run("read", 2, at=10, inputs=[other], outputs=[client.dataset("e")])
    dataset = await client.get("/api/v1/namespaces/data/datasets/d")
    assert (dataset["description"], dataset["facets"]["mine"]["k"]) == ("by its writer", 1)
    assert [field["name"] for field in dataset["fields"]] == ["a"]
    assert [field["name"] for field in dataset["facets"]["schema"]["fields"]] == ["a"]


async def test_a_dropped_dataset_is_deleted_until_it_is_written_again(client: Any) -> None:
    drop = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    await client.run("j", 1, at=0, outputs=[client.dataset("d", "a")])
    await client.run("j", 2, at=10, outputs=[client.dataset("d", facets=drop)])
    dropped = await client.get("/api/v1/namespaces/data/datasets/d")
    assert (dropped["deleted"], dropped["lastLifecycleState"]) == (True, "DROP")
    versions = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    assert [version["lifecycleState"] for version in versions] == ["DROP", ""]
    assert dropped["currentVersion"] == versions[0]["version"]
    await client.run("j", 3, at=20, outputs=[client.dataset("d", "a")])
    assert (await client.get("/api/v1/namespaces/data/datasets/d"))["deleted"] is False


async def test_the_current_version_is_the_first_of_the_list_whatever_happened(client: Any) -> None:
    drop = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    await client.run("j", 1, at=0, outputs=[client.dataset("d", "a")])
    await client.run("j", 2, at=10, outputs=[client.dataset("d", facets=drop)])
    await client.run("j", 3, at=20, outputs=[client.dataset("d")])
    await client.run("j", 4, at=10**9, outputs=[client.dataset("d", "b")])  # from the future
    shown = await client.get("/api/v1/namespaces/data/datasets/d")
    versions = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    names = [[field["name"] for field in version["fields"]] for version in versions]
    assert names == [[], ["a"], ["a"], ["b"]]  # a schema from before a DROP isn't the next write's
    assert (shown["currentVersion"], shown["fields"]) == (versions[0]["version"], [])
    read = await client.run("r", 5, at=30, inputs=[client.dataset("d")])
    run = await client.get(f"/api/v1/jobs/runs/{read}")
    assert run["inputDatasetVersions"][0]["datasetVersionId"]["version"] == versions[0]["version"]


async def test_sources_are_those_that_datasets_name(client: Any) -> None:
    for number, url in enumerate(("postgres://a", "s3://b", "postgres://c")):
        facets = {"dataSource": {"name": f"s{number % 2}", "uri": url}}
        await client.run("j", number + 1, at=number, outputs=[client.dataset(f"d{number}", facets=facets)])
    sources = (await client.get("/api/v1/sources"))["sources"]
    assert [(row["name"], row["connectionUrl"], row["type"]) for row in sources] == [
        ("s0", "postgres://c", "POSTGRESQL"),
        ("s1", "s3://b", "S3"),
    ]
    assert await client.get("/api/v1/sources/s1") == sources[1]
    assert (await client.get("/api/v1/sources/default"))["connectionUrl"] == ""
    missing = await client.get("/api/v1/sources/none", status=404)
    assert missing == {"code": 404, "message": "Source 'none' not found."}


async def test_a_facet_that_is_deleted_later_is_gone_whoever_wrote_last(client: Any) -> None:
    said = {"documentation": {"description": "as it was"}}
    await client.run(
        "load", 1, at=0, inputs=[client.dataset("read", facets=said)], outputs=[client.dataset("d", facets=said)]
    )
    gone = {"documentation": {"_deleted": True}}
    await client.run(
        "mend",
        2,
        at=10,
        event="START",
        inputs=[client.dataset("read", facets=gone)],
        outputs=[client.dataset("d", facets=gone)],
    )
    for name in ("d", "read"):
        dataset = await client.get(f"/api/v1/namespaces/data/datasets/{name}")
        assert (dataset["description"], "documentation" in dataset["facets"]) == (None, False)
    (version,) = (await client.get("/api/v1/namespaces/data/datasets/d/versions"))["versions"]
    assert version["createdByRun"]["id"] == str(UUID(int=1))


async def test_the_first_version_is_the_current_one_where_a_drop_has_the_same_time(client: Any) -> None:
    drop = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    for jobs in (("a", "b"), ("b", "a")):
        name = "_".join(jobs)
        for run, (job, facets) in enumerate(zip(jobs, ({}, drop), strict=True)):
            await client.run(job, 10 * ord(name[0]) + run, at=5, outputs=[client.dataset(name, facets=facets)])
        dataset = await client.get(f"/api/v1/namespaces/data/datasets/{name}")
        versions = (await client.get(f"/api/v1/namespaces/data/datasets/{name}/versions"))["versions"]
        assert [version["lifecycleState"] for version in versions] == ["", "DROP"]
        assert (dataset["deleted"], dataset["currentVersion"]) == (False, versions[0]["version"])
