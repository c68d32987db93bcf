"""GET /api/v2/unresolved: columns that could not be traced, with the reason in words."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.nodes import NodeReadings, Reading
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v2.apart import Apart, find_apart, list_open_apart, tell
from lineal_receiver.api.v2.asking import find_node, read_number
from lineal_receiver.api.v2.cursors import bad_cursor, read_parts, write_cursor
from lineal_receiver.api.v2.known import PLACES_AT_ONCE, count_known, count_known_of
from lineal_receiver.api.v2.parameters import describe
from lineal_receiver.api.v2.reasons import explain
from lineal_receiver.ids import NONE, namespace_id, storable
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.read_unresolved import (
    FIRST,
    Place,
    UnresolvedRow,
    find_slot_behind,
    list_unresolved,
)

router = read_router()

MOST_ROWS = 1_000
SLOTS_AT_ONCE, MOST_SLOTS = 1_000, 20_000
"""Slots that are looked through at once, and for one answer."""
SLOTS, APART = "slots", "apart"
"""Which part of the list it is in."""
_Cursor: TypeAlias = tuple[str, Place]
"""A part of the list, and the place in it behind which it goes on."""


@router.get("/api/v2/unresolved", openapi_extra=describe("namespace", "name", "reason", "limit", "cursor"))
async def show(request: Request) -> Response:
    """Columns in force that could not be traced, dataset by dataset, and how many there are for which reason."""
    asked = request.query_params
    limit, reason = (
        read_number("limit", asked.get("limit"), 100, MOST_ROWS),
        storable(asked.get("reason") or "") or None,
    )
    namespace, name, after = asked.get("namespace"), asked.get("name"), _read_cursor(asked.get("cursor"))
    if name and not namespace:
        raise problem(400, "no-target", "A dataset is named by `namespace` and `name` together.")
    async with snapshot(request.app.state.pool, "in order") as connection:
        identities = await open_identities(connection)
        apart = await find_apart(identities)
        dataset, space = None, None
        if namespace and name:
            dataset = (await find_node(connection, NodeReadings("dataset", (Reading((namespace, name)),)))).id
            known, whole = await count_known_of(apart, dataset)
        else:
            if namespace:
                space = (await identities.find_roots([namespace_id(namespace)]))[namespace_id(namespace)]
            known, whole = await count_known(apart, space=space)
        rows, following = await _find(connection, apart, after, _Wanted(dataset, space, reason), limit)
        columns = await _assemble(connection, rows)
    return answer(
        {
            "reasons": [
                {"reason": code, "sentence": explain(code), "count": n}
                for code, n in sorted(known.reasons.items(), key=lambda one: (-one[1], one[0] or ""))
            ],
            "total": sum(known.reasons.values()),
            "silent": known.silent,
            "capped": not whole,
            "columns": columns,
            "next": None if following is None else _write_cursor(following),
        }
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A dataset, a namespace, or all; a reason, or any."""

    dataset: UUID | None
    space: UUID | None
    reason: str | None


async def _find(
    connection: Connection, apart: Apart, cursor: _Cursor, wanted: _Wanted, limit: int
) -> tuple[list[UnresolvedRow], _Cursor | None]:
    """The next rows, and where the list goes on: first what slots alone tell, then the datasets apart.

    With a filter they may be fewer and go on still.
    """
    stage, after = cursor
    rows: list[UnresolvedRow] = []
    if stage != APART and wanted.dataset not in apart.ids:
        rows, following = await _find_in_slots(connection, apart, after, wanted, limit)
        if following is not None:
            return rows, following
    if wanted.dataset is not None and wanted.dataset not in apart.ids:
        return rows, None
    more, following = await _find_apart(apart, after if stage == APART else FIRST, wanted, limit - len(rows))
    return rows + more, following


async def _find_in_slots(
    connection: Connection, apart: Apart, after: Place, wanted: _Wanted, limit: int
) -> tuple[list[UnresolvedRow], _Cursor | None]:
    rows: list[UnresolvedRow] = []
    datasets = None if wanted.dataset is None else [wanted.dataset]
    for _ in range(MOST_SLOTS // SLOTS_AT_ONCE):
        found = await list_unresolved(connection, after, datasets, wanted.reason, SLOTS_AT_ONCE, MOST_ROWS + 1)
        shown = await fetch_datasets(connection, list({row.dataset_id for row in found} - apart.ids))
        for row in found:
            if row.dataset_id in shown and _is_in(shown[row.dataset_id], wanted.space):
                if len(rows) == limit:
                    return rows, (SLOTS, _place(rows[-1]))
                rows.append(row)
        if len(found) > MOST_ROWS:
            after = _place(found[-1])
            continue
        behind = await find_slot_behind(connection, after, datasets, SLOTS_AT_ONCE)
        if behind is None:
            return rows, None
        after = (*behind, None)
    return rows, (SLOTS, after)


async def _find_apart(
    apart: Apart, after: Place, wanted: _Wanted, limit: int
) -> tuple[list[UnresolvedRow], _Cursor | None]:
    rows: list[UnresolvedRow] = []
    places = await apart.find_places() if wanted.dataset is None else [wanted.dataset]
    places = places[bisect_left(places, after[0]) :]
    for start in range(0, len(places), PLACES_AT_ONCE):
        told = await tell(apart, places[start : start + PLACES_AT_ONCE])
        for row in await list_open_apart(apart, [one for one in told if _is_in(one.dataset, wanted.space)]):
            if (wanted.reason is None or row.reason == wanted.reason) and _is_behind(row, after):
                if len(rows) == limit:
                    return rows, (APART, _place(rows[-1]) if rows else after)
                rows.append(row)
    return rows, None


def _is_behind(row: UnresolvedRow, place: Place) -> bool:
    """Whether a row comes after a place."""
    dataset, job, name = place
    return (row.dataset_id, row.job_id) > (dataset, job) or (
        (row.dataset_id, row.job_id) == (dataset, job) and (name is None or row.field > name)
    )


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


def _write_cursor(cursor: _Cursor) -> str:
    stage, (dataset, job, name) = cursor
    return write_cursor(stage, str(dataset), str(job), *([] if name is None else [name]))


def _read_cursor(cursor: str | None) -> _Cursor:
    parts = read_parts(cursor, 3, 4)
    if parts is None:
        return SLOTS, FIRST
    try:
        place = UUID(parts[1]), UUID(parts[2]), parts[3] if len(parts) > 3 else None
    except ValueError:
        raise bad_cursor() from None
    if parts[0] not in {SLOTS, APART}:
        raise bad_cursor()
    return parts[0], place
