"""Any name that an event can give comes back unchanged from every route, by path, by node id and by query."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

SIGNS = ":/%#+?,@&=;.~!$'\"()*[]{}<>|\\^`-_ 0123aZéß漢🕷\u00a0\u200b\u202e\t\n"


@dataclass(frozen=True)
class Names:
    """A namespace, and a job, a dataset and a field in it."""

    namespace: str
    job: str
    dataset: str
    field: str


texts = st.text(alphabet=SIGNS, min_size=1, max_size=12) | st.sampled_from(
    ["1table", "%2F", "%252F", "a%00b", "+", "?", "#", ",", "@", "/", ":", "a:b:c", "x" * 1900, "漢" * 600, "...", ".a"]
)
names = st.builds(Names, texts, texts, texts, texts)


def _facets(**facets: Any) -> dict[str, Any]:
    base = {"_producer": "https://example.com", "_schemaURL": "https://example.com/F.json"}
    return {name: {**base, **body} for name, body in facets.items()}


async def _tell(client: Any, told: Names) -> tuple[str, str]:
    """A run that reads one dataset of this name and writes another; gives its id, and the name of what it read."""
    read = f"{told.dataset} read"
    edge = {"namespace": told.namespace, "name": read, "field": told.field}
    columns = _facets(
        schema={"fields": [{"name": told.field, "type": told.field}]},
        columnLineage={"fields": {told.field: {"inputFields": [edge]}}},
        dataSource={"name": told.dataset, "uri": "s3://b"},
    )
    source = {"namespace": told.namespace, "name": read, "facets": {}}
    target = {"namespace": told.namespace, "name": told.dataset, "facets": columns}
    run = uuid4()
    await client.run(told.job, run, inputs=[source], outputs=[target], namespace=told.namespace)
    return str(run), read


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@example(told=Names("mysql://h/db?tz=UTC,x", "a+b/c%2F#d", "1 🕷:x", "a:b"))
@example(told=Names("a:b", "b:c", "c:d", "d:e"))
@example(told=Names("%", "%%", "%25", "%2"))
@given(told=names)
async def test_any_name_comes_back_from_every_route(shared: Any, told: Names) -> None:
    told = Names(f"{told.namespace}{uuid4().hex}", told.job, told.dataset, told.field)
    run, read = await _tell(shared, told)
    await _ask_by_path(shared, told, run, read)
    await _ask_by_node(shared, told, read)
    await _ask_by_words(shared, told, run)


async def _ask_by_path(client: Any, told: Names, run: str, read: str) -> None:
    space = client.path("namespaces", told.namespace)
    named = {"namespace": told.namespace, "name": told.dataset}
    seen = {"namespace": told.namespace, "name": read}
    assert (await client.get(space))["name"] == told.namespace
    if told.job not in {".", ".."}:
        path = client.path("namespaces", told.namespace, "jobs", told.job)
        job = await client.get(path)
        assert (job["id"]["name"], job["inputs"], job["outputs"]) == (told.job, [seen], [named])
        assert [row["id"] for row in (await client.get(f"{path}/runs"))["runs"]] == [run]
        version = (await client.get(f"{path}/versions"))["versions"][0]
        assert (await client.get(f"{path}/versions/{version['version']}"))["outputs"] == [named]
    if told.dataset not in {".", ".."}:
        path = client.path("namespaces", told.namespace, "datasets", told.dataset)
        dataset = await client.get(path)
        assert (dataset["id"], [field["name"] for field in dataset["fields"]]) == (named, [told.field])
        assert dataset["columnLineage"][0]["inputFields"][0] == {
            "namespace": told.namespace,
            "dataset": read,
            "field": told.field,
            "transformationDescription": None,
            "transformationType": None,
        }
        version = (await client.get(f"{path}/versions"))["versions"][0]
        assert (await client.get(f"{path}/versions/{version['version']}"))["id"] == named
        assert (await client.get(client.path("sources", told.dataset)))["name"] == told.dataset
    listed = await client.get(f"{space}/datasets")
    assert ({row["name"] for row in listed["datasets"]}, listed["totalCount"]) == ({told.dataset, read}, 2)
    assert [row["name"] for row in (await client.get(f"{space}/jobs"))["jobs"]] == [told.job]
    answered = await client.get(f"/api/v1/jobs/runs/{run}")
    version = answered["outputDatasetVersions"][0]["datasetVersionId"]
    assert {key: version[key] for key in named} == named


async def _ask_by_node(client: Any, told: Names, read: str) -> None:
    """As a whole escaped, part by part escaped as the web page does, and by names in the query."""
    kinds = {
        "job": (told.namespace, told.job),
        "dataset": (told.namespace, told.dataset),
        "datasetField": (told.namespace, told.dataset, told.field),
    }
    for kind, parts in kinds.items():
        wanted = ":".join((kind, *parts))
        by_part = ":".join((kind, *(quote(part, safe="!'()*~-._") for part in parts)))
        query = "&".join(
            f"{key}={quote(part, safe='')}" for key, part in zip(("namespace", "name", "field"), parts, strict=False)
        )
        query += f"&type={'job' if kind == 'job' else 'dataset'}"
        routes = ["column-lineage"] if kind == "datasetField" else ["lineage", "column-lineage"]
        for route in routes:
            for asked in (f"nodeId={quote(wanted, safe='')}", f"nodeId={by_part}", query):
                ids = {node["id"] for node in (await client.get(f"/api/v1/{route}?{asked}"))["graph"]}
                field = f"datasetField:{told.namespace}:{told.dataset}:{told.field}"
                source = f"datasetField:{told.namespace}:{read}:{told.field}"
                tables = {
                    f"job:{told.namespace}:{told.job}",
                    f"dataset:{told.namespace}:{told.dataset}",
                    f"dataset:{told.namespace}:{read}",
                }
                assert ids == (tables if route == "lineage" else {field, source}), asked


async def _ask_by_words(client: Any, told: Names, run: str) -> None:
    if told.dataset.strip():
        found = await client.get("/api/v1/search", q=told.dataset, namespace=told.namespace, filter="DATASET", limit=9)
        assert told.dataset in {row["name"] for row in found["results"]}
    events = await client.get("/api/v1/events/lineage?limit=1000")
    event = next(row for row in events["events"] if row["run"]["runId"] == run)
    assert (event["job"]["namespace"], event["job"]["name"]) == (told.namespace, told.job)
    upstream = await client.get("/api/v1/runlineage/upstream", runId=run)
    assert upstream["runs"][0]["job"]["name"] == told.job


async def test_the_names_that_no_path_can_hold_are_found_by_query(shared: Any) -> None:
    for name in (".", ".."):
        await shared.run(name, UUID(int=1), outputs=[shared.dataset(name)], namespace="dots")
        for kind in ("job", "dataset"):
            space = "dots" if kind == "job" else "data"
            graph = (await shared.get("/api/v1/lineage", namespace=space, name=name, type=kind))["graph"]
            assert f"{kind}:{space}:{name}" in {node["id"] for node in graph}


async def test_a_name_too_long_for_an_index_is_found_all_the_same(shared: Any) -> None:
    name = "".join(chr(0x4E00 + at % 5000) for at in range(6000))
    await shared.run(name, uuid4(), outputs=[shared.dataset(name, "x")], namespace="long")
    assert (await shared.get("/api/v1/namespaces/long/jobs"))["jobs"][0]["name"] == name
    assert (await shared.get(shared.path("namespaces", "data", "datasets", name)))["name"] == name
    assert (await shared.get("/api/v1/search", q=name[:20]))["totalCount"] == 2


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@example(told=Names("a%2Fb:c", "j?x", "d#1 +", "f/1:x"), tag="P/I:I #1+%2F 🕷")
@given(told=names, tag=texts.filter(lambda text: text.strip() not in {"", ".", ".."}))
async def test_any_name_is_tagged_and_any_tag_comes_back(shared: Any, told: Names, tag: str) -> None:
    told = Names(f"{told.namespace}{uuid4().hex}", f"j{told.job}", f"d{told.dataset}", f"f{told.field}")
    await _tell(shared, told)
    dataset = shared.path("namespaces", told.namespace, "datasets", told.dataset)
    job = shared.path("namespaces", told.namespace, "jobs", told.job)
    field = f"{dataset}/fields/{quote(told.field, safe='')}"
    named = f"/tags/{quote(tag, safe='')}"
    for path in (dataset, job, field):
        answered = await shared.http.post(path + named)
        assert answered.status_code == 200, answered.text
    found = await shared.get(dataset)
    assert (found["tags"], found["fields"][0]["tags"]) == ([tag], [tag.upper()])
    assert (await shared.get(job))["tags"] == [tag]
    assert {tag, tag.upper()} <= {row["name"] for row in (await shared.get("/api/v1/tags?limit=1000"))["tags"]}
    for path in (dataset, job, field):
        assert (await shared.http.delete(path + named)).status_code == 200
    found = await shared.get(dataset)
    assert (found["tags"], found["fields"][0]["tags"], (await shared.get(job))["tags"]) == ([], [], [])


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(told=names)
async def test_any_name_can_be_put_and_deleted(shared: Any, told: Names) -> None:
    told = Names(f"{told.namespace}{uuid4().hex}", f"j{told.job}", f"d{told.dataset}", f"s{told.field}")
    space = shared.path("namespaces", told.namespace)
    source = shared.path("sources", told.field)
    owner = {"ownerName": "me"}
    assert (await shared.http.put(space, json=owner)).json()["name"] == told.namespace
    assert (await shared.http.put(source, json={"type": "X", "connectionUrl": "x://y"})).json()["name"] == told.field
    dataset = shared.path("namespaces", told.namespace, "datasets", told.dataset)
    body = {"type": "DB_TABLE", "physicalName": told.dataset, "sourceName": told.field, "fields": [{"name": told.job}]}
    put = (await shared.http.put(dataset, json=body)).json()
    assert (put["name"], put["sourceName"], put["fields"][0]["name"]) == (told.dataset, told.field, told.job)
    job = shared.path("namespaces", told.namespace, "jobs", told.job)
    inputs = [{"namespace": told.namespace, "name": told.dataset}]
    put = (await shared.http.put(job, json={"type": "BATCH", "inputs": inputs, "outputs": []})).json()
    assert (put["name"], put["inputs"]) == (told.job, inputs)
    for path in (job, dataset):
        assert (await shared.http.delete(path)).status_code == 200
        await shared.get(path, status=404)
