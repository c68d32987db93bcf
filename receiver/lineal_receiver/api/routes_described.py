"""What v1's routes take and answer, added to what FastAPI describes of them; the shapes are in `shapes_described`."""

from typing import Any

from lineal_receiver.api.shapes_described import Schema, build_kind, build_schemas

SPACE, DATASET, JOB = (
    "/api/v1/namespaces/{namespace}",
    "/api/v1/namespaces/{namespace}/datasets/{name}",
    "/api/v1/namespaces/{namespace}/jobs/{name}",
)
RUN, STATS = "/api/v1/jobs/runs/{run}", "/api/v1/stats"

PAGES = {
    "/api/v1/namespaces": ("namespaces", "[Namespace]", False),
    "/api/v1/sources": ("sources", "[Source]", False),
    "/api/v1/tags": ("tags", "[Tag]", False),
    "/api/v1/jobs": ("jobs", "[Job]", True),
    f"{SPACE}/jobs": ("jobs", "[Job]", True),
    f"{SPACE}/datasets": ("datasets", "[Dataset]", True),
    f"{DATASET}/versions": ("versions", "[DatasetVersion]", True),
    f"{JOB}/versions": ("versions", "[JobVersion]", False),
    f"{JOB}/runs": ("runs", "[Run]", True),
    "/api/v1/events/lineage": ("events", "[Event]", True),
    "/api/v1/search": ("results", "[Found]", True),
    "/api/v1/runlineage/upstream": ("runs", "[UpstreamRun]", False),
}
"""The key of a list, what it lists, and whether there is a totalCount beside it."""

ANSWERS = {
    ("get", SPACE): "Namespace",
    ("put", SPACE): "Namespace",
    ("delete", SPACE): "Namespace",
    ("get", "/api/v1/sources/{name}"): "Source",
    ("put", "/api/v1/sources/{name}"): "Source",
    ("put", "/api/v1/tags/{tag}"): "Tag",
    ("get", DATASET): "Dataset",
    ("put", DATASET): "Dataset",
    ("delete", DATASET): "Dataset",
    ("get", f"{DATASET}/versions/{{version}}"): "DatasetVersion",
    ("post", f"{DATASET}/tags/{{tag}}"): "Dataset",
    ("delete", f"{DATASET}/tags/{{tag}}"): "Dataset",
    ("post", f"{DATASET}/fields/{{field}}/tags/{{tag}}"): "Dataset",
    ("delete", f"{DATASET}/fields/{{field}}/tags/{{tag}}"): "Dataset",
    ("get", JOB): "Job",
    ("put", JOB): "Job",
    ("delete", JOB): "Job",
    ("get", f"{JOB}/versions/{{version}}"): "JobVersion",
    ("post", f"{JOB}/tags/{{tag}}"): "Job",
    ("delete", f"{JOB}/tags/{{tag}}"): "Job",
    ("post", f"{JOB}/runs"): "Run",
    ("get", RUN): "Run",
    ("get", f"{RUN}/facets"): "RunFacets?",
    ("post", f"{RUN}/{{state}}"): "Run",
    ("get", f"{STATS}/lineage-events"): "[EventCounts]",
    ("get", f"{STATS}/jobs"): "[Count]",
    ("get", f"{STATS}/datasets"): "[Count]",
    ("get", f"{STATS}/sources"): "[Count]",
}
GRAPHS = {"/api/v1/lineage": ("JobNode", "DatasetNode"), "/api/v1/column-lineage": ("ColumnNode",)}

TAKES = {
    SPACE: "PutNamespace",
    "/api/v1/sources/{name}": "PutSource",
    "/api/v1/tags/{tag}": "PutTag",
    DATASET: "PutDataset",
    JOB: "PutJob",
    f"{JOB}/runs": "CreateRun",
}
NEED_NONE = frozenset({"PutTag", "CreateRun"})
ORDERS = {"namespace": "postgres://db.example:5432", "name": "shop.public.orders"}
EXAMPLES: dict[str, dict[str, Any]] = {
    "PutNamespace": {"ownerName": "shop", "description": "The shop's warehouse"},
    "PutSource": {"type": "POSTGRESQL", "connectionUrl": "postgresql://db.example:5432/shop"},
    "PutTag": {"description": "Trusted"},
    "PutDataset": {
        "type": "DB_TABLE",
        "physicalName": "public.orders",
        "sourceName": "warehouse",
        "fields": [{"name": "id", "type": "bigint", "tags": ["KEY"]}],
    },
    "PutJob": {"type": "BATCH", "inputs": [ORDERS], "outputs": [], "location": "https://example.com/load.py"},
    "CreateRun": {"nominalStartTime": "2026-03-01T00:00:00Z", "args": {"full": "true"}},
}

WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
TIME: Schema = {"type": "string", "format": "date-time"}
PARAMETERS: dict[str, Schema] = {
    "limit": WHOLE,
    "offset": WHOLE,
    "depth": WHOLE,
    "asOf": TIME,
    "at": TIME,
    "withDownstream": {"type": "boolean"},
    "latestRun": {"type": "boolean"},
    "sortDirection": {"type": "string", "enum": ["desc", "asc"]},
    "period": {"type": "string", "enum": ["DAY", "WEEK"]},
    "filter": {"type": "string", "enum": ["JOB", "DATASET"]},
    "sort": {"type": "string", "enum": ["NAME", "UPDATE_AT"]},
}
NEEDED = {
    "/api/v1/search": "q",
    "/api/v1/runlineage/upstream": "runId",
    f"{RUN}/facets": "type",
    **{f"{STATS}/{noun}": "period" for noun in ("lineage-events", "jobs", "datasets", "sources")},
}

REFUSALS = {
    "400": "A parameter or a body that doesn't hold.",
    "404": "Nothing of this name, or a path or a parameter that can't be read at all.",
}
INVALID: Schema = {"type": "object", "properties": {"errors": build_kind("[text]")}, "required": ["errors"]}


def describe_routes(described: dict[str, Any]) -> None:
    """Say of each route of v1 what it takes and answers; FastAPI's own refusals, which no route gives, go."""
    described["components"] = {"schemas": build_schemas()}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            if "HTTPValidationError" in str(operation["responses"].get("422")):
                del operation["responses"]["422"]
            answered = find_answer(method, path)
            if answered is not None:
                _describe(method, path, operation, answered)


def find_answer(method: str, path: str) -> Schema | None:
    """The shape that a route of v1 answers with; None of others."""
    if method == "get" and path in PAGES:
        key, kind, counted = PAGES[path]
        listed = {key: build_kind(kind)} | ({"totalCount": build_kind("whole")} if counted else {})
        return {"type": "object", "properties": listed, "required": list(listed)}
    if method == "get" and path in GRAPHS:
        nodes = {"type": "array", "items": {"anyOf": [build_kind(kind) for kind in GRAPHS[path]]}}
        return {"type": "object", "properties": {"graph": nodes}, "required": ["graph"]}
    kind = ANSWERS.get((method, path), "")
    return build_kind(kind) if kind else None


def _describe(method: str, path: str, operation: dict[str, Any], answered: Schema) -> None:
    good = "201" if (method, path) == ("post", f"{JOB}/runs") else "200"
    operation["responses"] = {
        good: {"description": "As asked.", "content": _json(answered)},
        **{
            status: {"description": text, "content": _json({"anyOf": [build_kind("Refused"), INVALID]})}
            for status, text in REFUSALS.items()
        },
    }
    takes = TAKES.get(path) if method in ("put", "post") else None
    if takes is not None:
        content = {"application/json": {"schema": build_kind(takes), "example": EXAMPLES[takes]}}
        operation["requestBody"] = {"required": takes not in NEED_NONE, "content": content}
        operation["responses"]["422"] = {"description": "A body that lacks something.", "content": _json(INVALID)}
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "query":
            parameter["required"] = parameter["name"] == NEEDED.get(path)
            parameter["schema"] = PARAMETERS.get(parameter["name"], _without_null(parameter["schema"]))


def _without_null(schema: Schema) -> Schema:
    """A query parameter is left out, never null."""
    kinds = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else schema


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
