"""What a receiver knows around a dataset, by names alone, to be compared with what another one knows."""

from typing import Any

COLUMN = ("name", "type", "status", "reason", "message", "expression", "description", "lastKnown")
AROUND = {"withRows": "true", "depth": "1"}


def describe(graph: dict[str, Any]) -> dict[str, Any]:
    """An answer of /api/v2/lineage without ids, times and runs."""
    names = {one["id"]: (one["namespace"], one["name"]) for key in ("datasets", "jobs") for one in graph[key]}
    assert graph["cut"] is None

    def end(of: dict[str, Any]) -> tuple[Any, ...]:
        return (names[of["dataset"]], of["field"])

    def sort(rows: list[Any]) -> list[Any]:
        return sorted(rows, key=repr)

    return {
        "datasets": {
            names[one["id"]]: [tuple(column[key] for key in COLUMN) for column in one["columns"]]
            for one in graph["datasets"]
        },
        "jobs": sort([(names[one["id"]], one["consumer"]) for one in graph["jobs"]]),
        "tableEdges": sort(
            [tuple(names.get(use[key]) for key in ("source", "job", "target")) for use in graph["tableEdges"]]
        ),
        "columnEdges": sort(
            [
                (
                    *(end(edge["source"]), end(edge["target"]), names.get(edge["job"]), edge["expression"]),
                    sort([tuple(kind.values()) for kind in edge["kinds"]]),
                    edge["lastKnown"],
                )
                for edge in graph["columnEdges"]
            ]
        ),
    }


def differ(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    """What the one says and the other doesn't, in words."""
    found = []
    for key in first:
        one, other = ([repr(row) for row in _rows(side[key])] for side in (first, second))
        found += [f"{key}: only before: {row}" for row in one if row not in other]
        found += [f"{key}: only after: {row}" for row in other if row not in one]
    return found


def _rows(told: Any) -> list[Any]:
    return [(name, columns) for name, columns in told.items()] if isinstance(told, dict) else told
