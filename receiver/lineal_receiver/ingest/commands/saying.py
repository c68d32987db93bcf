"""The events that commands stand for, as if a producer had sent them at the command's time."""

from datetime import datetime
from typing import Any

import orjson

from lineal_receiver.ids import content_id, job_id, run_uuid
from lineal_receiver.ingest.commands.record import Command
from lineal_receiver.ingest.envelope import Facet, escape
from lineal_receiver.ingest.event import FUTURE, TOLERANCE, Event, Facets

PRODUCER = "https://openlineage.io/lineal/api"
SPEC = "https://openlineage.io/spec/"
SCHEMAS = {
    "schema": "facets/1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet",
    "dataSource": "facets/1-0-1/DatasourceDatasetFacet.json#/$defs/DatasourceDatasetFacet",
    "dataset documentation": "facets/1-1-0/DocumentationDatasetFacet.json#/$defs/DocumentationDatasetFacet",
    "job documentation": "facets/1-1-0/DocumentationJobFacet.json#/$defs/DocumentationJobFacet",
    "sourceCodeLocation": "facets/1-1-0/SourceCodeLocationJobFacet.json#/$defs/SourceCodeLocationJobFacet",
    "jobType": "facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
    "nominalTime": "facets/1-0-1/NominalTimeRunFacet.json#/$defs/NominalTimeRunFacet",
}
BASE = "2-0-2/OpenLineage.json#/$defs/BaseFacet"


def say(
    command: Command,
    content: dict[str, Any],
    *,
    kind: str,
    event_type: str | None = None,
    at: datetime | None = None,
    flags: int = 0,
) -> Event:
    """The event with this content (job, run, dataset, inputs, outputs; `facets` without what each must have)."""
    time = at or command.time
    facets: dict[str, Facets] = {}
    for pointer, entity, holder in _holders(content):
        for key, value in holder.get("facets", {}).items():
            facets.setdefault(f"{pointer}/facets", {})[key] = build_facet(entity, key, f"{pointer}/facets", value)
    job = content.get("job")
    return Event(
        kind=kind,
        event_type=event_type,
        time=time,
        id=command.id,
        flags=flags | (FUTURE if time - command.time > TOLERANCE else 0),
        body=b"",
        job=job_id(job["namespace"], job["name"]) if job else None,
        run=run_uuid(content["run"]["runId"])[0] if "run" in content else None,
        content=content,
        facets=facets,
        invalid=frozenset(),
    )


def build_facet(entity: str, key: str, holder: str, value: dict[str, Any]) -> Facet:
    """A facet at the pointer `holder`, with what every facet must have."""
    place = SCHEMAS.get(key) or SCHEMAS.get(f"{entity} {key}") or BASE
    whole = {"_producer": PRODUCER, "_schemaURL": SPEC + place, **value}
    text = orjson.dumps(whole, option=orjson.OPT_SORT_KEYS)
    return Facet(entity, key, f"{holder}/{escape(key)}", whole, text, content_id(text))


def _holders(content: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    found = [(f"/{key}", key, content[key]) for key in ("job", "run", "dataset") if key in content]
    for side in ("inputs", "outputs"):
        found += [(f"/{side}/{index}", "dataset", item) for index, item in enumerate(content.get(side, ()))]
    return found
