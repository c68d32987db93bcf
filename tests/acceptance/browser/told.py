"""What the receiver is told beside the shop: a table whose columns change, a failed run, a thousand tables."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest

from ..real_receiver import DIRECT

NAMESPACE = "story"
FIRST, SECOND = datetime(2026, 3, 1, 10, tzinfo=timezone.utc), datetime(2026, 3, 2, 10, tzinfo=timezone.utc)
TABLES, BRANCHES = 1_000, 4
BATCH = 500


def send(url: str, events: list[dict[str, Any]]) -> None:
    """All of `events`; AssertionError if one isn't taken."""
    for begin in range(0, len(events), BATCH):
        body = json.dumps(events[begin : begin + BATCH]).encode()
        told = json.loads(_post(f"{url}/api/v1/lineage/batch", body))
        assert told["summary"]["failed"] == 0, told


def send_refused(url: str) -> None:
    """An event that the receiver refuses: its run has no id."""
    body = json.dumps(event("nameless", 0, FIRST) | {"run": {}}).encode()
    with pytest.raises(urllib.error.HTTPError, match="422"):
        _post(f"{url}/api/v1/lineage", body)


def _post(address: str, body: bytes) -> bytes:
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with DIRECT.open(request, timeout=300) as answer:
        content: bytes = answer.read()
        return content


def event(job: str, run: int, at: datetime, kind: str = "COMPLETE", **rest: Any) -> dict[str, Any]:
    return {
        "eventType": kind,
        "eventTime": at.isoformat(),
        "producer": "https://example.com/story",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(UUID(int=run, version=4)), "facets": rest.pop("run_facets", {})},
        "job": {"namespace": NAMESPACE, "name": job, "facets": rest.pop("job_facets", {})},
        **rest,
    }


def facet(**content: Any) -> dict[str, Any]:
    return {"_producer": "https://example.com/story", "_schemaURL": "https://example.com/Facet.json", **content}


def table(name: str, fields: dict[str, str], lineage: dict[str, list[dict[str, Any]]] | None = None) -> dict[str, Any]:
    """A dataset with a schema, and what its columns are made of."""
    facets = {"schema": facet(fields=[{"name": field, "type": kind} for field, kind in fields.items()])}
    if lineage is not None:
        facets["columnLineage"] = facet(fields={field: {"inputFields": inputs} for field, inputs in lineage.items()})
    return {"namespace": NAMESPACE, "name": name, "facets": facets}


def made_of(name: str, field: str, subtype: str = "IDENTITY", kind: str = "DIRECT", **more: Any) -> dict[str, Any]:
    transformations = [{"type": kind, "subtype": subtype, "masking": False, **more}]
    return {"namespace": NAMESPACE, "name": name, "field": field, "transformations": transformations}


def story(now: datetime) -> list[dict[str, Any]]:
    """A table `mart` that loses y, gets z, an unresolved w and another type of x on the second day.

    A run of its job failed, below one of `nightly` that completed; another job used that run's id again, and completed.
    Of `backup`'s columns nothing is said.
    """
    raw = {"namespace": NAMESPACE, "name": "raw"}
    mart = {"namespace": NAMESPACE, "name": "mart"}
    hashed = made_of("raw", "c", "TRANSFORMATION", masking=True, description="sha256(c)")
    failed_at = now - timedelta(hours=1)
    file = {"type": "git", "url": "https://example.com/story/load.sql", "path": "models/load.sql", "version": "c0ffee"}
    located = {"sourceCodeLocation": facet(**file)}
    above = facet(job={"namespace": NAMESPACE, "name": "nightly"}, run={"runId": str(UUID(int=6, version=4))})
    error = {"errorMessage": facet(message="division by zero in line 7", programmingLanguage="SQL"), "parent": above}
    return [
        event(
            "load",
            1,
            FIRST,
            inputs=[raw],
            outputs=[table("mart", {"x": "INT", "y": "INT"}, {"x": [made_of("raw", "a")], "y": [made_of("raw", "b")]})],
        ),
        event(
            "report", 2, FIRST, inputs=[mart], outputs=[table("report", {"x": "INT"}, {"x": [made_of("mart", "x")]})]
        ),
        event(
            "load",
            3,
            SECOND,
            job_facets=located,
            inputs=[raw],
            outputs=[
                table(
                    "mart",
                    {"x": "BIGINT", "z": "VARCHAR", "w": "INT"},
                    {"x": [made_of("raw", "a"), made_of("raw", "b", "FILTER", "INDIRECT")], "z": [hashed]},
                )
            ],
        ),
        event("backup", 5, FIRST, inputs=[raw], outputs=[table("backup", {"a": "INT"})]),
        event("load", 4, failed_at, "START", inputs=[raw], outputs=[mart]),
        event("load", 4, failed_at + timedelta(seconds=90), "FAIL", outputs=[mart], run_facets=error),
        event("load_again", 4, failed_at + timedelta(seconds=100)),
        event("nightly", 6, failed_at + timedelta(seconds=110)),
    ]


def many() -> list[dict[str, Any]]:
    """A tree of tables t0 … t999, each made of the one above by a job of its own."""

    def build(at: int) -> dict[str, Any]:
        above = f"t{(at - 1) // BRANCHES}"
        made = table(f"t{at}", {"v": "INT"}, {"v": [made_of(above, "v")]})
        return event(f"make_{at}", 1_000 + at, FIRST, inputs=[{"namespace": NAMESPACE, "name": above}], outputs=[made])

    return [build(at) for at in range(1, TABLES)]
