"""What a soak's clients tell: runs that retry, end twice, come late or never end, and API writes among them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import quote
from uuid import UUID

PRODUCER = "https://soak.example/1"
CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
TABLES, JOBS, COLUMNS = 24, 12, 6
BEGIN = datetime(2026, 3, 1, tzinfo=timezone.utc)
Request = tuple[str, str, dict[str, Any] | None]


@dataclass
class Story:
    """One client's; all clients write the same tables under the same jobs."""

    chance: random.Random

    def tell(self) -> Iterator[Request]:
        """Requests (method, path, JSON) without end."""
        held: list[Request] = []
        while True:
            told = list(self._write() if self.chance.random() < 0.08 else self._run())
            held += told
            self.chance.shuffle(held)
            while len(held) > 6:
                request = held.pop()
                yield request
                if self.chance.random() < 0.1:
                    yield request

    def _run(self) -> Iterator[Request]:
        chance = self.chance
        number = chance.randrange(1 << 40)
        job, at = f"job_{chance.randrange(JOBS)}", BEGIN + timedelta(seconds=chance.randrange(40_000))
        parent = None if chance.random() < 0.5 else chance.randrange(20)
        kind = chance.random()
        if kind < 0.05:
            yield self._event(None, at, None, job)
            return
        ends = (["FAIL", "COMPLETE"], ["ABORT"], ["COMPLETE", "FAIL"], [], ["COMPLETE"])[
            chance.choices(range(5), (10, 3, 5, 7, 75))[0]
        ]
        stream = kind > 0.95
        for step, event_type in enumerate(
            ["START", *chance.choices(["RUNNING", "OTHER"], k=chance.randrange(2)), *ends]
        ):
            time = at + timedelta(seconds=step * chance.randrange(3))
            yield self._event(event_type, time, number, job, parent, stream=stream)

    def _event(
        self,
        kind: str | None,
        at: datetime,
        run: int | None,
        job: str,
        parent: int | None = None,
        *,
        stream: bool = False,
    ) -> Request:
        chance = self.chance
        event: dict[str, Any] = {
            "eventTime": at.isoformat().replace("+00:00", "Z"),
            "producer": PRODUCER,
            "schemaURL": f"{CORE}{'RunEvent' if run is not None else 'JobEvent'}",
            "job": {"namespace": "soak", "name": job, "facets": self._job_facets(stream)},
        }
        if run is not None:
            event["run"] = {"runId": str(UUID(int=run)), "facets": self._run_facets(parent)}
            event["eventType"] = kind
        if chance.random() < 0.8:
            event["inputs"] = [_table(chance.randrange(TABLES)) for _ in range(chance.randrange(3))]
        if kind != "START" or chance.random() < 0.5:
            event["outputs"] = [self._output() for _ in range(chance.choice([1, 1, 1, 2]))]
        return "POST", "/api/v1/lineage", event

    def _job_facets(self, stream: bool) -> dict[str, Any]:
        facets: dict[str, Any] = {}
        if stream:
            facets["jobType"] = _facet(processingType="STREAMING", integration="SOAK")
        if self.chance.random() < 0.05:
            entry = {**_name(self.chance.randrange(TABLES)), "type": "DATASET", "inputs": []}
            facets["lineage"] = _facet(entries=[entry])
        return facets

    def _run_facets(self, parent: int | None) -> dict[str, Any]:
        if parent is None:
            return {}
        named = {"job": {"namespace": "soak", "name": "dag"}, "run": {"runId": str(UUID(int=parent + 1))}}
        return {"parent": _facet(**named)}

    def _output(self) -> dict[str, Any]:
        chance = self.chance
        fields = [f"c{number}" for number in range(chance.randrange(1, COLUMNS))]
        table = _table(chance.randrange(TABLES))
        facets = table["facets"]
        if chance.random() < 0.7:
            facets["schema"] = _facet(fields=[{"name": name, "type": "bigint"} for name in fields])
        if chance.random() < 0.7:
            facets["columnLineage"] = _facet(
                fields={name: {"inputFields": [self._source() for _ in range(chance.randrange(3))]} for name in fields}
            )
        if chance.random() < 0.06:
            change = chance.choice(["CREATE", "OVERWRITE", "TRUNCATE", "DROP", "ALTER"])
            facets["lifecycleStateChange"] = _facet(lifecycleStateChange=change)
        if chance.random() < 0.03:
            other = {"namespace": "hive://soak", "name": f"t{chance.randrange(TABLES)}", "type": "TABLE"}
            facets["symlinks"] = _facet(identifiers=[other])
        return table

    def _source(self) -> dict[str, Any]:
        return {**_name(self.chance.randrange(TABLES)), "field": f"c{self.chance.randrange(COLUMNS)}"}

    def _write(self) -> Iterator[Request]:
        chance = self.chance
        table = f"/api/v1/namespaces/{quote('soak://db', safe='')}/datasets/t{chance.randrange(TABLES)}"
        job = f"/api/v1/namespaces/soak/jobs/job_{chance.randrange(JOBS)}"
        yield chance.choice(
            [
                ("PUT", "/api/v1/namespaces/soak", {"ownerName": chance.choice(["ann", "bob"])}),
                ("POST", f"{table}/tags/PII", None),
                ("DELETE", f"{table}/tags/PII", None),
                ("POST", f"{job}/tags/NIGHTLY", None),
                ("DELETE", table, None),
                ("DELETE", job, None),
            ]
        )


def _facet(**content: Any) -> dict[str, Any]:
    return {"_producer": PRODUCER, "_schemaURL": f"{CORE}BaseFacet", **content}


def _name(number: int) -> dict[str, Any]:
    return {"namespace": "soak://db", "name": f"t{number}"}


def _table(number: int) -> dict[str, Any]:
    return {**_name(number), "facets": {}}
