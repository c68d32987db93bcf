"""Builds whole OpenLineage events of dbt commands and nodes: pure, plain dicts, valid by the official schemas."""

from collections.abc import Mapping
from typing import Any, Literal

from lineal_producer import facets
from lineal_producer.analysis import Analysis, settled
from lineal_producer.check_facets import assertion, result
from lineal_producer.dataset_facets import change_of, input_facets, output_facets
from lineal_producer.datasets import Dataset, Datasets
from lineal_producer.descriptions import Invocation, Node, RunRef
from lineal_producer.job_facets import job_facets
from lineal_producer.known import Known
from lineal_producer.lineage_facets import extraction_error, lineage_facets
from lineal_producer.naming import Namespaces
from lineal_producer.privacy import hidden
from lineal_producer.records import InvocationEnd, NodeEnd
from lineal_producer.runs import as_uuid, job_name, node_run_id

Kind = Literal["START", "RUNNING", "COMPLETE", "FAIL", "ABORT", "OTHER"]
Event = dict[str, Any]

_ENDS: dict[str, Kind | None] = {
    "success": "COMPLETE",
    "pass": "COMPLETE",
    "warn": "COMPLETE",
    "no-op": "COMPLETE",
    "noop": "COMPLETE",
    "reused": "COMPLETE",
    "error": "FAIL",
    "runtime error": "FAIL",
    "fail": "FAIL",
    "partial success": "FAIL",
    "skipped": None,
}
_OUTPUT = {"model", "seed", "snapshot"}


def end_kind(status: str) -> Kind | None:
    """The event that a node's end is, by dbt's status: None for a skipped node, which has no run."""
    return _ENDS.get(status.lower(), "FAIL")


def invocation_event(kind: Kind, invocation: Invocation, at: str, end: InvocationEnd | None = None) -> Event:
    """The event of a dbt command; `end` says why it ended."""
    producer = facets.producer_uri(invocation["lineal_version"])
    run_facets = _run_facets(producer, invocation)
    if end is not None and (hooks := end.get("hooks")):
        run_facets["lineal_invocation"]["hooks"] = [
            {**hook, "sql": hidden(hook["sql"], invocation["sql_mode"])} for hook in hooks
        ]
    if invocation["parent"] is not None:
        run_facets["parent"] = facets.parent(producer, invocation["parent"], invocation["root"])
    if kind == "FAIL":
        reason = end["reason"] if end else None
        message = reason or "dbt did not succeed: see the runs of its nodes"
        run_facets["errorMessage"] = facets.error_message(producer, message)
    job = {
        "namespace": invocation["job_namespace"],
        "name": invocation["job_name"],
        "facets": {"jobType": facets.job_type(producer, "JOB")},
    }
    run = {"runId": str(as_uuid(invocation["invocation_id"])), "facets": run_facets}
    return _event(kind, at, producer, run, job, [], [])


def node_event(
    kind: Kind,
    invocation: Invocation,
    node: Node,
    at: str,
    analysis: Analysis | None,
    known: Known,
    end: NodeEnd | None = None,
) -> Event:
    """The event of a node: the same inputs, outputs, schema and column lineage at its start and at its end."""
    producer = facets.producer_uri(invocation["lineal_version"])
    namespaces = Namespaces.from_json(invocation["namespaces"])
    datasets = Datasets(node, namespaces)
    run = {
        "runId": node_run_id(invocation["invocation_id"], node["unique_id"], node["batch"]),
        "facets": _node_run_facets(producer, kind, invocation, node, namespaces, end)
        | extraction_error(producer, invocation, analysis),
    }
    job = {
        "namespace": invocation["job_namespace"],
        "name": job_name(node),
        "facets": job_facets(producer, invocation, node),
    }
    outputs: list[dict[str, Any]] = []
    read: dict[Dataset, str | None] = {}
    if node["resource_type"] in _OUTPUT and datasets.own is not None:
        output, read = _output(producer, invocation, node, datasets, namespaces, analysis, known, end)
        outputs.append(output)
    inputs = _inputs(producer, node, datasets, namespaces, read, known, end)
    return _event(kind, at, producer, run, job, inputs, outputs)


def _event(
    kind: Kind,
    at: str,
    producer: str,
    run: dict[str, Any],
    job: dict[str, Any],
    inputs: list[dict[str, Any]],
    outputs: list[dict[str, Any]],
) -> Event:
    return {
        "eventType": kind,
        "eventTime": at,
        "producer": producer,
        "schemaURL": f"{facets.CORE_SCHEMA}RunEvent",
        "run": run,
        "job": job,
        "inputs": inputs,
        "outputs": outputs,
    }


def _run_facets(producer: str, invocation: Invocation) -> dict[str, Any]:
    version, git = invocation["lineal_version"], invocation["git"]
    told = {
        "command": invocation["command"],
        "project": invocation["project"],
        "target": invocation["target"],
        "adapter": invocation["adapter"],
        "dbtVersion": invocation["dbt_version"],
        "linealVersion": version,
        "selectors": invocation["selectors"],
        "gitSha": git["sha"] if git else None,
        "gitBranch": git["branch"] if git else None,
    }
    return {
        "processing_engine": facets.processing_engine(producer, invocation["dbt_version"], version),
        "tags": facets.run_tags(producer),
        "lineal_invocation": facets.custom(producer, facets.INVOCATION_SCHEMA, told),
    }


def _node_run_facets(
    producer: str, kind: Kind, invocation: Invocation, node: Node, namespaces: Namespaces, end: NodeEnd | None
) -> dict[str, Any]:
    told = _run_facets(producer, invocation)
    command: RunRef = {
        "namespace": invocation["job_namespace"],
        "name": invocation["job_name"],
        "run_id": str(as_uuid(invocation["invocation_id"])),
    }
    told["parent"] = facets.parent(producer, command, invocation["root"] or command)
    if node["batch"] is not None:
        told["nominalTime"] = facets.nominal_time(producer, node["batch"]["start"], node["batch"]["end"])
    if end is None:
        return told
    if kind == "FAIL":
        message = hidden(end["message"] or f"dbt reported {end['status']}", invocation["sql_mode"])
        language = node["language"] if node["language"] != "sql" else "sql"
        told["errorMessage"] = facets.error_message(producer, message or "hidden", language)
    query_id = _query_id(end["adapter_response"])
    if query_id is not None:
        told["externalQuery"] = facets.external_query(producer, query_id, namespaces.default.namespace)
    if node["test"] is not None:
        told["test"] = facets.tests(producer, [result(node, end, invocation["sql_mode"])])
    return told


def _query_id(response: Mapping[str, Any]) -> str | None:
    """The warehouse's id of the query: Snowflake's, Athena's and Redshift's, or BigQuery's project:location.job."""
    job = response.get("job_id")
    if job and response.get("project_id") and response.get("location"):
        return f"{response['project_id']}:{response['location']}.{job}"
    found = response.get("query_id") or job
    return str(found) if found else None


def _output(
    producer: str,
    invocation: Invocation,
    node: Node,
    datasets: Datasets,
    namespaces: Namespaces,
    analysis: Analysis | None,
    known: Known,
    end: NodeEnd | None,
) -> tuple[dict[str, Any], dict[Dataset, str | None]]:
    """The output with its facets, and the datasets that its lineage reads with dbt's id of each."""
    assert datasets.own is not None  # noqa: S101 - the caller has looked
    namespace, name = datasets.own
    columns = known.columns(node["unique_id"]) or []
    if analysis is not None and not columns:
        columns = [(column.name, None) for column in analysis.lineage.columns]
    told = output_facets(producer, node, datasets.own, columns, datasets, namespaces)
    change = change_of(invocation, node, end)
    if change is not None:
        told["lifecycleStateChange"] = facets.lifecycle_state_change(producer, change)
    read: dict[Dataset, str | None] = {}
    if analysis is not None:
        lineage = settled(node, analysis, columns)
        built, read = lineage_facets(producer, invocation, node, analysis, lineage, datasets, known)
        told |= built
    output: dict[str, Any] = {"namespace": namespace, "name": name, "facets": told}
    # Not of `no-op` or `reused`, which write nothing.
    rows = end["adapter_response"].get("rows_affected") if end is not None and end["status"] == "success" else None
    if isinstance(rows, int) and rows >= 0 and node["materialized"] != "view":
        output["outputFacets"] = {"outputStatistics": facets.output_statistics(producer, rows)}
    return output, read


def _inputs(
    producer: str,
    node: Node,
    datasets: Datasets,
    namespaces: Namespaces,
    read: Mapping[Dataset, str | None],
    known: Known,
    end: NodeEnd | None,
) -> list[dict[str, Any]]:
    """What dbt says is read and what the SQL is seen to read, each dataset once."""
    told: dict[Dataset, dict[str, Any]] = {}
    for each, dataset in datasets.inputs:
        if dataset in told:
            continue
        own = input_facets(producer, each, dataset, known, datasets, namespaces)
        told[dataset] = {"namespace": dataset[0], "name": dataset[1], "facets": own}
        checked = assertion(node, each, end)
        if checked is not None:
            quality = facets.data_quality_assertions(producer, [checked])
            told[dataset]["inputFacets"] = {"dataQualityAssertions": quality}
        if end is not None and (loaded_at := end.get("loaded_at")):
            metrics = facets.data_quality_metrics(producer, loaded_at)
            told[dataset].setdefault("inputFacets", {})["dataQualityMetrics"] = metrics
    for dataset in read:
        if dataset not in told:
            source = {"dataSource": facets.data_source(producer, dataset[0])}
            told[dataset] = {"namespace": dataset[0], "name": dataset[1], "facets": source}
    return list(told.values())
