"""Runs as Spark, Airflow, dbt, Flink and Great Expectations tell them: the right state, in any order of arrival."""

import json
import random
from typing import Any

import pytest

APP, TASK, DAG = "11111111-0000-7000-8000-000000000001", "11111111-0000-7000-8000-000000000002", (
    "11111111-0000-7000-8000-000000000003"
)  # fmt: skip


def event(
    kind: str, time: str, run: str, job: str, parent: tuple[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    """An event with this time as it stands."""
    facets = {}
    if parent is not None:
        named = {"run": {"runId": parent[1]}, "job": {"namespace": "jobs", "name": parent[0]}}
        facets["parent"] = {"_producer": "https://p.example", "_schemaURL": "https://p.example/s.json", **named}
    return {
        "eventType": kind,
        "eventTime": time,
        "run": {"runId": run, "facets": facets},
        "job": {"namespace": "jobs", "name": job},
        "producer": "https://p.example",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        **more,
    }


APPLICATION = [
    event("START", "2026-03-02T10:00:00Z", APP, "app"),
    event("COMPLETE", "2026-03-02T10:01:00.5Z", APP, "app"),
]
STORIES: dict[str, tuple[list[dict[str, Any]], dict[str, str]]] = {
    "Spark: FAIL, and COMPLETE some milliseconds later": (
        [
            *APPLICATION,
            event("START", "2026-03-02T10:00:10.1Z", TASK, "app.save", ("app", APP)),
            event("FAIL", "2026-03-02T10:00:12.100Z", TASK, "app.save", ("app", APP)),
            event("COMPLETE", "2026-03-02T10:00:12.12Z", TASK, "app.save", ("app", APP)),
        ],
        {"app": "COMPLETED", "app.save": "FAILED"},
    ),
    "Spark: a schema inference that never ends, under an application that did": (
        [*APPLICATION, event("START", "2026-03-02T10:00:10Z", TASK, "app.deserialize", ("app", APP))],
        {"app": "COMPLETED", "app.deserialize": "OPEN_PARENT_ENDED"},
    ),
    "Spark: a driver that was killed": (
        [
            event("START", "2026-03-02T10:00:00Z", APP, "app"),
            event("START", "2026-03-02T10:00:10Z", TASK, "app.save", ("app", APP)),
        ],
        {"app": "RUNNING", "app.save": "RUNNING"},
    ),
    "Spark: a short command without START; RUNNING and COMPLETE at one time": (
        [
            event("RUNNING", "2026-03-02T10:00:10.25Z", TASK, "app.drop", ("app", APP)),
            event("COMPLETE", "2026-03-02T10:00:10.250Z", TASK, "app.drop", ("app", APP)),
        ],
        {"app.drop": "COMPLETED", "app": "NEW"},
    ),
    "Airflow: marked as a success by hand, then FAIL from the dying task": (
        [
            event("START", "2026-03-02T10:00:00.123456+00:00", TASK, "dag.task", ("dag", DAG)),
            event("COMPLETE", "2026-03-02T10:00:20+00:00", TASK, "dag.task", ("dag", DAG)),
            event("FAIL", "2026-03-02T10:00:22+00:00", TASK, "dag.task", ("dag", DAG)),
            event("COMPLETE", "2026-03-02T10:00:30+00:00", DAG, "dag"),
        ],
        {"dag.task": "COMPLETED", "dag": "COMPLETED"},
    ),
    "Airflow: a task that was killed, in a DAG run that failed": (
        [
            event("START", "2026-03-02T10:00:00Z", DAG, "dag"),
            event("START", "2026-03-02T10:00:01Z", TASK, "dag.task", ("dag", DAG)),
            event("FAIL", "2026-03-02T10:05:00Z", DAG, "dag"),
        ],
        {"dag.task": "OPEN_PARENT_ENDED", "dag": "FAILED"},
    ),
    "Airflow: a second START of a deferred task, with an earlier time; FAIL twice": (
        [
            event("START", "2026-03-02T10:00:10Z", TASK, "dag.sensor"),
            event("START", "2026-03-02T10:00:05Z", TASK, "dag.sensor"),
            event("FAIL", "2026-03-02T10:00:40Z", TASK, "dag.sensor"),
            event("FAIL", "2026-03-02T10:00:41Z", TASK, "dag.sensor"),
        ],
        {"dag.sensor": "FAILED"},
    ),
    "dbt and Airflow: a query whose START and COMPLETE share one time": (
        [
            event("START", "2026-03-02T10:00:10Z", APP, "dag.task.query.1", ("dag.task", TASK)),
            event("COMPLETE", "2026-03-02T10:00:10Z", APP, "dag.task.query.1", ("dag.task", TASK)),
        ],
        {"dag.task.query.1": "COMPLETED", "dag.task": "NEW"},
    ),
    "Flink: nine digits, FAIL before START on the wire, no inputs and outputs at the end": (
        [
            event("FAIL", "2026-03-02T10:00:40.123456789Z", APP, "stream"),
            event("START", "2026-03-02T10:00:00.12345678Z", APP, "stream", inputs=[{"namespace": "", "name": "/in"}]),
            event("RUNNING", "2026-03-02T10:00:20Z", APP, "stream"),
        ],
        {"stream": "FAILED"},
    ),
    "Great Expectations: no START, no zone": (
        [event("COMPLETE", "2026-03-02T10:00:00.5", APP, "checkpoint", inputs=[{"namespace": "db", "name": "orders"}])],
        {"checkpoint": "COMPLETED"},
    ),
}


def set_apart(name: str) -> list[dict[str, Any]]:
    """A story's events with a namespace and run ids of its own, so that all can be told to one server."""
    text = json.dumps(STORIES[name][0])
    own = f"{list(STORIES).index(name):08}-"
    return json.loads(text.replace("11111111-", own).replace('"jobs"', json.dumps(name)))  # type: ignore[no-any-return]


@pytest.mark.parametrize("order", ["as told", "backwards", "shuffled"])
async def test_each_run_has_the_state_that_is_right(client: Any, order: str) -> None:
    events = [one for name in STORIES for one in set_apart(name)]
    chance = random.Random(5)
    for one in {"as told": events, "backwards": events[::-1], "shuffled": chance.sample(events, len(events))}[order]:
        await client.post(one)
    found: dict[str, dict[str, str]] = {}
    for run in (await client.get("/api/v2/runs", limit=1000))["runs"]:
        found.setdefault(run["job"]["namespace"], {})[run["job"]["name"]] = run["state"]
    assert found == {name: states for name, (_, states) in STORIES.items()}


async def test_times_follow_the_instant_and_not_the_text(client: Any) -> None:
    for one in STORIES["Airflow: a second START of a deferred task, with an earlier time; FAIL twice"][0]:
        await client.post(one)
    (run,) = (await client.get("/api/v2/runs"))["runs"]
    assert (run["startedAt"], run["endedAt"], run["durationMs"]) == (
        "2026-03-02T10:00:05Z", "2026-03-02T10:00:40Z", 35_000,
    )  # fmt: skip


async def test_a_run_from_the_first_to_the_last_instant_is_a_run_like_others(client: Any) -> None:
    """Zero times of Go and greatest times of .NET are sent, too; PostgreSQL's driver takes both for infinities."""
    first, last = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"
    for run, started, ended in ((APP, first, last), (TASK, first, first), (DAG, "2026-03-02T10:00:00Z", last)):
        outputs = [client.dataset("made", "x", lineage={"x": ["source.x"]})]
        await client.post(event("START", started, run, "odd", outputs=outputs))
        await client.post(event("COMPLETE", ended, run, "odd", outputs=outputs))
    for path in ("/api/v1/jobs", client.path("namespaces", "jobs", "jobs", "odd", "runs"), "/api/v2/runs"):
        assert len(json.dumps(await client.get(path))) > 100
    runs = (await client.get("/api/v2/runs"))["runs"]
    assert {(run["runId"], run["startedAt"], run["endedAt"]) for run in runs} == {
        (APP, first, last),
        (TASK, first, first),
        (DAG, "2026-03-02T10:00:00Z", last),
    }
    assert [job["name"] for job in (await client.get("/api/v1/search", q="odd"))["results"]] == ["odd"]
    assert (await client.get("/api/v1/events/lineage", before=last))["totalCount"] == 4


async def test_tables_without_a_namespace_belong_to_the_jobs_that_name_them(client: Any) -> None:
    nameless = {"namespace": "", "name": "/warehouse/orders"}
    for namespace, run in (("cluster a", APP), ("cluster b", TASK)):
        told = event("COMPLETE", "2026-03-02T10:00:00Z", run, "stream", outputs=[nameless])
        told["job"]["namespace"] = namespace
        await client.post(told)
    for namespace in ("cluster a", "cluster b"):
        graph = (await client.get("/api/v1/lineage", nodeId=f"job:{namespace}:stream"))["graph"]
        assert [node["data"]["id"]["namespace"] for node in graph] == [f"unnamed://{namespace}", namespace]


async def test_what_a_failed_command_lists_is_no_write(client: Any) -> None:
    made = client.dataset("never_made", "x", lineage={"x": ["raw.x"]})
    told = event("FAIL", "2026-03-02T10:00:12Z", TASK, "app.save", inputs=[client.dataset("raw")], outputs=[made])
    await client.post(told)
    await client.post(event("COMPLETE", "2026-03-02T10:00:12.1Z", TASK, "app.save", outputs=[made]))
    await client.get("/api/v1/column-lineage", nodeId="datasetField:data:raw:x", status=404)
    dataset = await client.get("/api/v1/namespaces/data/datasets/never_made")
    assert (dataset["columnLineage"], dataset["fields"]) == (None, [])
