"""What pictures show of a graph: datasets with the columns that have edges, and edges between either.

Where no column edge is known between two datasets, the job that makes the one from the other is drawn between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Drawing:
    """datasets: by their short ids (d0, d1, …) with columns by theirs; jobs too; edges: from, to, words, dotted."""

    datasets: list[tuple[str, dict[str, Any], list[tuple[str, str]]]]
    jobs: list[tuple[str, dict[str, Any]]]
    edges: list[tuple[str, str, str, bool]]


def draw(graph: dict[str, Any]) -> Drawing:
    """The drawing of an answer of /api/v2/lineage."""
    shorts = {str(one["id"]): f"d{number}" for number, one in enumerate(graph["datasets"])}
    columns: dict[str, dict[str, str]] = {dataset: {} for dataset in shorts}
    edges: list[tuple[str, str, str, bool]] = []
    drawn: set[tuple[str, str]] = set()
    for edge in graph["columnEdges"]:
        source, target = (str(edge[end]["dataset"]) for end in ("source", "target"))
        first = columns[source].setdefault(edge["source"]["field"], f"{shorts[source]}c{len(columns[source])}")
        last = shorts[target]
        if edge["target"]["field"] is not None:
            last = columns[target].setdefault(edge["target"]["field"], f"{shorts[target]}c{len(columns[target])}")
        words = ", ".join(sorted({kind["subtype"] or kind["type"] for kind in edge["kinds"]}))
        edges.append((first, last, words, not edge["direct"]))
        drawn.add((source, target))
    jobs = {str(one["id"]): f"j{number}" for number, one in enumerate(graph["jobs"])}
    used = set(_link_jobs(graph, shorts, jobs, drawn))
    edges += sorted((first, last, "", False) for first, last in used)
    shown = {end for pair in used for end in pair}
    return Drawing(
        datasets=[
            (shorts[str(one["id"])], one, [(short, name) for name, short in columns[str(one["id"])].items()])
            for one in graph["datasets"]
        ],
        jobs=[(jobs[str(one["id"])], one) for one in graph["jobs"] if jobs[str(one["id"])] in shown],
        edges=edges,
    )


def _link_jobs(
    graph: dict[str, Any], shorts: dict[str, str], jobs: dict[str, str], drawn: set[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """The edges to and from jobs, where columns show none."""
    for use in graph["tableEdges"]:
        source, target = (None if use[end] is None else str(use[end]) for end in ("source", "target"))
        job = None if use["job"] is None else jobs[str(use["job"])]
        if source is not None and target is not None and (source, target) in drawn:
            continue
        if job is None:
            if source is not None and target is not None:
                yield shorts[source], shorts[target]
            continue
        if source is not None:
            yield shorts[source], job
        if target is not None:
            yield job, shorts[target]
