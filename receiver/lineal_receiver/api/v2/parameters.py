"""The query parameters of v2's reads of lineage, for the API's description: each once, with an example."""

from collections.abc import Mapping
from typing import Any

from lineal_receiver.api.v2.reasons import SENTENCES

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TIME: Schema = {"type": "string", "description": "RFC 3339, or a date"}
FLAG: Schema = {"type": "boolean"}


def _one_of(*choices: str) -> Schema:
    return {"type": "string", "enum": list(choices)}


def _whole(most: int, least: int = 1) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


Described = tuple[str, Schema, Any]
"""What a parameter is, its schema, and an example."""

_KNOWN: dict[str, Described] = {
    "namespace": ("namespace of the dataset, or, with type=job, of the job", TEXT, "duckdb:///data/shop.duckdb"),
    "name": ("its name", TEXT, "shop.marts.fct_shipments"),
    "field": ("one column of the dataset", TEXT, "shipment_id"),
    "type": ("what `name` names: dataset unless told", _one_of("dataset", "job"), "dataset"),
    "nodeId": ("instead of these: dataset:…, datasetField:… or job:…, as v1 writes it", TEXT, None),
    "asOf": ("what was in force then", TIME, "2026-03-02T12:00:00Z"),
    "at": ("what was in force then", TIME, "2026-03-02T12:00:00Z"),
    "withRows": ("true: also what decides which rows there are, not only what values are made of", FLAG, True),
    "direction": ("both unless told", _one_of("both", "upstream", "downstream"), "upstream"),
    "depth": ("steps from dataset to dataset", _whole(100, 0), 3),
    "columns": ("the columns that datasets are shown with", _one_of("all", "reached", "none"), "reached"),
    "limit": ("how many at most", _whole(5_000), 100),
    "cursor": ("where to go on: as the answer before said", TEXT, None),
    "reason": ("only columns that are unresolved for this reason", _one_of(*SENTENCES), "not_reported"),
    "q": ("a part of a name, in any case, taken literally", TEXT, "orders"),
    "runId": ("the id of a run", TEXT, "0190a000-0000-7000-8000-000000000001"),
    "root": ("true: from the run at the top", FLAG, True),
    "hours": ("so many hours back", _whole(24 * 366), 24),
    "all": ("true: also what has succeeded since", FLAG, True),
}


def describe(*names: str, needed: tuple[str, ...] = (), own: Mapping[str, Described] | None = None) -> dict[str, Any]:
    """`openapi_extra` of a route with these parameters; `own`: those of the route alone."""
    return {
        "parameters": [
            _describe(name, *({**_KNOWN, **(own or {})}[name]), needed=name in needed)
            for name in dict.fromkeys((*names, *(own or {})))
        ]
    }


def _describe(name: str, text: str, schema: Schema, example: Any, *, needed: bool) -> dict[str, Any]:
    described = {"name": name, "in": "query", "required": needed, "description": text, "schema": schema}
    return described if example is None else {**described, "example": example}


TARGET = ("namespace", "name", "field", "type", "nodeId")
AROUND = ("withRows", "direction", "depth", "columns", "limit")
