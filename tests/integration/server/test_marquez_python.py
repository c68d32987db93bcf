"""marquez-python, unchanged, against a running server: every method of its client, by what it gives."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from marquez_client import MarquezClient
from marquez_client.errors import APIError
from marquez_client.models import DatasetId, DatasetType, JobType

from .conftest import Starter

pytestmark = pytest.mark.filterwarnings(
    "ignore::deprecation.DeprecatedWarning", "ignore::deprecation.UnsupportedWarning"
)

SPACE, NAME, JOB = "postgres://db.example:5432", "shop.orders #1 50%+ü🕷", "nightly/load:orders"
SOURCE, URL = "warehouse", "jdbc:postgresql://db.example:5432/shop"


@pytest.fixture
def client(starter: Starter, database_url: str) -> MarquezClient:
    return MarquezClient(starter.serve("--database-url", database_url).url, timeout_ms=60_000)


def _names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def test_namespaces_and_sources(client: MarquezClient) -> None:
    made = client.create_namespace(SPACE, "ann", "Orders")
    assert (made["name"], made["ownerName"], made["description"], made["isHidden"]) == (SPACE, "ann", "Orders", False)
    changed = client.create_namespace(SPACE, "bob")
    assert (changed["ownerName"], changed["description"], changed["createdAt"]) == ("bob", "Orders", made["createdAt"])
    assert client.get_namespace(SPACE) == changed
    assert _names(client.list_namespaces()["namespaces"]) == ["default", SPACE]
    assert _names(client.list_namespaces(limit=1, offset=1)["namespaces"]) == [SPACE]

    source = client.create_source(SOURCE, "POSTGRESQL", URL, "The warehouse")
    assert (source["name"], source["type"], source["connectionUrl"], source["description"]) == (
        SOURCE, "POSTGRESQL", URL, "The warehouse",
    )  # fmt: skip
    assert client.get_source(SOURCE) == source
    assert client.list_sources() == {"sources": [source]}
    assert client.create_source(SOURCE, "MYSQL", "jdbc:mysql://h/d")["type"] == "MYSQL"
    with pytest.raises(APIError):
        client.get_source("missing")


def test_datasets_and_tags(client: MarquezClient) -> None:
    client.create_namespace(SPACE, "ann")
    client.create_source(SOURCE, "POSTGRESQL", URL)
    fields = [{"name": "id", "type": "INT", "tags": ["KEY"]}, {"name": "email", "type": None, "description": "Whose"}]
    made = client.create_dataset(
        SPACE, NAME, DatasetType.DB_TABLE, "public.orders", SOURCE, "All orders", fields=fields, tags=["GOLD"]
    )
    assert {
        key: made[key] for key in ("id", "type", "physicalName", "sourceName", "description", "tags", "fields")
    } == {
        "id": {"namespace": SPACE, "name": NAME},
        "type": "DB_TABLE",
        "physicalName": "public.orders",
        "sourceName": SOURCE,
        "description": "All orders",
        "tags": ["GOLD"],
        "fields": [
            {"name": "id", "type": "INT", "tags": ["KEY"], "description": None},
            {"name": "email", "type": None, "tags": [], "description": "Whose"},
        ],
    }
    assert client.get_dataset(SPACE, NAME) == made
    stream = client.create_dataset(
        SPACE, "clicks", DatasetType.STREAM, "clicks", SOURCE, schema_location="https://registry.example/1"
    )
    assert (stream["type"], stream["schemaLocation"], stream["fields"]) == ("STREAM", "https://registry.example/1", [])
    assert client.list_datasets(SPACE)["totalCount"] == 2
    assert _names(client.list_datasets(SPACE, limit=1, offset=1)["datasets"]) == [NAME]

    assert client.tag_dataset(SPACE, NAME, "SILVER")["tags"] == ["GOLD", "SILVER"]
    assert client.tag_dataset_field(SPACE, NAME, "email", "pii")["fields"][1]["tags"] == ["PII"]
    assert client.create_tag("SILVER", "Checked") == {"name": "SILVER", "description": "Checked"}
    assert client.create_tag("BARE") == {"name": "BARE", "description": None}
    tags = {tag["name"]: tag["description"] for tag in client.list_tags()["tags"]}
    assert list(tags) == ["BARE", "GOLD", "KEY", "PII", "SENSITIVE", "SILVER"]
    assert (tags["SILVER"], tags["GOLD"]) == ("Checked", None)


def test_versions_of_datasets(client: MarquezClient) -> None:
    client.create_namespace(SPACE, "ann")
    client.create_source(SOURCE, "POSTGRESQL", URL)
    for columns in (["id"], ["id", "email"], ["id", "email"]):
        client.create_dataset(
            SPACE, NAME, DatasetType.DB_TABLE, "o", SOURCE, fields=[{"name": column} for column in columns]
        )
    found = client.list_dataset_versions(SPACE, NAME)
    assert found["totalCount"] == 2
    assert [_names(version["fields"]) for version in found["versions"]] == [["id", "email"], ["id"]]
    assert found["versions"][0]["version"] == client.get_dataset(SPACE, NAME)["currentVersion"]
    for version in found["versions"]:
        assert client.get_dataset_version(SPACE, NAME, version["version"]) == version
    assert client.list_dataset_versions(SPACE, NAME, limit=1, offset=1)["versions"] == found["versions"][1:]


def test_jobs_and_runs(client: MarquezClient) -> None:
    client.create_namespace(SPACE, "ann")
    client.create_source(SOURCE, "POSTGRESQL", URL)
    for name in ("raw", NAME):
        client.create_dataset(SPACE, name, DatasetType.DB_TABLE, name, SOURCE, fields=[{"name": "id", "type": "INT"}])
    job = client.create_job(
        SPACE,
        JOB,
        JobType.BATCH,
        "https://code.example/1",
        [DatasetId(SPACE, "raw")],
        [DatasetId(SPACE, NAME)],
        "Loads",
    )
    assert {key: job[key] for key in ("id", "type", "inputs", "outputs", "location", "description", "latestRun")} == {
        "id": {"namespace": SPACE, "name": JOB},
        "type": "BATCH",
        "inputs": [{"namespace": SPACE, "name": "raw"}],
        "outputs": [],
        "location": "https://code.example/1",
        "description": "Loads",
        "latestRun": None,
    }
    assert client.get_job(SPACE, JOB) == job
    assert client.list_jobs(SPACE)["jobs"][0]["name"] == JOB

    first = str(uuid4())
    run = client.create_job_run(SPACE, JOB, first, "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z", {"day": "1"})
    assert (run["id"], run["state"], run["startedAt"]) == (first, "NEW", None)
    assert run["args"]["day"] == "1"
    assert (run["nominalStartTime"], run["nominalEndTime"]) == ("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z")
    with pytest.raises(APIError):
        client.create_job_run(SPACE, JOB, first)
    assert client.mark_job_run_as_started(first, "2026-03-02T01:00:00Z")["state"] == "RUNNING"
    written = client.create_dataset(
        SPACE, NAME, DatasetType.DB_TABLE, NAME, SOURCE, run_id=first, fields=[{"name": "id"}, {"name": "total"}]
    )
    assert _names(written["fields"]) == ["id", "total"]
    done = client.mark_job_run_as_completed(first, "2026-03-02T01:00:30Z")
    assert (done["state"], done["durationMs"]) == ("COMPLETED", 30_000)
    assert client.get_job_run(first) == done
    assert [row["datasetVersionId"]["name"] for row in done["outputDatasetVersions"]] == [NAME]
    shown = client.get_job(SPACE, JOB)
    assert (shown["inputs"], shown["outputs"]) == (
        [{"namespace": SPACE, "name": "raw"}], [{"namespace": SPACE, "name": NAME}],
    )  # fmt: skip

    for mark, state in (
        (client.mark_job_run_as_failed, "FAILED"),
        (client.mark_job_run_as_aborted, "ABORTED"),
    ):
        other = client.create_job_run(SPACE, JOB, mark_as_running=True)
        assert other["state"] == "RUNNING"
        assert mark(other["id"])["state"] == state
    assert client.list_job_runs(SPACE, JOB)["totalCount"] == 3
    assert [run["id"] for run in client.list_job_runs(SPACE, JOB, limit=1, offset=2)["runs"]] == [first]


def test_column_lineage(client: MarquezClient) -> None:
    client.create_namespace(SPACE, "ann")
    client.create_source(SOURCE, "POSTGRESQL", URL)
    client.create_dataset(SPACE, NAME, DatasetType.DB_TABLE, NAME, SOURCE, fields=[{"name": "id"}])
    node = f"datasetField:{SPACE}:{NAME}:id"
    assert [row["data"]["field"] for row in client.get_column_lineage_by_dataset(SPACE, NAME)["graph"]] == ["id"]
    found = client.get_column_lineage_by_dataset_field(SPACE, NAME, "id", depth=2, with_downstream=True)["graph"]
    assert [(row["data"]["dataset"], row["data"]["inputFields"]) for row in found] == [(NAME, [])], node
    with pytest.raises(APIError):
        client.get_column_lineage_by_job(SPACE, "missing")


def test_what_it_asks_for_that_marquez_lacks_too(client: MarquezClient) -> None:
    with pytest.raises(APIError):
        client.list_events()
    with pytest.raises(APIError):
        client.get_job_run(str(UUID(int=7)))
