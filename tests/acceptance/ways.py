"""Compares what two ways in tell of one dbt command: what must be the same, and which facets differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Identity:
    """What every way tells alike of one event: whose, which state, which datasets, which edges."""

    job: str
    parent: str | None
    inputs: frozenset[tuple[str, str]]
    outputs: frozenset[tuple[str, str]]
    edges: frozenset[tuple[str, ...]]


def by_key(events: list[Event]) -> dict[Key, Event]:
    """The events by run (a static job: by its name) and state, the last of each; RUNNING is no state of its own."""
    return {_key(event): event for event in events if event.get("eventType") != "RUNNING"}


def _key(event: Event) -> Key:
    run = event.get("run", {})
    return run.get("runId", ""), event["job"]["name"], event.get("eventType", "static")


def identity(event: Event) -> Identity:
    """What every way tells alike."""
    parent = event.get("run", {}).get("facets", {}).get("parent", {}).get("run", {}).get("runId")
    return Identity(
        f"{event['job']['namespace']}:{event['job']['name']}",
        parent,
        frozenset((each["namespace"], each["name"]) for each in event["inputs"]),
        frozenset((each["namespace"], each["name"]) for each in event["outputs"]),
        frozenset(edges(event)),
    )


def edges(event: Event) -> Iterator[tuple[str, ...]]:
    """Every column edge with its kinds; the target of what decides the rows is empty."""
    for output in event["outputs"]:
        facet = output["facets"].get("columnLineage", {})
        told = [(name, given) for name, field in facet.get("fields", {}).items() for given in field["inputFields"]]
        told += [("", given) for given in facet.get("dataset", [])]
        for name, given in told:
            for kind in given["transformations"]:
                source = given["namespace"], given["name"], given["field"]
                yield output["name"], name, *source, kind["type"], kind["subtype"], str(kind.get("masking", False))


def facets(event: Event) -> dict[str, Any]:
    """The facets of an event by `part.facet`, for datasets with the dataset's name."""
    told = {f"run.{name}": value for name, value in event.get("run", {}).get("facets", {}).items()}
    told |= {f"job.{name}": value for name, value in event["job"]["facets"].items()}
    for part, own in (("inputs", "inputFacets"), ("outputs", "outputFacets")):
        for each in event[part]:
            for name, value in {**each["facets"], **each.get(own, {})}.items():
                told[f"{part.removesuffix('s')}.{name} {each['name']}"] = value
    return told


def differing(one: list[Event], other: list[Event]) -> dict[str, list[str]]:
    """The facets whose content differs between two ways, each with the events and datasets where it does."""
    found: dict[str, list[str]] = {}
    others = by_key(other)
    for key, event in by_key(one).items():
        left, right = facets(event), facets(others[key])
        for name in left.keys() | right.keys():
            if left.get(name) != right.get(name):
                facet, _, dataset = name.partition(" ")
                found.setdefault(facet, []).append(f"{key[1]} {key[2]} {dataset}".strip())
    return found
