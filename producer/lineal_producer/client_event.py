"""Between our plain dicts and openlineage-python's classes: the client's own additions to an event, on every road."""

from __future__ import annotations

import json
from typing import Any

from openlineage.client import event_v2
from openlineage.client.client import OpenLineageClient
from openlineage.client.facet_v2 import tags_job, tags_run
from openlineage.client.filter import create_filter
from openlineage.client.serde import Serde

Event = dict[str, Any]


class Additions:
    """What the client's `tags`, `facets`, `filters` and `dataset` settings do to an event before it is sent."""

    def __init__(self, client: OpenLineageClient) -> None:
        self._client = client
        self._filters = [made for made in map(create_filter, client.config.filters) if made is not None]
        self._told: dict[str, dict[str, dict[str, Any]]] = {}

    def apply(self, event: Event) -> Event | None:
        """The event as the client would send it; None when a filter drops it."""
        if "run" not in event:
            return self._with_facets(event) if "job" in event else event
        if self._filters and self._is_dropped(event):
            return None
        event = self._with_facets(event)
        if self._client.config.dataset.reducing_enabled:
            event = Serde.to_dict(self._client.reduce_datasets(as_client_event(event)))
        return event

    def _is_dropped(self, event: Event) -> bool:
        bare = self._bare(event)
        return any(one.filter_event(bare) is None for one in self._filters)

    def _with_facets(self, event: Event) -> Event:
        added = {**event}
        for part, facets in self._facets(event).items():
            mine = event[part].get("facets") or {}
            new = {name: facet for name, facet in facets.items() if name not in mine or name == "tags"}
            added[part] = {**event[part], "facets": {**mine, **new}}
        return added

    def _facets(self, event: Event) -> dict[str, dict[str, Any]]:
        """The client's facets of the run and of the job, asked for once for all events that it can't tell apart."""
        run, job = (event.get(part, {}).get("facets") or {} for part in ("run", "job"))
        looked_at = [run.get("tags"), job.get("tags"), "sourceCodeLocation" in job, "run" in event]
        known = json.dumps(looked_at)
        if known not in self._told:
            bare = self._bare(event)
            for add in (
                self._client.add_environment_facets,
                self._client.update_event_tags_facets,
                self._client.add_source_code_location_facet,
            ):
                bare = add(bare)
            parts = {part: getattr(getattr(bare, part, None), "facets", None) or {} for part in ("run", "job")}
            self._told[known] = {
                part: {name: Serde.to_dict(facet) for name, facet in facets.items()}
                for part, facets in parts.items()
                if facets
            }
        return self._told[known]

    def _bare(self, event: Event) -> Any:
        """The event's identity as the client's class, with the facets that the client looks at."""
        job = event["job"]
        job_facets = _known_facets(job, tags_job.TagsJobFacet, tags_job.TagsJobFacetFields)
        if "sourceCodeLocation" in (job.get("facets") or {}):
            job_facets["sourceCodeLocation"] = job["facets"]["sourceCodeLocation"]
        client_job = event_v2.Job(namespace=job["namespace"], name=job["name"], facets=job_facets)
        if "run" not in event:
            return event_v2.JobEvent(eventTime=event["eventTime"], producer=event["producer"], job=client_job)
        run_facets = _known_facets(event["run"], tags_run.TagsRunFacet, tags_run.TagsRunFacetFields)
        return event_v2.RunEvent(
            eventTime=event["eventTime"],
            producer=event["producer"],
            run=event_v2.Run(runId=event["run"]["runId"], facets=run_facets),
            job=client_job,
            eventType=event_v2.RunState[event["eventType"]],
        )


def _known_facets(part: Event, facet: Any, fields: Any) -> dict[str, Any]:
    tags = (part.get("facets") or {}).get("tags")
    if not tags:
        return {}
    made = [fields(key=tag["key"], value=tag["value"], source=tag.get("source")) for tag in tags["tags"]]
    return {"tags": facet(tags=made)}


def as_client_event(event: Event) -> Any:
    """The whole event as the client's class: its facets stay plain dicts, which the client serialises as they are."""
    if "dataset" in event:
        dataset = event_v2.StaticDataset(**event["dataset"])
        return event_v2.DatasetEvent(eventTime=event["eventTime"], producer=event["producer"], dataset=dataset)
    inputs = [event_v2.InputDataset(**_dataset(given, "inputFacets")) for given in event.get("inputs", [])]
    outputs = [event_v2.OutputDataset(**_dataset(given, "outputFacets")) for given in event.get("outputs", [])]
    job = event_v2.Job(**{"facets": {}, **event["job"]})
    if "run" not in event:
        return event_v2.JobEvent(
            eventTime=event["eventTime"], producer=event["producer"], job=job, inputs=inputs, outputs=outputs
        )
    return event_v2.RunEvent(
        eventTime=event["eventTime"],
        producer=event["producer"],
        run=event_v2.Run(**{"facets": {}, **event["run"]}),
        job=job,
        eventType=event_v2.RunState[event["eventType"]],
        inputs=inputs,
        outputs=outputs,
    )


def _dataset(given: Event, own: str) -> Event:
    return {"facets": {}, own: {}, **given}
