"""A run of several projects tells each facet that dbt gives reason for, validly; no SQL where SQL is hidden."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from ..contract.test_producer_events import check
from .plugin_project import Project, Ran, kinds, settled
from .plugin_receiver import Receiver, running, silent_address
from .ways import Event, by_key, edges, identity
from .wide_project import PERSON, SPAN, new_wide_project

PARENT = "0b7a2f5e-6c1d-4f0e-9a51-2f3d4c5b6a70"


@dataclass(frozen=True, slots=True)
class Told:
    """The project, what the plugin told of its build, and how that ended."""

    project: Project
    events: list[Event]
    ran: Ran
    parent: str = f"air/dag.task/{PARENT}"

    def end(self, job: str) -> Event:
        """The one event that ends a job's run; `job` is the end of its name."""
        found = [event for event in self.events if event["job"]["name"].endswith(job)]
        (event,) = [event for event in found if event["eventType"] in ("COMPLETE", "FAIL")]
        return event

    def made(self, model: str) -> dict[str, Any]:
        """The facets of a model's output at its end."""
        (output,) = self.end(f"tiny.{model}")["outputs"]
        facets: dict[str, Any] = output["facets"]
        return facets


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    project = new_wide_project(tmp_path_factory.mktemp("wide"))
    transport = f"transport: {{type: file, append: true, log_file_path: '{project.log}'}}\n"
    project.write({"openlineage.yml": transport + "facets: {environment_variables: [TEAM]}\n"})
    ran = project.dbt(
        "--log-format-file", "json", "build", *SPAN, TEAM="blue", OPENLINEAGE_PARENT_ID=f"air/dag.task/{PARENT}"
    )
    events = project.events()
    (project.root / "openlineage.yml").unlink()
    return Told(project, events, ran)


def test_every_event_is_valid_and_every_facet_is_there(told: Told) -> None:
    assert (told.ran.code, told.ran.err) == (1, "")
    seen = {name for event in told.events for name in check(event)}
    assert seen == {
        *("jobType", "sql", "sourceCodeLocation", "documentation", "ownership", "tags", "lineal_node"),
        *("parent", "nominalTime", "processing_engine", "errorMessage", "test", "extractionError"),
        *("environmentVariables", "lineal_invocation"),
        *("schema", "dataSource", "columnLineage", "lineal_lineage", "datasetType", "lifecycleStateChange", "storage"),
        *("outputStatistics", "dataQualityAssertions"),
    }


def test_a_model_has_all_that_the_project_says_of_it(told: Told) -> None:
    made = told.made("orders")
    fields = [(each["name"], each["type"], each.get("description")) for each in made["schema"]["fields"]]
    assert fields == [("id", "INTEGER", "The key."), ("person", "VARCHAR", None), ("city", "VARCHAR", None)]
    assert made["documentation"]["description"] == "What was ordered."
    assert [owner["name"] for owner in made["ownership"]["owners"]] == ["bo", "ana"]
    tags = [(tag["key"], tag.get("field")) for tag in made["tags"]["tags"]]
    assert tags == [("nightly", None), ("key", "id"), ("pii", "person")]
    assert made["datasetType"]["datasetType"] == "TABLE"
    job = told.end("tiny.orders")["job"]["facets"]
    assert (job["jobType"]["jobType"], job["sql"]["dialect"]) == ("MODEL", "duckdb")
    assert job["documentation"]["description"] == "What was ordered."
    assert [owner["name"] for owner in job["ownership"]["owners"]] == ["bo", "ana"]
    assert [tag["key"] for tag in job["tags"]["tags"]] == ["nightly"]
    code = job["sourceCodeLocation"]
    sha = told.end("dbt-run-tiny")["run"]["facets"]["lineal_invocation"]["gitSha"]
    assert code["url"] == f"https://git.example/team/shop/blob/{sha}/models/orders.sql"
    assert (code["path"], code["branch"]) == ("models/orders.sql", "main")


def test_a_run_has_its_parents_and_its_environment(told: Told) -> None:
    command, node = (told.end(job)["run"]["facets"] for job in ("dbt-run-tiny", "tiny.orders"))
    root = {"run": {"runId": PARENT}, "job": {"namespace": "air", "name": "dag.task"}}
    assert {key: command["parent"][key] for key in ("run", "job", "root")} == {**root, "root": root}
    assert node["parent"]["run"]["runId"] == told.end("dbt-run-tiny")["run"]["runId"]
    assert node["parent"]["root"] == root
    for facets in (command, node):
        assert facets["processing_engine"]["name"] == "dbt"
        assert facets["environmentVariables"]["environmentVariables"] == [{"name": "TEAM", "value": "blue"}]
    batch = told.end("tiny.days")["run"]["facets"]["nominalTime"]
    assert (batch["nominalStartTime"], batch["nominalEndTime"]) == ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")


def test_what_a_run_did_to_the_whole_of_a_relation(told: Told) -> None:
    changed = {
        event["job"]["name"]: output["facets"]["lifecycleStateChange"]["lifecycleStateChange"]
        for event in told.events
        for output in event["outputs"]
        if "lifecycleStateChange" in output["facets"]
    }
    replaced = {"orders", "totals", "priced", "kept", "hours", "raw_orders.seed"}
    names = {f"tiny.main.tiny.{name}" for name in replaced}
    names |= {"tiny.main.vendor.people.seed", "tiny.main_sold.vendor.persons", "tiny.main_sold.vendor.orders"}
    assert changed == dict.fromkeys(names, "OVERWRITE")  # not of incremental models, nor of what failed


def test_a_materialization_of_the_projects_own_is_a_table(told: Told) -> None:
    logged = told.end("tiny.logged")
    (output,) = logged["outputs"]
    assert (output["name"], output["facets"]["datasetType"]["datasetType"]) == ("tiny.main.logged", "TABLE")
    values = {(*edge[1:5:2], edge[6]) for edge in edges(logged)}
    assert values == {("id", "tiny.main.priced", "IDENTITY"), ("twice", "tiny.main.priced", "TRANSFORMATION")}
    types = [(each["name"], each["type"]) for each in output["facets"]["schema"]["fields"]]
    assert types == [("id", "BIGINT"), ("twice", "BIGINT")]


def test_files_have_their_store_and_format(told: Told) -> None:
    (output,) = told.end("tiny.kept")["outputs"]
    assert output["name"] == str(told.project.root / "kept.parquet")
    storage = output["facets"]["storage"]
    assert (storage["storageLayer"], storage["fileFormat"]) == ("file", "parquet")
    (given,) = told.end("tiny.priced")["inputs"]
    assert given["name"] == str(told.project.root / "files" / "prices.csv")
    assert (given["facets"]["storage"]["storageLayer"], given["facets"]["storage"]["fileFormat"]) == ("file", "csv")
    assert given["facets"]["documentation"]["description"] == "What it costs."
    assert [owner["name"] for owner in given["facets"]["ownership"]["owners"]] == ["cy", "di"]
    tags = [(tag["key"], tag.get("field")) for tag in given["facets"]["tags"]["tags"]]
    assert tags == [("raw", None), ("money", "price")]


def test_sql_that_cannot_be_read_is_an_extraction_error(told: Told) -> None:
    marked = {event["job"]["name"] for event in told.events if "extractionError" in event["run"]["facets"]}
    assert marked == {"tiny.main.tiny.misspelt"}
    facets = told.end("tiny.misspelt")["run"]["facets"]
    (error,) = facets["extractionError"]["errors"]
    assert error["errorMessage"].startswith("Invalid expression")
    assert "syntax error" in facets["errorMessage"]["message"]


def test_packages_and_other_projects_meet_in_one_graph(told: Told) -> None:
    orders = told.end("tiny.main.tiny.orders")
    read = ["tiny.main.raw_orders", "tiny.main_sold.persons", "tiny.main.all_cities"]
    assert [given["name"] for given in orders["inputs"]] == read
    values = {edge[1:5:2] + edge[4:6] for edge in edges(orders) if edge[1]}
    assert values == {
        ("id", "tiny.main.raw_orders", "id", "DIRECT"),
        ("person", "tiny.main_sold.persons", "person", "DIRECT"),
        ("city", "tiny.main.all_cities", "city", "DIRECT"),
    }
    # Two models of one name in two projects are two jobs; a package's files are not in the project's repository.
    (sold,) = told.end("tiny.main_sold.vendor.orders")["outputs"]
    assert sold["name"] == "tiny.main_sold.orders"
    assert "sourceCodeLocation" not in told.end("vendor.persons")["job"]["facets"]
    assert told.end("vendor.not_null_persons_id.2b763e08c7")["inputs"][0]["name"] == "tiny.main_sold.persons"


@pytest.mark.parametrize("way", [("emit",), ("consume", "logs/dbt.log")])
def test_every_way_tells_of_several_projects_alike(told: Told, way: tuple[str, ...]) -> None:
    ran, events = _told_by(told.project, *way, OPENLINEAGE_PARENT_ID=told.parent)
    assert (ran.code, ran.err) == (0, "")
    assert by_key(events).keys() == by_key(told.events).keys()
    for key, event in by_key(told.events).items():
        assert identity(by_key(events)[key]) == identity(event), key


def _told_by(project: Project, *arguments: str, **env: str) -> tuple[Ran, list[Event]]:
    log = project.root.parent / "told.ndjson"
    log.unlink(missing_ok=True)
    to = {**project.to_file(), "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(log)}
    ran = project.lineal(*arguments, **{**to, **env})
    return ran, [json.loads(line) for line in log.read_bytes().splitlines()]


def _texts(event: Event) -> str:
    return json.dumps(event, ensure_ascii=False)


@pytest.mark.parametrize("mode", ["hash", "none"])
def test_hidden_sql_is_in_no_event(told: Told, mode: str) -> None:
    assert any(PERSON in _texts(event) for event in told.events)
    _, events = _told_by(told.project, "emit", LINEAL_SQL=mode)
    assert by_key(events).keys() == by_key(told.events).keys()
    assert not [event for event in events if PERSON in _texts(event) or "select " in _texts(event)]
    orders = next(event for event in events if event["job"]["name"].endswith("tiny.orders"))
    assert orders["job"]["facets"].get("sql", {}).get("query", "")[:7] == {"hash": "sha256:", "none": ""}[mode]
    for event in events:
        check(event)


def test_hidden_sql_is_in_no_log_and_in_nothing_that_waited(told: Told) -> None:
    project = told.project
    arguments = ("run", "--select", "misspelt", "failing", "totals")
    with silent_address() as address:
        hidden = {"LINEAL_SQL": "none", "OPENLINEAGE_URL": address.url}
        ran = project.dbt(*arguments, **hidden, LINEAL_BUDGET_SECONDS="0", LINEAL_LINGER_SECONDS="0")
        assert (ran.code, len(project.waiting())) == (1, 1)
        with running(Receiver(), address) as receiver:
            assert project.lineal("flush", **hidden).code == 0
    assert kinds(receiver.accepted, "tiny.misspelt") == ["START", "FAIL"]
    assert len(settled(receiver.accepted)) == 8
    assert not [body for body in receiver.bodies if PERSON.encode() in body or b"select " in body]
    left = [path for path in project.state.rglob("*") if path.is_file()]
    assert not [path for path in left if PERSON.encode() in path.read_bytes()]
    assert PERSON not in ran.err
