"""Builds OpenLineage's facets, one function each, as plain dicts with the schema version they follow."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote

from lineal_producer.descriptions import RunRef

Facet = dict[str, Any]
Dataset = tuple[str, str]

CORE_SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
LINEAGE_SCHEMA = "https://lineal.dev/spec/facets/1-0-0/LinealLineageDatasetFacet.json#/$defs/LinealLineageDatasetFacet"
INVOCATION_SCHEMA = "https://lineal.dev/spec/facets/1-0-0/LinealInvocationRunFacet.json#/$defs/LinealInvocationRunFacet"
NODE_SCHEMA = "https://lineal.dev/spec/facets/1-0-0/LinealNodeJobFacet.json#/$defs/LinealNodeJobFacet"
_URI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:\S+")


def producer_uri(lineal_version: str) -> str:
    """The `producer` of every event and `_producer` of every facet."""
    return f"https://lineal.dev/producer/{lineal_version or 'unknown'}"


@cache
def client_version() -> str | None:
    """The version of openlineage-python beside us, None without it."""
    try:
        return version("openlineage-python")
    except PackageNotFoundError:
        return None


def _facet(producer: str, facet: str, schema_version: str, /, **fields: Any) -> Facet:
    url = f"https://openlineage.io/spec/facets/{schema_version}/{facet}.json#/$defs/{facet}"
    return {
        "_producer": producer,
        "_schemaURL": url,
        **{key: value for key, value in fields.items() if value is not None},
    }


# Run


def parent(producer: str, run: RunRef, root: RunRef | None) -> Facet:
    """ParentRunFacet: the run that started this one, and the one that started it all."""
    return _facet(
        producer,
        "ParentRunFacet",
        "1-2-0",
        run={"runId": run["run_id"]},
        job={"namespace": run["namespace"], "name": run["name"]},
        root=root and {"run": {"runId": root["run_id"]}, "job": {"namespace": root["namespace"], "name": root["name"]}},
    )


def processing_engine(producer: str, dbt_version: str, lineal_version: str) -> Facet:
    """ProcessingEngineRunFacet: which dbt ran."""
    return _facet(
        producer,
        "ProcessingEngineRunFacet",
        "1-1-1",
        version=dbt_version,
        name="dbt",
        openlineageAdapterVersion=lineal_version or None,
    )


def error_message(producer: str, message: str, language: str = "sql") -> Facet:
    """ErrorMessageRunFacet: what the database or dbt said."""
    return _facet(producer, "ErrorMessageRunFacet", "1-0-1", message=message, programmingLanguage=language)


def nominal_time(producer: str, start: str, end: str) -> Facet:
    """NominalTimeRunFacet: the times a batch is about."""
    return _facet(producer, "NominalTimeRunFacet", "1-0-1", nominalStartTime=start, nominalEndTime=end)


def external_query(producer: str, query_id: str, source: str) -> Facet:
    """ExternalQueryRunFacet: the warehouse's own id of the query."""
    return _facet(producer, "ExternalQueryRunFacet", "1-0-2", externalQueryId=query_id, source=source)


def run_tags(producer: str) -> Facet:
    """TagsRunFacet: the tag that openlineage-python adds to every run."""
    tag = {"key": "openlineage_client_version", "value": client_version() or "unknown", "source": "OPENLINEAGE_CLIENT"}
    return _facet(producer, "TagsRunFacet", "1-0-0", tags=[tag])


def tests(producer: str, results: list[dict[str, Any]]) -> Facet:
    """TestRunFacet: the results of the tests that a run made."""
    return _facet(producer, "TestRunFacet", "1-0-1", tests=results)


def extraction_error(producer: str, messages: Sequence[str]) -> Facet:
    """ExtractionErrorRunFacet: why the lineage of a run's one statement could not be read."""
    errors = [{"errorMessage": message} for message in messages]
    return _facet(producer, "ExtractionErrorRunFacet", "1-1-2", totalTasks=1, failedTasks=1, errors=errors)


# Job


def job_type(producer: str, kind: str) -> Facet:
    """JobTypeJobFacet: a batch job of dbt, MODEL, SEED, SNAPSHOT, TEST, ..."""
    return _facet(producer, "JobTypeJobFacet", "2-0-4", processingType="BATCH", integration="DBT", jobType=kind)


def sql(producer: str, query: str, dialect: str | None) -> Facet:
    """SQLJobFacet: the compiled SQL."""
    return _facet(producer, "SQLJobFacet", "1-1-0", query=query, dialect=dialect)


def source_code(producer: str, language: str, code: str) -> Facet:
    """SourceCodeJobFacet: the code of a model that isn't SQL."""
    return _facet(producer, "SourceCodeJobFacet", "1-0-1", language=language, sourceCode=code)


def source_code_location(producer: str, url: str, repo: str, path: str, sha: str | None, branch: str | None) -> Facet:
    """SourceCodeLocationJobFacet: the file in its git repository."""
    return _facet(
        producer,
        "SourceCodeLocationJobFacet",
        "1-1-0",
        type="git",
        url=url,
        repoUrl=repo,
        path=path,
        version=sha,
        branch=branch,
    )


def job_documentation(producer: str, description: str) -> Facet:
    """DocumentationJobFacet."""
    return _facet(producer, "DocumentationJobFacet", "1-1-0", description=description)


def job_ownership(producer: str, owners: Iterable[str]) -> Facet:
    """OwnershipJobFacet."""
    return _facet(producer, "OwnershipJobFacet", "1-0-1", owners=[{"name": owner} for owner in owners])


def job_tags(producer: str, tags: Iterable[str], values: Mapping[str, str] | None = None) -> Facet:
    """TagsJobFacet: dbt's tags, and tags with a value of their own."""
    told = [_tag(tag) for tag in tags]
    told += [{"key": key, "value": value, "source": "DBT"} for key, value in (values or {}).items()]
    return _facet(producer, "TagsJobFacet", "1-0-0", tags=told)


def _tag(key: str, field: str | None = None) -> dict[str, str]:
    tag = {"key": key, "value": "true", "source": "DBT"}
    return tag if field is None else {**tag, "field": field}


# Dataset


def data_source(producer: str, namespace: str) -> Facet:
    """DatasourceDatasetFacet; a namespace that is no URI (`bigquery`) has no `uri`."""
    uri = quote(namespace, safe="!#$%&'()*+,/:;=?@[]~-._")
    return _facet(producer, "DatasourceDatasetFacet", "1-0-1", name=namespace, uri=uri if _URI.fullmatch(uri) else None)


def schema(producer: str, fields: Sequence[dict[str, Any]]) -> Facet:
    """SchemaDatasetFacet: all columns in order."""
    return _facet(producer, "SchemaDatasetFacet", "1-2-0", fields=list(fields))


def schema_field(name: str, kind: str | None, description: str | None, position: int) -> dict[str, Any]:
    """One column of a schema facet."""
    field: dict[str, Any] = {"name": name, "ordinal_position": position}
    if kind:
        field["type"] = kind
    if description:
        field["description"] = description
    return field


def dataset_documentation(producer: str, description: str) -> Facet:
    """DocumentationDatasetFacet."""
    return _facet(producer, "DocumentationDatasetFacet", "1-1-0", description=description)


def dataset_type(producer: str, kind: str) -> Facet:
    """DatasetTypeDatasetFacet: TABLE, VIEW, FILE."""
    return _facet(producer, "DatasetTypeDatasetFacet", "1-0-1", datasetType=kind)


def dataset_ownership(producer: str, owners: Iterable[str]) -> Facet:
    """OwnershipDatasetFacet."""
    return _facet(producer, "OwnershipDatasetFacet", "1-0-1", owners=[{"name": owner} for owner in owners])


def dataset_tags(producer: str, tags: Iterable[str], columns: Mapping[str, Iterable[str]]) -> Facet | None:
    """TagsDatasetFacet: dbt's tags of the relation and of its columns; None when there are none."""
    every = [_tag(tag) for tag in tags]
    every += [_tag(tag, column) for column, of_column in columns.items() for tag in of_column]
    return _facet(producer, "TagsDatasetFacet", "1-0-0", tags=every) if every else None


def storage(producer: str, layer: str, file_format: str | None) -> Facet:
    """StorageDatasetFacet: a table format (`delta`, `iceberg`), or the store of files (`s3`, `file`)."""
    return _facet(producer, "StorageDatasetFacet", "1-0-1", storageLayer=layer, fileFormat=file_format)


def catalog(producer: str, framework: str, kind: str, name: str) -> Facet:
    """CatalogDatasetFacet: the catalog that lists a table, its kind (`glue`, `unity`) and its name."""
    return _facet(producer, "CatalogDatasetFacet", "1-1-0", framework=framework, type=kind, name=name)


def lifecycle_state_change(producer: str, change: str) -> Facet:
    """LifecycleStateChangeDatasetFacet: what a run did to the dataset as a whole."""
    return _facet(producer, "LifecycleStateChangeDatasetFacet", "1-0-1", lifecycleStateChange=change)


def symlinks(producer: str, identifiers: Iterable[Dataset]) -> Facet:
    """SymlinksDatasetFacet: the names that other integrations give the same table."""
    told = [{"namespace": namespace, "name": name, "type": "TABLE"} for namespace, name in identifiers]
    return _facet(producer, "SymlinksDatasetFacet", "1-0-1", identifiers=told)


def column_lineage(producer: str, fields: dict[str, Any], rows: list[dict[str, Any]]) -> Facet:
    """ColumnLineageDatasetFacet 1-2-0: each column's inputs, and in `dataset` what decides which rows there are."""
    return _facet(producer, "ColumnLineageDatasetFacet", "1-2-0", fields=fields, dataset=rows or None)


def output_statistics(producer: str, rows: int) -> Facet:
    """OutputStatisticsOutputDatasetFacet: rows written."""
    return _facet(producer, "OutputStatisticsOutputDatasetFacet", "1-0-2", rowCount=rows)


def data_quality_assertions(producer: str, assertions: list[dict[str, Any]]) -> Facet:
    """DataQualityAssertionsDatasetFacet: what tests asserted of a dataset."""
    return _facet(producer, "DataQualityAssertionsDatasetFacet", "1-1-0", assertions=assertions)


def data_quality_metrics(producer: str, last_updated: str) -> Facet:
    """DataQualityMetricsInputDatasetFacet: when a source got its newest row."""
    return _facet(producer, "DataQualityMetricsInputDatasetFacet", "1-0-3", columnMetrics={}, lastUpdated=last_updated)


def custom(producer: str, url: str, fields: Mapping[str, Any]) -> Facet:
    """A facet of ours: every field is written, None too."""
    return {"_producer": producer, "_schemaURL": url, **fields}
