"""Column edges as answers write them: of a source, a target and a job one, with all kinds of dependency."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from lineal_receiver.api.v2.graph.columns import INDIRECT, ROWS, order
from lineal_receiver.api.v2.graph.evidence import name_transform
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow

EdgeKey = tuple[Column, Column, UUID]


def group_edges(edges: Iterable[ColumnEdgeRow]) -> dict[EdgeKey, list[ColumnEdgeRow]]:
    """By target, source and job, in a stable order: the kinds of dependency."""
    grouped: dict[EdgeKey, list[ColumnEdgeRow]] = {}
    for edge in sorted(edges, key=order):
        grouped.setdefault((edge[:2], edge[2:4], edge[4]), []).append(edge)
    return grouped


def build_edge(key: EdgeKey, kinds: list[ColumnEdgeRow], expressions: dict[Column, str | None]) -> dict[str, Any]:
    """One edge; `expressions`: SQL of columns, where known; else what the edge itself says it is."""
    target, source, job = key
    said, direct, masking, last_known = None, False, False, True
    for kind in kinds:
        said = said or kind.expression
        direct = direct or kind.type != INDIRECT
        masking = masking or kind.masking
        last_known = last_known and kind.last_known
    return {
        "source": {"dataset": source[0], "field": source[1]},
        "target": {"dataset": target[0], "field": None if target[1] == ROWS else target[1]},
        "kinds": [{"type": kind.type, "subtype": kind.subtype, "masking": kind.masking} for kind in kinds],
        "direct": direct,
        "masking": masking,
        "expression": expressions.get(target) or said or None,
        "lastKnown": last_known,
        "job": None if job == NONE else job,
        "transform": name_transform(target[0], job),
    }
