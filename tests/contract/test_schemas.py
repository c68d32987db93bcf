"""The schemas that events are judged by: as the script writes them, closed in themselves,
the same for both validators."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openlineage.client import facet_v2
from openlineage.client.event_v2 import Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.serde import Serde

from lineal_receiver.ingest.envelope import open_envelope
from lineal_receiver.ingest.schemas import CORE, read_bundle
from lineal_receiver.ingest.validate import INVALID_CORE, Judge

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "schemas"
FILES = sorted(FOLDER.rglob("*.json"))


def documents() -> dict[str, Any]:
    return {document["$id"]: document for document in (json.loads(path.read_bytes()) for path in FILES)}


def test_the_files_are_what_the_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    script = importlib.import_module("write_schemas")
    written = {path.relative_to(tmp_path): path.read_text() for path in script.write(tmp_path)}
    held = {
        path.relative_to(FOLDER / "openlineage"): path.read_text() for path in (FOLDER / "openlineage").rglob("*.json")
    }
    assert held == written


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_file_is_a_schema_that_refers_to_what_is_here(path: Path) -> None:
    document = json.loads(path.read_bytes())
    Draft202012Validator.check_schema(document)
    assert path.as_posix().endswith(document["$id"].split("/", 3)[3])
    known = documents()
    for reference in references(document):
        base, _, pointer = reference.partition("#")
        target: Any = known[base] if base else document
        for part in pointer.split("/")[1:]:
            target = target[part]


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (value["$ref"],) if isinstance(value.get("$ref"), str) else ()
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_every_facet_of_the_client_has_a_schema_by_what_it_belongs_to() -> None:
    facets = read_bundle().facets
    for entity, key in [
        ("run", "parent"), ("run", "nominalTime"), ("run", "errorMessage"), ("run", "processing_engine"), ("run",
        "tags"),
        ("job", "sql"), ("job", "jobType"), ("job", "sourceCodeLocation"), ("job", "documentation"), ("job", "lineage"),
        ("dataset", "schema"), ("dataset", "columnLineage"), ("dataset", "dataSource"), ("dataset", "version"),
        ("dataset", "lifecycleStateChange"), ("dataset", "symlinks"), ("dataset", "lineage"), ("dataset",
        "lineal_lineage"),
        ("input", "dataQualityMetrics"), ("input", "dataQualityAssertions"), ("input", "subset"), ("output", "subset"),
        ("output", "outputStatistics"), ("input", "inputStatistics"),
    ]:  # fmt: skip
        assert (entity, key) in facets
    assert ("dataset", "outputStatistics") not in facets


def test_what_the_client_sends_holds() -> None:
    lineage = facet_v2.column_lineage_dataset
    source = lineage.InputField("w", "a", "x", [lineage.Transformation("DIRECT", "IDENTITY", "", False)])
    output = OutputDataset(
        namespace="w",
        name="b",
        facets={
            "schema": facet_v2.schema_dataset.SchemaDatasetFacet(
                fields=[facet_v2.schema_dataset.SchemaDatasetFacetFields("x", "int", fields=[])]
            ),
            "columnLineage": lineage.ColumnLineageDatasetFacet({"x": lineage.Fields([source])}, [source]),
        },
        outputFacets={
            "outputStatistics": facet_v2.output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(1)
        },
    )
    parent = facet_v2.parent_run
    event = RunEvent(
        eventType=RunState.COMPLETE,
        eventTime="2026-01-15T10:00:00Z",
        run=Run(
            "01900000-0000-7000-8000-000000000001",
            {"parent": parent.ParentRunFacet(parent.Run("01900000-0000-7000-8000-000000000002"), parent.Job("n", "p"))},
        ),
        job=Job("n", "j", {"sql": facet_v2.sql_job.SQLJobFacet("select 1")}),
        outputs=[output],
    )
    verdict = Judge(read_bundle()).judge(open_envelope(Serde.to_json(event).encode()))
    assert (verdict.faults, verdict.invalid, verdict.flags) == ((), frozenset(), 0)


WORDS = st.sampled_from(["x", "", "DROP", "DIRECT", "location", "2026-01-01T00:00:00Z"])
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | WORDS
KEYS = st.sampled_from(
    ["_producer", "_schemaURL", "fields", "inputFields", "namespace", "name", "field", "type", "transformations",
    "dataset",
     "inputs", "entries", "inputCondition", "outputCondition", "locations", "left", "right", "operator", "run",
     "job", "runId",
     "lifecycleStateChange", "parameters", "key", "value", "tests", "status", "assertions", "success", "rowCount"]
)  # fmt: skip
TREES = st.recursive(SCALARS, lambda t: st.lists(t, max_size=2) | st.dictionaries(KEYS, t, max_size=4), max_leaves=14)
FACETS = st.dictionaries(KEYS, TREES, max_size=5).map(lambda tree: {"_producer": "p", "_schemaURL": "s", **tree})


# Per facet: the keys of each version, and what tells it from the version before.
HISTORY = {
    ("dataset", "catalog"): "1-0-0 1-1-0",
    ("dataset", "columnLineage"): "1-0-0 1-0-1 1-0-2 1-1-0 1-2-0",
    ("dataset", "dataQualityAssertions"): "1-0-0 1-0-1 1-0-2 1-1-0",
    ("dataset", "dataQualityMetrics"): "1-0-0 1-0-1",
    ("dataset", "dataSource"): "1-0-0 1-0-1",
    ("dataset", "datasetType"): "1-0-0 1-0-1",
    ("dataset", "documentation"): "1-0-0 1-0-1 1-1-0",
    ("dataset", "hierarchy"): "1-0-0",
    ("dataset", "lifecycleStateChange"): "1-0-0 1-0-1",
    ("dataset", "lineage"): "1-0-0",
    ("dataset", "lineal_lineage"): "1-0-0",
    ("dataset", "ownership"): "1-0-0 1-0-1",
    ("dataset", "schema"): "1-0-0 1-1-0 1-1-1 1-2-0",
    ("dataset", "storage"): "1-0-0 1-0-1",
    ("dataset", "symlinks"): "1-0-0 1-0-1",
    ("dataset", "tags"): "1-0-0",
    ("dataset", "version"): "1-0-0 1-0-1",
    ("input", "dataQualityAssertions"): "1-0-0 1-0-1 1-0-2 1-1-0",
    ("input", "dataQualityMetrics"): "1-0-0 1-0-1 1-0-2 1-0-3",
    ("input", "icebergScanReport"): "1-0-1",
    ("input", "iceberg_scan_report"): "1-0-0",
    ("input", "inputStatistics"): "1-0-0",
    ("input", "subset"): "1-0-0",
    ("job", "documentation"): "1-0-0 1-0-1 1-1-0",
    ("job", "gcp_common"): "1-0-0",
    ("job", "gcp_composer_job"): "1-0-0",
    ("job", "gcp_lineage"): "1-0-0",
    ("job", "jobType"): "2-0-2 2-0-3 2-0-4",
    ("job", "lineage"): "1-0-0",
    ("job", "lineal_node"): "1-0-0",
    ("job", "ownership"): "1-0-0 1-0-1",
    ("job", "sourceCode"): "1-0-0 1-0-1",
    ("job", "sourceCodeLocation"): "1-0-0 1-0-1 1-1-0",
    ("job", "sql"): "1-0-0 1-0-1 1-1-0",
    ("job", "tags"): "1-0-0",
    ("output", "icebergCommitReport"): "1-0-2",
    ("output", "iceberg_commit_report"): "1-0-1",
    ("output", "iceberg_scan_report"): "1-0-0",
    ("output", "outputStatistics"): "1-0-0 1-0-1 1-0-2",
    ("output", "subset"): "1-0-0",
    ("run", "environmentVariables"): "1-0-0",
    ("run", "errorMessage"): "1-0-0 1-0-1",
    ("run", "executionParameters"): "1-0-0",
    ("run", "externalQuery"): "1-0-0 1-0-2",
    ("run", "extractionError"): "1-0-0 1-1-0 1-1-2",
    ("run", "gcp_composer_run"): "1-0-0",
    ("run", "gcp_dataproc"): "1-0-0",
    ("run", "gcp_dataproc_spark"): "1-0-0",
    ("run", "jobDependencies"): "1-0-0 1-0-1",
    ("run", "lineal_invocation"): "1-0-0",
    ("run", "nominalTime"): "1-0-0 1-0-1",
    ("run", "parent"): "1-0-0 1-0-1 1-1-0 1-2-0",
    ("run", "parentRun"): "1-0-0 1-0-1 1-1-0 1-2-0",
    ("run", "processing_engine"): "1-0-0 1-1-0 1-1-1",
    ("run", "tags"): "1-0-0",
    ("run", "test"): "1-0-0 1-0-1",
}


def test_every_facet_and_version_of_the_specification_is_held_by_entity_and_key() -> None:
    held = {
        place: " ".join(sorted(version for _, version in schemas.versions))
        for place, schemas in read_bundle().facets.items()
    }
    assert held == HISTORY


INPUT = {"namespace": "w", "name": "t", "field": "a"}
# (entity, key, content, the versions that refuse it)
TOLD_APART = [
    ("dataset", "catalog", {"framework": "x", "type": "y", "name": "z", "catalogProperties": {"a": 1}}, "1-1-0"),
    (
        *("dataset", "columnLineage", {"fields": {"a": {"inputFields": [INPUT], "transformationType": 1}}}),
        "1-0-1 1-0-2 1-1-0 1-2-0",
    ),
    (
        *("dataset", "columnLineage", {"fields": {"a": {"inputFields": [{**INPUT, "transformations": [{}]}]}}}),
        "1-1-0 1-2-0",
    ),
    ("dataset", "columnLineage", {"fields": {}, "dataset": [{"namespace": "w"}]}, "1-2-0"),
    ("dataset", "columnLineage", {"fields": {}, "_deleted": "no"}, "1-0-2 1-1-0 1-2-0"),
    ("dataset", "schema", {"fields": [{"name": "a", "fields": [{}]}]}, "1-1-0 1-1-1 1-2-0"),
    ("dataset", "schema", {"fields": [{"name": "a", "ordinal_position": "first"}]}, "1-2-0"),
    ("dataset", "dataQualityMetrics", {"columnMetrics": {}, "captureDate": 3}, "1-0-1"),
    ("dataset", "documentation", {"description": "x", "contentType": 1}, "1-1-0"),
    ("dataset", "ownership", {"_deleted": 1}, "1-0-1"),
    (
        *("input", "dataQualityAssertions", {"assertions": [{"assertion": "x", "success": True, "severity": 1}]}),
        "1-0-2 1-1-0",
    ),
    ("input", "dataQualityAssertions", {"assertions": [{"assertion": "x", "success": True, "params": 1}]}, "1-1-0"),
    ("input", "dataQualityMetrics", {"columnMetrics": {}, "fileCount": "1"}, "1-0-1 1-0-2 1-0-3"),
    ("input", "dataQualityMetrics", {"columnMetrics": {}, "lastUpdated": 1}, "1-0-3"),
    ("job", "jobType", {"processingType": "x", "integration": "y", "emissionPattern": {}}, "2-0-4"),
    (
        *("job", "jobType"),
        {
            "processingType": "x", "integration": "y",
            "emissionPattern": {"eventTrigger": "a", "eventContentMode": "b", "windowDuration": 0},
        },
        "2-0-4",
    ),
    ("job", "sql", {"query": "q", "dialect": 1}, "1-1-0"),
    ("job", "sourceCodeLocation", {"type": "git", "url": "u", "pullRequestNumber": 7}, "1-1-0"),
    ("output", "outputStatistics", {}, "1-0-0"),
    ("output", "outputStatistics", {"rowCount": 1, "fileCount": "x"}, "1-0-1 1-0-2"),
    ("run", "parent", {"run": {"runId": "x"}, "job": {"namespace": "n", "name": "j"}, "root": {}}, "1-1-0 1-2-0"),
    (
        *("run", "parent", {"run": {"runId": "x", "facets": {"a": 1}}, "job": {"namespace": "n", "name": "j"}}),
        "1-2-0",
    ),
    ("run", "processing_engine", {"version": "3"}, "1-0-0"),
    ("run", "processing_engine", {"engine_version": "3"}, "1-1-0 1-1-1"),
    ("run", "extractionError", {"totalTasks": 1, "failedTasks": 1, "errors": []}, "1-0-0"),
    ("run", "extractionError", {"totalElements": 1, "failedElements": 1, "errors": []}, "1-1-0 1-1-2"),
    ("run", "gcp_dataproc", {"appId": "a", "appName": "b", "projectId": "c", "jobType": 1}, "1-0-0"),
    ("run", "gcp_dataproc_spark", {"appId": "a", "appName": "b"}, "1-0-0"),
    ("job", "gcp_lineage", {"origin": {"name": 1}}, "1-0-0"),
    ("input", "iceberg_scan_report", {"filter": 1}, "1-0-0"),
    ("input", "icebergScanReport", {"filterDescription": 1}, "1-0-1"),
    ("output", "iceberg_commit_report", {"commitMetrics": {"totalRecords": "x"}}, "1-0-1"),
    ("output", "icebergCommitReport", {"snapshotId": "x"}, "1-0-2"),
    ("input", "subset", {"inputCondition": {"type": "location", "locations": []}, "outputCondition": 1}, ""),
    (
        *("input", "subset"),
        {
            "inputCondition": {"type": "location", "locations": []},
            "outputCondition": {"type": "location", "locations": []},
        },
        "1-0-0",
    ),
    ("job", "lineage", {"entries": [{"type": "JOB", "name": "x", "inputs": []}], "fields": 1}, "1-0-0"),
]  # fmt: skip


@pytest.mark.parametrize(("entity", "key", "content", "refusing"), TOLD_APART)
def test_a_facet_is_judged_by_its_own_version(entity: str, key: str, content: dict[str, Any], refusing: str) -> None:
    schemas = read_bundle().facets[entity, key]
    refused = [
        version
        for name, version in schemas.versions
        if not schemas.choose(f"https://openlineage.io/spec/facets/{version}/{name}.json#/$defs/{name}").holds(
            {"_producer": "p", "_schemaURL": "s", **content}
        )
    ]
    assert sorted(refused) == refusing.split()


@pytest.mark.parametrize(
    "url", [None, 7, "", "http://else.example/x.json", "https://x/spec/facets/1-0-0/SqlJobFacet.json", "0-9-0", "1-0-7"]
)
def test_without_a_version_that_is_known_the_newest_counts(url: object) -> None:
    schemas = read_bundle().facets["job", "sql"]
    if isinstance(url, str) and url.count("-") == 2 and "/" not in url:
        url = f"https://openlineage.io/spec/facets/{url}/SQLJobFacet.json"
    assert schemas.choose(url) is schemas.newest


def test_a_newer_version_may_have_more_values_and_fields_but_not_other_types() -> None:
    def holds(entity: str, key: str, name: str, content: dict[str, Any]) -> bool:
        url = f"https://openlineage.io/spec/facets/1-9-0/{name}.json"
        facet = {"_producer": "p", "_schemaURL": url, **content}
        return read_bundle().facets[entity, key].choose(url).holds(facet)

    change = ("dataset", "lifecycleStateChange", "LifecycleStateChangeDatasetFacet")
    assert holds(*change, {"lifecycleStateChange": "ARCHIVE"})
    assert not holds(*change, {"lifecycleStateChange": 1})
    assert not holds(*change, {})
    parameters = ("run", "executionParameters", "ExecutionParametersRunFacet")
    assert holds(*parameters, {"parameters": [{"key": "a", "unit": "s"}]})
    subset = ("input", "subset", "BaseSubsetDatasetFacet")
    assert holds(*subset, {"inputCondition": {"type": "place", "locations": []}})


@given(FACETS, st.sampled_from(sorted(read_bundle().facets)))
def test_both_validators_agree(facet: dict[str, Any], place: tuple[str, str]) -> None:
    schema = read_bundle().facets[place].choose(facet.get("_schemaURL"))
    assert schema.compiled.is_valid(facet) == schema.plain.is_valid(facet)


@given(
    st.dictionaries(st.sampled_from(["eventTime", "producer", "schemaURL", "run", "job", "dataset", "inputs"]), TREES)
)
def test_the_kinds_together_are_the_core_schema(event: dict[str, Any]) -> None:
    """An event that is taken without a flag holds by the core schema as it stands."""
    verdict = Judge(read_bundle()).judge(open_envelope(json.dumps(event).encode()))
    core = Draft202012Validator(documents()[CORE])
    if not verdict.faults:
        assert core.is_valid(event) is not bool(verdict.flags & INVALID_CORE)
    if verdict.faults and verdict.faults[0].rule != "format":
        assert not core.is_valid(event)
