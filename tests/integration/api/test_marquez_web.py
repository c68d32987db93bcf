"""Every call of Marquez's web page, and every value that it takes for granted: a missing one is a white page."""

from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote
from uuid import UUID

STRING, NUMBER, LIST, OBJECT, FLAG = "string", "number", "list", "object", "flag"
KINDS = {
    STRING: lambda value: isinstance(value, str),
    NUMBER: lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    LIST: lambda value: isinstance(value, list),
    OBJECT: lambda value: isinstance(value, dict),
    FLAG: lambda value: isinstance(value, bool),
}

# What is dereferenced, by answer: `a[].b` is b of each element of a; `?` allows null.
RUN = {"id": STRING, "state": STRING, "durationMs": "number?", "startedAt": "string?", "endedAt": "string?"}
JOB = {
    "id.namespace": STRING,
    "id.name": STRING,
    "name": STRING,
    "namespace": STRING,
    "type": STRING,
    "tags": LIST,
    "tags[]": STRING,
    "createdAt": STRING,
    "updatedAt": STRING,
    "location": "string?",
    "description": "string?",
    "latestRun": "object?",
    "latestRuns": "list?",
}
FIELD = {"name": STRING, "type": "string?", "tags": LIST, "tags[]": STRING, "description": "string?"}
DATASET = {
    "id.namespace": STRING,
    "id.name": STRING,
    "name": STRING,
    "namespace": STRING,
    "sourceName": STRING,
    "type": STRING,
    "updatedAt": STRING,
    "createdAt": STRING,
    "fields": LIST,
    "tags": LIST,
    "tags[]": STRING,
    "facets": "object?",
    "deleted": FLAG,
    "description": "string?",
    "columnLineage": "list?",
    **{f"fields[].{key}": kind for key, kind in FIELD.items()},
}
VERSION = {
    "version": STRING,
    "createdAt": STRING,
    "lifecycleState": STRING,
    "fields": LIST,
    "facets": "object?",
    "createdByRun": "object?",
    **{f"fields[].{key}": kind for key, kind in FIELD.items()},
}
NODE = {
    "id": STRING,
    "type": STRING,
    "data": OBJECT,
    "data.name": STRING,
    "data.namespace": STRING,
    "inEdges": LIST,
    "outEdges": LIST,
    "inEdges[].origin": STRING,
    "inEdges[].destination": STRING,
    "outEdges[].origin": STRING,
    "outEdges[].destination": STRING,
}
COLUMN = {
    **{key: kind for key, kind in NODE.items() if key not in ("data.name", "data.namespace")},
    "data.namespace": STRING,
    "data.dataset": STRING,
    "data.field": STRING,
    "data.inputFields": LIST,
    "data.inputFields[].field": STRING,
}
EVENT = {
    "eventTime": STRING,
    "eventType": "string?",
    "run.runId": STRING,
    "job.name": STRING,
    "job.namespace": STRING,
    "inputs": "list?",
    "outputs": "list?",
}
NAMESPACE = {"name": STRING, "isHidden": FLAG}
FOUND = {"name": STRING, "namespace": STRING, "nodeId": STRING, "type": STRING, "updatedAt": STRING}
COUNTED = {"startInterval": STRING, "endInterval": STRING, "count": NUMBER}
EVENTS_COUNTED = {**dict.fromkeys(("fail", "start", "complete", "abort"), NUMBER), "startInterval": STRING}


def _reach(value: Any, path: str) -> Iterator[Any]:
    """All values at a path; KeyError or TypeError where the page would find undefined."""
    head, _, rest = path.partition(".")
    found = value[head.removesuffix("[]")]
    for each in found if head.endswith("[]") else [found]:
        yield from _reach(each, rest) if rest else [each]


def _check(rows: list[Any], shape: dict[str, str], where: str) -> None:
    for row in rows:
        for path, kind in shape.items():
            for value in _reach(row, path):
                if value is None and kind.endswith("?"):
                    continue
                assert KINDS[kind.removesuffix("?")](value), f"{where}: {path} is {value!r}, wanted {kind}"


def _component(text: str) -> str:
    """As JavaScript's encodeURIComponent."""
    return quote(text, safe="!'()*~-._")


class Page:
    """The web page: goes where a user could click, and looks at all that it shows there."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.seen: dict[str, int] = {}

    async def _ask(self, path: str, key: str | None, shape: dict[str, str]) -> list[Any]:
        answer = await self._client.get(f"/api/v1/{path}")
        rows: list[Any] = answer if key is None else answer[key]
        _check(rows, shape, path)
        if key in {"jobs", "datasets", "versions", "runs", "events"}:
            assert KINDS[NUMBER](answer["totalCount"]), path
        self.seen[key or "stats"] = self.seen.get(key or "stats", 0) + len(rows)
        return rows

    async def open_everything(self) -> None:
        spaces = await self._ask("namespaces", "namespaces", NAMESPACE)
        assert spaces, "the page takes the first namespace for the chosen one"
        await self._ask("tags", "tags", {"name": STRING, "description": "string?"})
        await self._open_dashboard()
        await self._open_events()
        for space in spaces:
            await self._open_jobs(_component(space["name"]))
            await self._open_datasets(_component(space["name"]))

    async def _open_dashboard(self) -> None:
        self._check_jobs(await self._ask("jobs?limit=10&offset=0", "jobs", JOB))
        for state in ("NEW", "RUNNING", "COMPLETED", "FAILED", "ABORTED"):
            await self._ask(f"jobs?limit=10&offset=0&lastRunStates={state}", "jobs", JOB)
        for period, rows in (("DAY", 24), ("WEEK", 7)):
            for zone in ("UTC", "America/St_Johns", "Asia/Kathmandu"):
                query = f"period={period}&timezone={zone}"
                assert len(await self._ask(f"stats/lineage-events?{query}", None, EVENTS_COUNTED)) == rows
                for noun in ("jobs", "datasets", "sources"):
                    assert len(await self._ask(f"stats/{noun}?{query}", None, COUNTED)) == rows

    async def _open_events(self) -> None:
        now = datetime.now(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds")
        window = f"limit=50&before={now}Z&after=1990-01-01T00:00:00.000Z&offset=0&sortDirection="
        for direction in ("desc", "asc"):
            await self._ask(f"events/lineage?{window}{direction}", "events", EVENT)

    def _check_jobs(self, jobs: list[Any]) -> None:
        for job in jobs:
            assert job["latestRuns"] != [], "the page can't reduce an empty list"
            _check(job["latestRuns"] or [], RUN, "latestRuns")
            _check([job["latestRun"]] if job["latestRun"] else [], RUN, "latestRun")

    async def _open_jobs(self, space: str) -> None:
        jobs = await self._ask(f"namespaces/{space}/jobs?limit=20&offset=0", "jobs", JOB)
        self._check_jobs(jobs)
        for job in jobs:
            name = _component(job["name"])
            path = f"namespaces/{space}/jobs/{name}"
            one = await self._client.get(f"/api/v1/{path}")
            _check([one], JOB, path)
            self._check_jobs([one])
            await self._ask(f"{path}/runs?limit=14&offset=0", "runs", RUN)
            for run in await self._ask(f"{path}/runs?limit=10&offset=0", "runs", RUN):
                for kind in ("job", "run"):
                    facets = await self._client.get(f"/api/v1/jobs/runs/{run['id']}/facets?type={kind}")
                    _check([facets], {"runId": STRING, "facets": OBJECT}, "facets")
            await self._open_lineage("job", space, name)

    async def _open_datasets(self, space: str) -> None:
        for dataset in await self._ask(f"namespaces/{space}/datasets?limit=20&offset=0", "datasets", DATASET):
            assert dataset["columnLineage"] != [], "the page would show a link to an empty graph"
            name = _component(dataset["name"])
            path = f"namespaces/{space}/datasets/{name}"
            _check([await self._client.get(f"/api/v1/{path}")], DATASET, path)
            for version in await self._ask(f"{path}/versions?limit=10&offset=0", "versions", VERSION):
                _check([version["createdByRun"]] if version["createdByRun"] else [], RUN, "createdByRun")
            if not dataset["deleted"]:  # the page doesn't list these
                await self._open_lineage("dataset", space, name)
            if dataset["columnLineage"]:
                asked = f"column-lineage?nodeId=dataset:{space}:{name}&depth=2&withDownstream=true"
                graph = await self._ask(asked, "graph", COLUMN)
                ids = {node["id"] for node in graph}
                assert {edge["destination"] for node in graph for edge in node["inEdges"] + node["outEdges"]} <= ids
            await self.search(dataset["name"][:3])

    async def _open_lineage(self, kind: str, space: str, name: str) -> None:
        graph = await self._ask(f"lineage?nodeId={kind}:{space}:{name}&depth=2", "graph", NODE)
        assert graph
        assert {node["type"] for node in graph} <= {"JOB", "DATASET"}
        for node in graph:
            if node["type"] == "DATASET":
                _check([node["data"]], {"fields": LIST, "fields[].name": STRING, "description": "string?"}, "node")
            elif node["data"]["latestRun"] is not None:
                _check([node["data"]["latestRun"]], RUN, "node")
        assert f"{kind}:{space}:{name}" in {
            ":".join((node["type"].lower(), _component(node["data"]["namespace"]), _component(node["data"]["name"])))
            for node in graph
        }

    async def search(self, words: str) -> None:
        for sort in ("NAME", "UPDATE_AT"):
            await self._ask(f"search/?q={words}&sort={sort}&limit=100", "results", FOUND)
            await self._ask(f"search?q={words}&sort={sort}&limit=100&filter=DATASET", "results", FOUND)


async def _fill(client: Any) -> None:
    """Of everything that can be in a store, one."""
    parent = {
        "parent": {
            "run": {"runId": "00000000-0000-0000-0000-000000000009"},
            "job": {"namespace": "jobs", "name": "dag"},
        }
    }
    checks = {"assertions": [{"assertion": "not_null", "column": "x", "success": False}]}
    raw = client.dataset("raw/orders.csv", namespace="s3://bucket")
    orders = client.dataset(
        "db.orders", "x y", namespace="postgres://h:5432", lineage={"x": ["raw/orders.csv.x"], "y": []}
    )
    totals = client.dataset(
        "db.totals", "t", namespace="postgres://h:5432", lineage={"t": ["db.orders.x", "db.orders.y"]}
    )
    await client.run("load", 1, facets=parent, inputs=[raw], outputs=[orders])
    await client.run("load", 2, at=60, event="FAIL", facets=parent)
    await client.run("sum", 3, at=70, inputs=[{**orders, "inputFacets": {}}], outputs=[totals])
    await client.run(
        "check",
        4,
        at=80,
        inputs=[
            client.dataset("db.totals", namespace="postgres://h:5432", inputFacets={"dataQualityAssertions": checks})
        ],
    )
    streaming = {"jobType": {"processingType": "STREAMING", "integration": "FLINK"}}
    await client.run(
        "clicks",
        5,
        event="RUNNING",
        job_facets=streaming,
        outputs=[client.dataset("clicks", namespace="kafka://b:9092")],
    )
    gone = client.dataset("gone", "x", facets={"lifecycleStateChange": {"lifecycleStateChange": "DROP"}})
    await client.run("drop it", 6, outputs=[gone])
    await client.run("a+b/c%20?#&", 7, event="ABORT", namespace="ns 100% & more")
    await client.run("open", 8, event="START", outputs=[client.dataset("pending", "x")])
    event = {
        "eventTime": client.noon.isoformat(),
        "producer": "https://example.com",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/",
    }
    await client.post({**event, "job": {"namespace": "jobs", "name": "declared"}})
    await client.post({**event, "dataset": client.dataset("alone")})
    untyped = {
        **event,
        "run": {"runId": "00000000-0000-0000-0000-00000000000a"},
        "job": {"namespace": "jobs", "name": "untyped"},
    }
    await client.post(untyped)
    await _fill_oddities(client)


async def _fill_oddities(client: Any) -> None:
    """What was put and never ran, deleted, renamed, aliased; a run with large facets; a child without its parent."""
    space = client.path("namespaces", "put by hand")
    await client.http.put(space, json={"ownerName": "ann"})
    await client.http.put(client.path("sources", "src"), json={"type": "X", "connectionUrl": "x://y"})
    table = {"type": "DB_TABLE", "physicalName": "t", "sourceName": "src"}
    stream = {**table, "type": "STREAM", "schemaLocation": "http://x/1", "fields": [{"name": "f", "tags": ["T"]}]}
    for name, body in (("bare", table), ("stream", stream), ("deleted", table)):
        assert (await client.http.put(f"{space}/datasets/{name}", json=body)).status_code == 200
    for name in ("idle", "created", "deleted"):
        body = {"type": "BATCH", "inputs": [], "outputs": []}
        assert (await client.http.put(f"{space}/jobs/{name}", json=body)).status_code == 200
    assert (await client.http.post(f"{space}/jobs/created/runs", json={})).status_code == 201
    for path in (f"{space}/datasets/deleted", f"{space}/jobs/deleted"):
        assert (await client.http.delete(path)).status_code == 200
    large = {"spark.logicalPlan": {"plan": "x" * 300_000}}
    orphan = {"parent": {"run": {"runId": str(UUID(int=77))}, "job": {"namespace": "elsewhere", "name": "flow"}}}
    await client.run("large", 20, facets={**large, **orphan}, job_facets={"sql": {"query": "x" * 300_000}})
    named = {"symlinks": {"identifiers": [{"namespace": "hive://m", "name": "sales.orders", "type": "TABLE"}]}}
    moved = {
        "lifecycleStateChange": {
            "lifecycleStateChange": "RENAME",
            "previousIdentifier": {"namespace": "data", "name": "before"},
        }
    }
    await client.run("named", 21, outputs=[client.dataset("orders", "x", facets=named), client.dataset("before", "x")])
    await client.run("move", 22, at=5, outputs=[client.dataset("after", "x", facets=moved)])
    await client.run("gone", 23, outputs=[client.dataset("gone too", "x", namespace="deleted")], namespace="deleted")
    assert (await client.http.delete(client.path("namespaces", "deleted"))).status_code == 200


async def test_on_an_empty_store_every_page_opens(shared: Any) -> None:
    page = Page(shared)
    await page.open_everything()
    await page.search("a")
    assert page.seen["namespaces"] == 1
    assert [page.seen[key] for key in ("jobs", "datasets", "events", "results")] == [0] * 4


async def test_on_a_filled_store_every_page_opens(client: Any) -> None:
    await _fill(client)
    page = Page(client)
    await page.open_everything()
    assert [key for key in page.seen if not page.seen[key] and key != "tags"] == []
    assert page.seen["namespaces"] == 11


async def test_what_the_page_writes_is_answered_with_what_it_shows(client: Any) -> None:
    await _fill(client)
    dataset = client.path("namespaces", "postgres://h:5432", "datasets", "db.orders")
    job = client.path("namespaces", "jobs", "jobs", "dag.load")
    tag = {"name": "GOLD", "description": "the best"}
    put = await client.http.put("/api/v1/tags/GOLD", json={"description": "the best"})
    assert (put.status_code, put.json()) == (200, tag)
    assert tag in (await client.get("/api/v1/tags"))["tags"]
    for path, shape in ((dataset, DATASET), (f"{dataset}/fields/x", DATASET), (job, JOB)):
        for method in ("POST", "DELETE"):
            answered = await client.http.request(method, f"{path}/tags/GOLD")
            assert answered.status_code == 200
            _check([answered.json()], shape, path)
    page = Page(client)
    await page.open_everything()
    for path, shape in ((job, JOB), (dataset, DATASET)):
        answered = await client.http.delete(path)
        assert answered.status_code == 200
        _check([answered.json()], shape, path)
        assert (await client.get(path, status=404))["code"] == 404
        await Page(client).open_everything()
