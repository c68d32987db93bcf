"""What the API answers, in the words of the model."""

from datetime import datetime
from typing import Any
from urllib.parse import quote

import httpx

from .model import Answers
from .model_records import Name

ENDLESS = 1_000


class Reader:
    """Asks the receiver."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def get(self, *segments: str, at: str = "/api/v1/namespaces", **query: Any) -> Any:
        """The JSON of an answer; None where nothing is found."""
        path = "/".join((at, *(quote(segment, safe="") for segment in segments)))
        response = await self.http.get(path, params=query)
        assert response.status_code in (200, 404), response.text
        return response.json() if response.status_code == 200 else None

    async def read(self, expected: Answers) -> Answers:
        """All that was expected, as it is answered; more runs are shown, too."""
        return {
            "runs": await self._read_runs({job for job, _ in expected["runs"]}),
            "datasets": {name: await self._read_dataset(name) for name in expected["datasets"]},
            "columns": {name: await self._read_columns(name) for name in expected["columns"]},
            "jobs": {job: await self._read_job(job) for job in expected["jobs"]},
        }

    async def _read_runs(self, jobs: set[Name]) -> dict[Any, Any]:
        listed = (await self.get(at="/api/v2/runs", limit=ENDLESS))["runs"]
        found = {(_name(run["job"]), run["runId"]): _read_run(run) for run in listed}
        for job in jobs:
            for run in (await self.get(job[0], "jobs", job[1], "runs", limit=ENDLESS))["runs"]:
                found[job, run["id"]] |= {
                    side: sorted(_name(one["datasetVersionId"]) for one in run[key])
                    for side, key in (("inputs", "inputDatasetVersions"), ("outputs", "outputDatasetVersions"))
                }
        return found

    async def _read_dataset(self, name: Name) -> Any:
        found = await self.get(name[0], "datasets", name[1])
        if found is None:
            return None
        versions = (await self.get(name[0], "datasets", name[1], "versions", limit=ENDLESS))["versions"]
        return {
            "deleted": found["deleted"],
            "lifecycle": found["lastLifecycleState"],
            "written": _time(found["lastModifiedAt"]),
            "fields": _fields(found),
            "description": found["description"],
            "current": [v["version"] for v in versions[:1]] == [found["currentVersion"]] or not versions,
            "versions": [
                ((version["createdByRun"] or {}).get("id"), _fields(version), version["lifecycleState"])
                for version in versions
            ],
        }

    async def _read_columns(self, name: Name) -> Any:
        found = await self.get(at="/api/v1/column-lineage", nodeId=f"dataset:{name[0]}:{name[1]}", depth=1)
        nodes = [node["data"] for node in found["graph"]] if found else []
        return {
            node["field"]: (
                node["status"],
                sorted(
                    (one["namespace"], one["dataset"], one["field"], one.get("lastKnown", False))
                    for one in node["inputFields"]
                ),
            )
            for node in nodes
            if _name({"namespace": node["namespace"], "name": node["dataset"]}) == name
        }

    async def _read_job(self, job: Name) -> Any:
        found = await self.get(job[0], "jobs", job[1])
        return found and {side: sorted(map(_name, found[side])) for side in ("inputs", "outputs")}


def _read_run(run: dict[str, Any]) -> dict[str, Any]:
    return {
        "state": run["state"],
        "ends": sorted(run["endsSeen"]),
        "conflict": run["conflictingEnds"],
        "started": _time(run["startedAt"]),
        "ended": _time(run["endedAt"]),
        "duration": None if run["durationMs"] is None else run["durationMs"] / 1000,
        "backwards": run["endsBeforeStart"],
        "first": _time(run["firstEventAt"]),
        "last": _time(run["lastEventAt"]),
        "streaming": run["streaming"],
        "only named": run["onlyNamed"],
        "future": run["fromTheFuture"],
        "parent": _above(run["parent"]),
        "root": _above(run["root"]),
    }


def _above(found: dict[str, Any] | None) -> Any:
    return None if found is None else (_name(found["job"]), found["runId"])


def _name(thing: dict[str, Any]) -> Name:
    return thing["namespace"], thing["name"]


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


def _fields(thing: dict[str, Any]) -> list[str]:
    return sorted(field["name"] for field in thing["fields"])
