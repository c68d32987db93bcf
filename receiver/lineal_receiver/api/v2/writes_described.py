"""What v2's writes take and answer, for the API's description: an example of each."""

from dataclasses import dataclass, field
from typing import Any

from lineal_receiver.api.v2.answers_described import describe_answer
from lineal_receiver.api.v2.described import read_examples, refuse

OLD, NEW = {"namespace": "hive://m", "name": "shop.orders"}, {"namespace": "s3://shop", "name": "orders"}
ALIAS = {"kind": "dataset", "old": OLD, "new": NEW}
HORIZON = {"at": "2026-01-31T00:00:00Z", "setAt": "2026-03-02T12:00:00Z", "by": "127.0.0.1", "why": "archived"}
ID = "9f2c41d0" * 8
REDACTED = {
    "dryRun": False, "records": 1, "rejected": 0, "rows": {"facet": 1, "facet_body": 1}, "ids": [ID], "id": ID,
    "at": "2026-03-02T12:00:00Z",
}  # fmt: skip
BODY = ("400", "413", "415", "422")
"""How a body can be wrong."""


@dataclass(frozen=True, slots=True)
class Write:
    """A write: the body it takes (None: none), what it answers by status, with which statuses it refuses."""

    takes: dict[str, Any] | None
    answers: dict[str, Any]
    refuses: tuple[str, ...]
    parameters: dict[str, str] = field(default_factory=dict)


WRITES = {
    ("post", "/api/v2/alias"): Write(ALIAS, {"200": ALIAS, "201": ALIAS}, (*BODY, "409")),
    ("delete", "/api/v2/alias"): Write(None, {"200": ALIAS}, ("404", "422")),
    ("put", "/api/v2/horizon"): Write(
        {"at": "2026-01-31", "why": "archived", "by": "ops"}, {"200": {"horizon": HORIZON, "late": 0}}, BODY
    ),
    ("delete", "/api/v2/horizon"): Write(
        None,
        {"200": {"horizon": None, "late": 0}},
        ("404", "422"),
        {"why": "why it is taken away", "by": "who takes it away"},
    ),
    ("post", "/api/v2/redact"): Write(
        {"text": "s3cr3t", "why": "ticket 4711", "dryRun": False}, {"200": REDACTED}, (*BODY, "409")
    ),
    ("post", "/api/v2/rejected/{id}/replay"): Write(
        None, {"200": {"id": ID, "outcome": "accepted"}}, ("400", "404", "409", "413", "415", "422")
    ),
    ("post", "/api/v2/runs/{run}/trust"): Write(
        None, {"200": {"runs": read_examples()["/api/v2/runs"]["runs"]}}, ("404",)
    ),
    ("post", "/api/v2/datasets/trust"): Write(None, {"200": {"dataset": NEW}}, ("400", "404")),
    ("post", "/api/v2/jobs/trust"): Write(
        None, {"200": {"job": {"namespace": "dbt", "name": "orders"}}}, ("400", "404")
    ),
}


def describe_writes(described: dict[str, Any]) -> None:
    """Add to each write of v2 what it takes and answers."""
    for (method, path), write in WRITES.items():
        operation = described["paths"][path][method]
        if write.takes is not None:
            content = {"application/json": {"schema": {"type": "object"}, "example": write.takes}}
            operation["requestBody"] = {"required": True, "content": content}
        for name, text in write.parameters.items():
            told = {"name": name, "in": "query", "required": False, "schema": {"type": "string"}, "description": text}
            operation.setdefault("parameters", []).append(told)
        operation["responses"] = {
            status: {
                "description": "Done.",
                "content": {"application/json": {"schema": describe_answer(method, path), "example": example}},
            }
            for status, example in write.answers.items()
        } | {status: refuse(status) for status in (*write.refuses, "503")}
