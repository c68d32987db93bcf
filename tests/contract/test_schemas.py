"""The schemas that events are judged by: as the script writes them, closed in themselves,
the same for both validators."""

import importlib.util
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
from lineal_receiver.ingest.validate import Judge

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "schemas"
FILES = sorted(FOLDER.rglob("*.json"))


def documents() -> dict[str, Any]:
    return {document["$id"]: document for document in (json.loads(path.read_bytes()) for path in FILES)}


def test_the_files_are_what_the_script_writes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("write_schemas", ROOT / "tools" / "write_schemas.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
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


@given(FACETS, st.sampled_from(sorted(read_bundle().facets)))
def test_both_validators_agree(facet: dict[str, Any], place: tuple[str, str]) -> None:
    schema = read_bundle().facets[place]
    assert schema.compiled.is_valid(facet) == schema.plain.is_valid(facet)


@given(
    st.dictionaries(st.sampled_from(["eventTime", "producer", "schemaURL", "run", "job", "dataset", "inputs"]), TREES)
)
def test_the_kinds_together_are_the_core_schema(event: dict[str, Any]) -> None:
    """An event that is taken without a flag holds by the core schema as it stands."""
    verdict = Judge(read_bundle()).judge(open_envelope(json.dumps(event).encode()))
    core = Draft202012Validator(documents()[CORE])
    if not verdict.faults and not verdict.flags:
        assert core.is_valid(event)
    if verdict.faults and verdict.faults[0].rule != "format":
        assert not core.is_valid(event)
