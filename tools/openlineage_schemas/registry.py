"""Facets that others registered with the specification; openlineage-python has no classes for them."""

from collections.abc import Iterator
from typing import Any

from openlineage_schemas.core import DIALECT, identify_core

_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}


def _object(fields: dict[str, Any], *required: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": fields}
    return schema | ({"required": list(required)} if required else {})


def _texts(names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), _TEXT)


def _numbers(names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), _NUMBER)


_ORIGIN = _object({"displayName": _TEXT, "origin": _object(_texts("sourceType name"))})
_DATAPROC = _texts(
    "appId appName batchId batchUuid clusterName clusterUuid jobId jobUuid projectId queryNodeName sessionId "
    "sessionUuid"
)
_COMMIT_METRICS = _numbers(
    "totalDuration attempts addedDataFiles removedDataFiles totalDataFiles addedDeleteFiles addedEqualityDeleteFiles "
    "addedPositionalDeleteFiles addedDVs removedDeleteFiles removedEqualityDeleteFiles removedPositionalDeleteFiles "
    "removedDVs totalDeleteFiles addedRecords removedRecords totalRecords addedFilesSizeInBytes "
    "removedFilesSizeInBytes totalFilesSizeInBytes addedPositionalDeletes removedPositionalDeletes "
    "totalPositionalDeletes addedEqualityDeletes removedEqualityDeletes totalEqualityDeletes"
)
_SCAN_METRICS = _numbers(
    "totalPlanningDuration resultDataFiles resultDeleteFiles totalDataManifests totalDeleteManifests "
    "scannedDataManifests skippedDataManifests totalFileSizeInBytes totalDeleteFileSizeInBytes skippedDataFiles "
    "skippedDeleteFiles scannedDeleteManifests skippedDeleteManifests indexedDeleteFiles equalityDeleteFiles "
    "positionalDeleteFiles"
)
_COMMIT = _object(
    {
        **_numbers("snapshotId sequenceNumber"),
        "operation": _TEXT,
        "commitMetrics": _object(_COMMIT_METRICS),
        "metadata": {"type": "object"},
    }
)


def _scan(filter_name: str) -> dict[str, Any]:
    return _object(
        {
            "snapshotId": _NUMBER,
            filter_name: _TEXT,
            "schemaId": _NUMBER,
            "projectedFieldNames": {"type": "array", "items": _TEXT},
            "scanMetrics": _object(_SCAN_METRICS),
            "metadata": {"type": "object"},
        }
    )


# (class, version, key, what it belongs to, schema): a class may have had other keys before.
FACETS: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("GcpCommonJobFacet", "1-0-0", "gcp_common", "JobFacet", _ORIGIN),
    ("GcpLineageJobFacet", "1-0-0", "gcp_lineage", "JobFacet", _ORIGIN),
    (
        *("GcpComposerJobFacet", "1-0-0", "gcp_composer_job", "JobFacet"),
        _object(
            _texts("environmentName dagId operator taskId airflowVersion composerVersion"),
            *("environmentName", "dagId", "airflowVersion", "composerVersion"),
        ),
    ),
    ("GcpComposerRunFacet", "1-0-0", "gcp_composer_run", "RunFacet", _object({"dagRunId": _TEXT}, "dagRunId")),
    (
        *("GcpDataprocRunFacet", "1-0-0", "gcp_dataproc", "RunFacet"),
        _object(_DATAPROC | {"jobType": _TEXT}, "appId", "appName", "projectId"),
    ),
    (
        *("GcpDataprocSparkRunFacet", "1-0-0", "gcp_dataproc_spark", "RunFacet"),
        _object(_DATAPROC, "appId", "appName", "projectId"),
    ),
    ("IcebergCommitReportOutputDatasetFacet", "1-0-0", "iceberg_scan_report", "OutputDatasetFacet", _COMMIT),
    ("IcebergCommitReportOutputDatasetFacet", "1-0-1", "iceberg_commit_report", "OutputDatasetFacet", _COMMIT),
    ("IcebergCommitReportOutputDatasetFacet", "1-0-2", "icebergCommitReport", "OutputDatasetFacet", _COMMIT),
    ("IcebergScanReportInputDatasetFacet", "1-0-0", "iceberg_scan_report", "InputDatasetFacet", _scan("filter")),
    (
        *("IcebergScanReportInputDatasetFacet", "1-0-1", "icebergScanReport", "InputDatasetFacet"),
        _scan("filterDescription"),
    ),
]


def build_registered() -> Iterator[dict[str, Any]]:
    """The schema of every registered facet and version."""
    for name, version, key, entity, own in FACETS:
        base = {"$ref": f"{identify_core()}#/$defs/{entity}"}
        yield {
            "$schema": DIALECT,
            "$id": f"https://openlineage.io/spec/facets/{version}/{name}.json",
            "$defs": {name: {"allOf": [base, own], "type": "object"}},
            "type": "object",
            "properties": {key: {"$ref": f"#/$defs/{name}"}},
        }
