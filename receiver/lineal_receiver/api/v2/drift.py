"""GET /api/v2/drift: how the schema of a dataset changed."""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.identities import open_identities
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.api.v2.asking import find_node, read_node, read_number
from lineal_receiver.api.v2.cursors import bad_cursor, read_parts, write_cursor
from lineal_receiver.api.v2.graph.jobs import build_short_run
from lineal_receiver.api.v2.parameters import describe
from lineal_receiver.ids import NONE, STATIC
from lineal_receiver.store.read_dataset_versions import NameSpans, WriteRow, list_writes
from lineal_receiver.store.read_runs import fetch_runs
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_ROWS = 1_000
CHUNK, LOOKED_AT = 500, 10_000
"""Writes that are read at once, and for one answer."""

DROP = "DROP"


@router.get("/api/v2/drift", openapi_extra=describe("namespace", "name", "nodeId", "limit", "cursor"))
async def show(request: Request) -> Response:
    """The versions of a dataset's schema, the newest first, each with what it changed.

    An answer looks at 10,000 writes at most, so it may hold fewer than `limit` and still go on.
    """
    asked, readings = request.query_params, read_node(request)
    if readings.kind == "job":
        raise problem(400, "no-target", "Jobs have no schema: ask for a dataset.")
    limit, start = read_number("limit", asked.get("limit"), 50, MOST_ROWS), _read_start(asked.get("cursor"))
    async with snapshot(request.app.state.pool, "once") as connection:
        node = await find_node(connection, readings)
        spans = await (await open_identities(connection)).trace_all(node.id)
        names = ([one.name for one in spans], [one.since for one in spans], [one.until for one in spans])
        groups, until, following = await _find(connection, names, start, limit)
        versions = await _assemble(connection, groups, until)
    return answer(
        {
            "dataset": node.describe(),
            "versions": versions[:limit],
            "next": None if following is None else write_cursor(str(following)),
        }
    )


class _Group:
    """Writes of one schema in a row. first: that began it; before: the one under it; size: how many there are."""

    def __init__(self, newest: WriteRow) -> None:
        self.first = newest
        self.before: WriteRow | None = None
        self.size = 1

    def has(self, write: WriteRow) -> bool:
        """Whether a write goes on with the same schema."""
        return (write.schema_id, write.lifecycle == DROP) == (self.first.schema_id, self.first.lifecycle == DROP)


async def _find(
    connection: Connection, names: NameSpans, start: int, limit: int
) -> tuple[list[_Group], WriteRow | None, int | None]:
    """`limit` groups from the write at `start` on; the write that ended the first of them; where to go on."""
    above = await list_writes(connection, names, 1, start - 1) if start else []
    groups: list[_Group] = []
    at = start
    while at < start + LOOKED_AT:
        writes = await list_writes(connection, names, CHUNK, at)
        for place, write in enumerate(writes):
            if groups and groups[-1].has(write):
                groups[-1].first = write
                groups[-1].size += 1
                continue
            if groups:
                groups[-1].before = write
            if len(groups) == limit:
                return groups, above[0] if above else None, at + place
            groups.append(_Group(write))
        at += len(writes)
        if len(writes) < CHUNK:
            return groups, above[0] if above else None, None
    if len(groups) > 1:
        groups.pop()  # how far it goes, and what is under it, isn't known yet
        return groups, above[0] if above else None, start + sum(group.size for group in groups)
    groups[0].before = groups[0].first
    return groups, above[0] if above else None, at


async def _assemble(connection: Connection, groups: list[_Group], until: WriteRow | None) -> list[dict[str, Any]]:
    keys = [(group.first.job_id, group.first.run_id) for group in groups if group.first.run_id not in STATIC]
    runs = await fetch_runs(connection, keys)
    jobs = await fetch_names(connection, list({group.first.job_id for group in groups} - {NONE}))
    answers = []
    ended = None if until is None else until.effective_at
    for group in groups:
        write = group.first
        run, job = runs.get((write.job_id, write.run_id)), jobs.get(write.job_id)
        fields = [] if write.lifecycle == DROP else build_fields(write.fields)
        before = [] if group.before is None or group.before.lifecycle == DROP else build_fields(group.before.fields)
        answers.append(
            {
                "version": write.version_id,
                "since": write.effective_at,
                "until": ended,
                "lifecycle": write.lifecycle,
                "run": None if run is None else build_short_run(run),
                "job": None if job is None else {"namespace": job.namespace, "name": job.sent},
                "columns": len(fields),
                "first": group.before is None,
                **compare_fields(before, fields),
            }
        )
        ended = write.effective_at
    return answers


def compare_fields(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What came, what went, what has another type; moved: only the order is another."""
    old, new = ({field["name"]: field["type"] for field in fields} for fields in (before, after))
    both = [name for name in new if name in old]
    changed = {
        "came": [{"name": name, "type": kind} for name, kind in new.items() if name not in old],
        "went": [{"name": name, "type": kind} for name, kind in old.items() if name not in new],
        "retyped": [{"name": name, "from": old[name], "to": new[name]} for name in both if old[name] != new[name]],
    }
    return {**changed, "moved": not any(changed.values()) and list(old) != list(new)}


def _read_start(cursor: str | None) -> int:
    parts = read_parts(cursor, 1)
    if parts is None:
        return 0
    if not (parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 10):
        raise bad_cursor()
    return int(parts[0])
