"""GET /api/v2/unresolved: columns that could not be traced, with the reason in words."""

from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.nodes import NodeReadings, Reading
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v2.asking import find_node, read_number
from lineal_receiver.api.v2.cursors import bad_cursor, read_parts, write_cursor
from lineal_receiver.api.v2.parameters import describe
from lineal_receiver.api.v2.reasons import explain
from lineal_receiver.ids import NONE, namespace_id
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.read_unresolved import (
    FIRST,
    Place,
    UnresolvedRow,
    count_reasons,
    count_silent,
    find_slot_behind,
    list_unresolved,
)

router = read_router()

MOST_ROWS, MOST_COUNTED = 1_000, 200_000
SLOTS_AT_ONCE, MOST_SLOTS = 1_000, 20_000
"""Slots that are looked through at once, and for one answer."""


@router.get("/api/v2/unresolved", openapi_extra=describe("namespace", "name", "reason", "limit", "cursor"))
async def show(request: Request) -> Response:
    """Columns in force that could not be traced, dataset by dataset, and how many there are for which reason."""
    asked = request.query_params
    limit, reason = read_number("limit", asked.get("limit"), 100, MOST_ROWS), asked.get("reason") or None
    namespace, name, after = asked.get("namespace"), asked.get("name"), _read_place(asked.get("cursor"))
    if name and not namespace:
        raise problem(400, "no-target", "A dataset is named by `namespace` and `name` together.")
    async with snapshot(request.app.state.pool, "in order") as connection:
        datasets = None
        if namespace and name:
            node = await find_node(connection, NodeReadings("dataset", (Reading((namespace, name)),)))
            datasets = await (await open_identities(connection)).expand([node.id])
        space = namespace_id(namespace) if namespace and not name else None
        reasons, whole = await count_reasons(connection, datasets, space, MOST_COUNTED)
        silent = await count_silent(connection, datasets, space, MOST_COUNTED)
        rows, following = await _find(connection, after, datasets, space, reason, limit)
        columns = await _assemble(connection, rows)
    return answer(
        {
            "reasons": [
                {"reason": code, "sentence": explain(code), "count": n}
                for code, n in sorted(reasons.items(), key=lambda one: (-one[1], one[0] or ""))
            ],
            "total": sum(reasons.values()),
            "silent": silent,
            "capped": not whole or silent == MOST_COUNTED,
            "columns": columns,
            "next": None if following is None else write_cursor(*map(str, following)),
        }
    )


async def _find(
    connection: Connection,
    after: Place,
    datasets: list[UUID] | None,
    space: UUID | None,
    reason: str | None,
    limit: int,
) -> tuple[list[UnresolvedRow], Place | None]:
    """The next rows, and the place behind which the list goes on; with a filter they may be fewer and go on still."""
    rows: list[UnresolvedRow] = []
    for _ in range(MOST_SLOTS // SLOTS_AT_ONCE):
        found = await list_unresolved(connection, after, datasets, reason, SLOTS_AT_ONCE, MOST_ROWS + 1)
        shown = await fetch_datasets(connection, list({row.dataset_id for row in found}))
        for row in found:
            if row.dataset_id in shown and _is_in(shown[row.dataset_id], space):
                if len(rows) == limit:
                    return rows, _place(rows[-1])
                rows.append(row)
        if len(found) > MOST_ROWS:
            after = _place(found[-1])
            continue
        behind = await find_slot_behind(connection, after, datasets, SLOTS_AT_ONCE)
        if behind is None:
            return rows, None
        after = (*behind, "")
    return rows, after


def _is_in(dataset: DatasetRow, space: UUID | None) -> bool:
    return space is None or namespace_id(dataset.namespace) == space


def _place(row: UnresolvedRow) -> Place:
    return row.dataset_id, row.job_id, row.field


async def _assemble(connection: Connection, rows: list[UnresolvedRow]) -> list[dict[str, Any]]:
    datasets = await fetch_datasets(connection, list({row.dataset_id for row in rows}))
    jobs = await fetch_names(connection, list({row.job_id for row in rows} - {NONE}))
    return [
        {
            "dataset": datasets[row.dataset_id].id,
            "namespace": datasets[row.dataset_id].namespace,
            "name": datasets[row.dataset_id].name,
            "field": row.field,
            "reason": row.reason,
            "sentence": explain(row.reason),
            "message": row.message,
            "expression": row.expression,
            "lastKnown": row.last_known,
            "job": {"namespace": job.namespace, "name": job.sent} if (job := jobs.get(row.job_id)) else None,
            "since": row.since,
        }
        for row in rows
    ]


def _read_place(cursor: str | None) -> Place:
    parts = read_parts(cursor, 3)
    if parts is None:
        return FIRST
    try:
        return UUID(parts[0]), UUID(parts[1]), parts[2]
    except ValueError:
        raise bad_cursor() from None
