"""The API's description (/docs, /openapi.json): the reads as their routes say, and the intake beside them."""

from typing import Any

from fastapi import FastAPI

from lineal_receiver.api.lineage import BATCH, ONE
from lineal_receiver.api.routes_described import describe_routes
from lineal_receiver.api.shapes_described import Told, build_kind, build_told
from lineal_receiver.api.v2.described import describe_reads
from lineal_receiver.api.v2.writes_described import describe_writes

ABOUT = """Takes OpenLineage events and answers where data comes from.

`/api/v1` speaks as Marquez does, so that its clients work unchanged; `/api/v2` is Lineal's own.
A name in a path is one segment with everything escaped (`/` is `%2F`). Lists take `limit` and `offset`.
Errors: v1 `{"code", "message"}`, v2 RFC 9457's problem details."""

EXAMPLE = {
    "eventType": "COMPLETE",
    "eventTime": "2026-03-01T10:00:00Z",
    "run": {"runId": "0190a000-0000-7000-8000-000000000001"},
    "job": {"namespace": "nightly", "name": "load_orders"},
    "inputs": [{"namespace": "postgres://db.example:5432", "name": "shop.public.orders"}],
    "outputs": [{"namespace": "postgres://db.example:5432", "name": "shop.marts.orders"}],
    "producer": "https://example.com/my-scheduler",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
}

BATCH_NOUNS: dict[str, Told] = {
    "BatchAnswer": {
        "status": "BatchStatus: whether all are kept",
        "summary": "BatchSummary: how many there were",
        "failed_events": "[BatchFailure]: those that weren't kept",
    },
    "BatchSummary": {
        "received": "whole: in all",
        "successful": "whole: kept, or kept already",
        "failed": "whole: not kept",
        "retriable": "whole: of these, those to send again",
        "non_retriable": "whole: of these, those that are refused as they are",
    },
    "BatchFailure": {
        "index": "whole: its place in the array, from 0",
        "reason": "text: why",
        "retriable": "flag: it may be kept if it is sent again",
    },
}
BATCH_STATUSES = {"type": "string", "enum": ["success", "partial_success"]}
BATCH_EXAMPLE = {
    "status": "partial_success",
    "summary": {"received": 2, "successful": 1, "failed": 1, "retriable": 0, "non_retriable": 1},
    "failed_events": [{"index": 1, "reason": "at /run/runId: 'runId' is missing", "retriable": False}],
}

REFUSALS = {
    "400": "Not JSON, not one object, nested too deeply, broken gzip. The body is kept among the rejected.",
    "413": "Larger than the limit, unpacked (`LINEAL_MAX_BODY_BYTES`).",
    "415": "Another content type than JSON in UTF-8, or another coding than gzip.",
    "422": "Breaks OpenLineage's schema: `errors` gives pointer, rule, expected. The body is kept among the rejected.",
    "503": "PostgreSQL is away, or it isn't known whether it committed: send it again after `Retry-After`.",
}


def install_description(app: FastAPI) -> None:
    """Describe the whole API, intake included."""
    build = app.openapi

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            described = build()
            describe_routes(described)
            describe_reads(described)
            describe_writes(described)
            described["components"]["schemas"] |= {name: build_told(shape) for name, shape in BATCH_NOUNS.items()}
            described["components"]["schemas"]["BatchStatus"] = BATCH_STATUSES
            for path, operation in ((ONE, _one()), (BATCH, _batch())):
                described["paths"].setdefault(path, {})["post"] = operation
        return app.openapi_schema or build()

    app.description = ABOUT
    app.openapi = describe  # type: ignore[method-assign] # how FastAPI's documentation extends a description


def _one() -> dict[str, Any]:
    return {
        "summary": "Take An Event",
        "description": "One OpenLineage RunEvent, JobEvent or DatasetEvent. 201: it is kept (or was kept already).",
        "operationId": "take_event",
        "requestBody": _body({"type": "object"}, EXAMPLE),
        "responses": {"201": {"description": "Kept."}} | _refusals(),
    }


def _batch() -> dict[str, Any]:
    content = {"application/json": {"schema": build_kind("BatchAnswer"), "example": BATCH_EXAMPLE}}
    return {
        "summary": "Take Events",
        "description": "An array of events, each taken or refused for itself; the answer says which, and why.",
        "operationId": "take_events",
        "requestBody": _body({"type": "array", "items": {"type": "object"}}, [EXAMPLE]),
        "responses": {"200": {"description": "What became of each event.", "content": content}} | _refusals(),
    }


def _body(schema: dict[str, Any], example: Any) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


def _refusals() -> dict[str, Any]:
    shape = {
        "type": "object",
        "properties": {
            "code": {"type": "integer"},
            "message": {"type": "string"},
            "errors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {key: {"type": "string"} for key in ("pointer", "rule", "expected")},
                },
            },
        },
    }
    return {
        status: {"description": text, "content": {"application/json": {"schema": shape}}}
        for status, text in REFUSALS.items()
    }
