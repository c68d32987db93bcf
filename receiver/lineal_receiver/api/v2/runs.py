"""GET /api/v2/runs: runs across jobs, the last started first, the future last; `?parent=` bundles a run's children."""

import base64
import binascii
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timezone
from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Text
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET
from lineal_receiver.api.v2.complaints import find_message
from lineal_receiver.api.v2.cursors import read_instant
from lineal_receiver.ids import job_id, run_uuid
from lineal_receiver.store.read_facets import fetch_facets
from lineal_receiver.store.read_run_list import ListedRun, Place, list_runs
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

LIMIT, MOST = 100, 1_000
CHUNK, LOOKED_AT = 1_000, 10_000
"""Runs that are read at once, and for one answer, to find those that a filter lets through."""

LONGEST_ERROR = 2_000

ENDS = ("FAILED", "ABORTED", "COMPLETED")
TEXTS = {
    "NEW": "new",
    "RUNNING": "running",
    "OPEN_PARENT_ENDED": "open, parent ended",
    "FAILED": "failed",
    "ABORTED": "aborted",
    "COMPLETED": "completed",
}


@dataclass(frozen=True, slots=True)
class _Found:
    runs: list[ListedRun]
    last: ListedRun | None


@router.get("/api/v2/runs")
async def show(
    request: Request,
    namespace: Annotated[Text, Query(description="only runs of this namespace's jobs")] = None,
    job: Annotated[Text, Query(description="only runs of this job, named as it was sent; needs namespace")] = None,
    state: Annotated[list[str] | None, Query(description=f"one or more of {', '.join(TEXTS)}")] = None,
    parent: Annotated[Text, Query(description="id of a run: itself, and its children")] = None,
    run: Annotated[Text, Query(alias="runId", description="only runs with this id (several jobs may use one)")] = None,
    limit: Annotated[Text, Query(description=f"runs at most: {LIMIT} unless told, {MOST} at most")] = None,
    cursor: Annotated[Text, Query(description="nextCursor of the answer before")] = None,
) -> Response:
    """Runs. `nextCursor` is null at the end; with a filter an answer may hold fewer than `limit` and still go on."""
    states, most, after = _read_states(state), _read_limit(limit), read_place(cursor)
    if job is not None and namespace is None:
        raise problem(400, "namespace-missing", "A job is named by `namespace` and `job` together.")
    wanted = job_id(namespace, job) if namespace is not None and job is not None else None
    above, own = (None if text is None else run_uuid(text)[0] for text in (parent, run))

    def passes(listed: ListedRun) -> bool:
        return (
            (states is None or find_state(listed) in states)
            and (namespace is None or listed.namespace == namespace)
            and (job is None or listed.job == job)
        )

    async with snapshot(request.app.state.pool, "once") as connection:
        found = await _find(connection, after, most, passes, job=wanted, parent=above, run=own)
        body: dict[str, Any] = {"runs": await build_runs(connection, found.runs)}
        if above is not None:
            body = {**await _bundle(connection, above, parent or ""), **body}
    return answer({**body, "nextCursor": None if found.last is None else write_place(place_of(found.last))})


async def _find(
    connection: Connection,
    after: Place | None,
    most: int,
    passes: Callable[[ListedRun], bool],
    **filters: UUID | None,
) -> _Found:
    """Up to `most` runs that pass, and the last one looked at where the list goes on."""
    runs: list[ListedRun] = []
    last: ListedRun | None = None
    looked, size = 0, min(CHUNK, most + 1)
    while looked < LOOKED_AT:
        rows = await list_runs(connection, after, size, **filters)
        for row in rows:
            if len(runs) == most:
                return _Found(runs, last)
            last = row
            if passes(row):
                runs.append(row)
        if len(rows) < size:
            return _Found(runs, None)
        looked, after, size = looked + len(rows), place_of(rows[-1]), CHUNK
    return _Found(runs, last)


async def _bundle(connection: Connection, parent: UUID, sent: str) -> dict[str, Any]:
    """The parent itself, and how many of its children are in which state (of the first LOOKED_AT)."""
    named = await list_runs(connection, None, CHUNK, run=parent)
    parents = sorted(named, key=lambda run: (run.placeholder, run.sorted_at, run.job_id))
    children = await list_runs(connection, None, LOOKED_AT + 1, parent=parent)
    if not parents and not children:
        raise problem(404, "no-such-run", f"No event has named a run '{sent}'.")
    counted = Counter(find_state(child) for child in children[:LOOKED_AT])
    return {
        "parent": next(iter(await build_runs(connection, parents[:1])), None),
        "states": {state: counted[state] for state in TEXTS if counted[state]},
        "statesCapped": len(children) > LOOKED_AT,
    }


def find_state(run: ListedRun) -> str:
    """The state of a run: its end; else open, under a parent or root that has ended or not; NEW if only named."""
    if run.end_rank is not None:
        return ENDS[run.end_rank]
    if run.above_ended and not run.placeholder:
        return "OPEN_PARENT_ENDED"
    return "RUNNING" if run.typed else "NEW"


async def build_runs(connection: Connection, runs: list[ListedRun]) -> list[dict[str, Any]]:
    """The runs as v2 shows them, each with the message of its `errorMessage`, if it has one."""
    keys = [(run.job_id, run.run_id) for run in runs]
    facets = await fetch_facets(connection, keys, "r", LARGEST_LISTED_FACET, ("errorMessage",), beginnings=True)
    errors = [find_message(facets[key][-1].body, LARGEST_LISTED_FACET) if key in facets else None for key in keys]
    return [
        {**build_run(run), "error": None if error is None else error[:LONGEST_ERROR]}
        for run, error in zip(runs, errors, strict=True)
    ]


def build_run(run: ListedRun) -> dict[str, Any]:
    """A run as v2 shows it: names as they were sent, and what doesn't add up."""
    state, started = find_state(run), run.start_at or run.running_at
    passed = None if started is None or run.end_at is None else run.end_at - started
    backwards = passed is not None and passed.total_seconds() < 0
    seen = [name for bit, name in enumerate(("FAIL", "ABORT", "COMPLETE")) if run.ends_seen >> bit & 1]
    return {
        "runId": run.run_id,
        "externalId": run.external_id,
        "job": {"namespace": run.namespace, "name": run.job},
        "state": state,
        "stateText": TEXTS[state],
        "endsSeen": seen,
        "conflictingEnds": len(seen) > 1,
        "startedAt": started,
        "endedAt": run.end_at,
        "durationMs": None if passed is None or backwards else round(passed.total_seconds() * 1000),
        "endsBeforeStart": backwards,
        "firstEventAt": run.first_at,
        "lastEventAt": run.last_at,
        "nominalStartTime": run.nominal_start_at,
        "nominalEndTime": run.nominal_end_at,
        "streaming": run.streaming,
        "onlyNamed": run.placeholder,
        "fromTheFuture": run.future,
        "sharedRunId": run.shared,
        "parent": _build_above(run.parent_run, run.parent_namespace, run.parent_job),
        "root": _build_above(run.root_run, run.root_namespace, run.root_job),
    }


def _build_above(run: UUID | None, namespace: str | None, job: str | None) -> dict[str, Any] | None:
    return None if run is None else {"runId": run, "job": {"namespace": namespace, "name": job}}


def _read_states(texts: list[str] | None) -> frozenset[str] | None:
    if not texts:
        return None
    states = frozenset(text.upper() for text in texts)
    if not states <= TEXTS.keys():
        raise problem(400, "no-such-state", f"A state is one of {', '.join(TEXTS)}.")
    return states


def _read_limit(text: Text) -> int:
    if text is None:
        return LIMIT
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) < 1:
        raise problem(400, "bad-limit", f"`limit` is a whole number from 1 to {MOST}.")
    return min(int(text), MOST)


def place_of(run: ListedRun) -> Place:
    """Where a list goes on behind a run."""
    return Place(run.sorted_at, run.job_id, run.run_id, run.future)


def write_place(place: Place) -> str:
    """The cursor of a place in a list of runs."""
    at = place.at.astimezone(timezone.utc).isoformat()
    where = [at, str(place.job), str(place.run), place.future]
    return base64.urlsafe_b64encode(orjson.dumps(where)).decode().rstrip("=")


def read_place(text: Text) -> Place | None:
    """The place of a cursor, None without one; 400 if no answer gave it."""
    if not text:
        return None
    try:
        at, job, run, *future = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        place = Place(read_instant(at), UUID(job), UUID(run), future == [True])
    except (binascii.Error, ValueError, TypeError, AttributeError):
        place = None
    if place is None:
        raise problem(400, "bad-cursor", "`cursor` is the nextCursor of an answer before, as it was.")
    return place
