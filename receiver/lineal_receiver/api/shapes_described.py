"""The shapes of v1's bodies and answers, for the API's description. `x?` may be null; `[x]` is a list of x.

v2's are told in the same words, with what each key says: `kind: text`.
"""

from typing import Any

Schema = dict[str, Any]
Shape = dict[str, str]
Told = dict[str, str]
"""By key, `kind: what it says`; a key that ends with `?` isn't always there."""

PRIMITIVES: dict[str, Schema] = {
    "text": {"type": "string"},
    "time": {"type": "string", "format": "date-time"},
    "uuid": {"type": "string", "format": "uuid"},
    "whole": {"type": "integer"},
    "flag": {"type": "boolean"},
    "any": {},
    "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
    "facets": {"type": "object", "additionalProperties": {"type": "object"}},
    "sent": {"type": "object"},
    "texts": {"type": "object", "additionalProperties": {"type": "string"}},
}

JOB_DATA = {
    "id": "Name", "type": "text", "name": "text", "simpleName": "text", "parentJobName": "text?",
    "parentJobUuid": "uuid?", "createdAt": "time", "updatedAt": "time", "namespace": "text", "inputs": "[Name]",
    "outputs": "[Name]", "location": "text?", "description": "text?", "latestRun": "Run?",
}  # fmt: skip
DATASET_DATA = {
    "id": "Name", "type": "text", "name": "text", "physicalName": "text", "createdAt": "time", "updatedAt": "time",
    "namespace": "text", "sourceName": "text", "fields": "[Field]", "tags": "[text]", "lastModifiedAt": "time?",
    "description": "text?", "lastLifecycleState": "text?",
}  # fmt: skip
OLD_KINDS = {"transformationDescription": "text?", "transformationType": "text?"}
COUNTED = {"startInterval": "time", "endInterval": "time"}

NOUNS: dict[str, Shape] = {
    "Name": {"namespace": "text", "name": "text"},
    "VersionName": {"namespace": "text", "name": "text", "version": "uuid"},
    "Namespace": {
        "name": "text", "createdAt": "time", "updatedAt": "time", "ownerName": "text", "description": "text?",
        "isHidden": "flag",
    },
    "Source": {
        "type": "text", "name": "text", "createdAt": "time", "updatedAt": "time", "connectionUrl": "text",
        "description": "text?",
    },
    "Tag": {"name": "text", "description": "text?"},
    "Field": {"name": "text", "type": "text?", "tags": "[text]", "description": "text?"},
    "RunDataset": {"datasetVersionId": "VersionName", "facets": "facets"},
    "Run": {
        "id": "uuid", "createdAt": "time", "updatedAt": "time", "nominalStartTime": "time?", "nominalEndTime": "time?",
        "state": "text", "startedAt": "time?", "endedAt": "time?", "durationMs": "whole?", "args": "texts",
        "jobVersion": "VersionName?", "inputDatasetVersions": "[RunDataset]", "outputDatasetVersions": "[RunDataset]",
        "facets": "facets",
    },
    "Job": {
        **JOB_DATA, "latestRuns": "[Run]?", "facets": "facets", "currentVersion": "uuid?", "labels": "[text]",
        "tags": "[text]",
    },
    "JobVersion": {
        "id": "VersionName", "name": "text", "createdAt": "time", "version": "uuid", "namespace": "text",
        "location": "text?", "inputs": "[Name]", "outputs": "[Name]", "latestRun": "Run?",
    },
    "InputField": {"namespace": "text", "dataset": "text", "field": "text", **OLD_KINDS},
    "ColumnLineage": {"name": "text", "inputFields": "[InputField]", **OLD_KINDS},
    "Dataset": {
        **DATASET_DATA, "currentVersion": "uuid?", "columnLineage": "[ColumnLineage]?", "facets": "facets",
        "deleted": "flag",
    },
    "DatasetVersion": {
        "id": "Name", "type": "text", "name": "text", "physicalName": "text", "createdAt": "time", "version": "uuid",
        "namespace": "text", "sourceName": "text", "fields": "[Field]", "tags": "[text]", "lifecycleState": "text?",
        "description": "text?", "currentSchemaVersion": "uuid?", "createdByRun": "Run?", "facets": "facets",
    },
    "Edge": {"origin": "text", "destination": "text"},
    "JobData": {**JOB_DATA, "currentRunUuid": "uuid?"},
    "DatasetData": DATASET_DATA,
    "Transformation": {"type": "text", "subtype": "text", "description": "text", "masking": "flag"},
    "ColumnInput": {
        "namespace": "text", "dataset": "text", "datasetVersion": "uuid?", "field": "text", **OLD_KINDS,
        "transformations": "[Transformation]",
    },
    "ColumnData": {
        "namespace": "text", "dataset": "text", "datasetVersion": "uuid?", "field": "text", "fieldType": "text?",
        "status": "text?", "reason": "text?", "message": "text?", "expression": "text?", **OLD_KINDS,
        "inputFields": "[ColumnInput]",
    },
    "JobNode": {"id": "text", "type": "text", "data": "JobData", "inEdges": "[Edge]", "outEdges": "[Edge]"},
    "DatasetNode": {"id": "text", "type": "text", "data": "DatasetData", "inEdges": "[Edge]", "outEdges": "[Edge]"},
    "ColumnNode": {"id": "text", "type": "text", "data": "ColumnData", "inEdges": "[Edge]", "outEdges": "[Edge]"},
    "EventJob": {"namespace": "text", "name": "text", "facets": "sent?"},
    "EventRun": {"runId": "text", "facets": "sent?"},
    "EventDataset": {
        "namespace": "text", "name": "text", "facets": "sent?", "inputFacets": "sent?", "outputFacets": "sent?",
    },
    "Event": {
        "eventType": "text?", "eventTime": "text", "run": "EventRun", "job": "EventJob", "inputs": "[EventDataset]?",
        "outputs": "[EventDataset]?", "producer": "text", "schemaURL": "text?",
    },
    "RunFacets": {"runId": "uuid", "facets": "facets"},
    "UpstreamJob": {"namespace": "text", "name": "text", "version": "uuid?"},
    "UpstreamTimes": {"id": "uuid", "start": "time?", "end": "time?", "status": "text"},
    "UpstreamInput": {"namespace": "text", "name": "text", "version": "uuid?", "producedByRunId": "uuid?"},
    "UpstreamRun": {"job": "UpstreamJob", "run": "UpstreamTimes", "inputs": "[UpstreamInput]"},
    "Found": {"type": "text", "name": "text", "updatedAt": "time", "namespace": "text", "nodeId": "text"},
    "EventCounts": {**COUNTED, "start": "whole", "complete": "whole", "fail": "whole", "abort": "whole"},
    "Count": {**COUNTED, "count": "whole"},
    "Refused": {"code": "whole", "message": "text"},
}  # fmt: skip

# `x!` must be there.
BODIES: dict[str, Shape] = {
    "PutNamespace": {"ownerName": "text!", "description": "text?"},
    "PutSource": {"type": "text!", "connectionUrl": "text!", "description": "text?"},
    "PutField": {"name": "text!", "type": "text?", "tags": "[text]?", "description": "text?"},
    "PutDataset": {
        "type": "text!", "physicalName": "text!", "sourceName": "text!", "fields": "[PutField]?", "tags": "[text]?",
        "description": "text?", "schemaLocation": "text?", "runId": "uuid?",
    },
    "PutJob": {
        "type": "text!", "inputs": "[Name]!", "outputs": "[Name]!", "location": "text?", "description": "text?",
        "runId": "uuid?",
    },
    "CreateRun": {"id": "uuid?", "nominalStartTime": "time?", "nominalEndTime": "time?", "args": "texts?"},
    "PutTag": {"description": "text?"},
}  # fmt: skip


def build_schemas() -> dict[str, Schema]:
    """Every noun and body by name."""
    answers = {name: _build(shape, list(shape)) for name, shape in NOUNS.items()}
    bodies = {
        name: _build(shape, [key for key, kind in shape.items() if kind.endswith("!")])
        for name, shape in BODIES.items()
    }
    return answers | bodies


def _build(shape: Shape, required: list[str]) -> Schema:
    """An object; it may hold other keys as well."""
    described: Schema = {"type": "object", "properties": {key: build_kind(kind) for key, kind in shape.items()}}
    return {**described, "required": required} if required else described


def build_told(shape: Told) -> Schema:
    """An object of which each key is explained; it may hold other keys as well."""
    properties: dict[str, Schema] = {}
    for key, told in shape.items():
        kind, _, text = told.partition(": ")
        properties[key.removesuffix("?")] = {**build_kind(kind), "description": text}
    required = [key for key in shape if not key.endswith("?")]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def build_kind(kind: str) -> Schema:
    """The schema of a kind: a primitive, a noun, `a|b` either, a list of these, null if it ends with a `?`."""
    if kind.endswith("?"):
        return {"anyOf": [build_kind(kind[:-1]), {"type": "null"}]}
    kind = kind.removesuffix("!")
    if kind.startswith("["):
        return {"type": "array", "items": build_kind(kind[1:-1])}
    if "|" in kind:
        return {"anyOf": [build_kind(one) for one in kind.split("|")]}
    return PRIMITIVES.get(kind, {"$ref": f"#/components/schemas/{kind}"})
