"""GET /api/v2/runs/tree: a run with its children, theirs, and so on."""

from collections import Counter, defaultdict
from itertools import chain
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v2.asking import read_switch
from lineal_receiver.api.v2.parameters import describe
from lineal_receiver.api.v2.runs import TEXTS, build_runs, find_state
from lineal_receiver.ids import run_uuid
from lineal_receiver.store.read_facets import RunKey
from lineal_receiver.store.read_run_list import ListedRun, fetch_listed, list_runs
from lineal_receiver.store.read_run_tree import list_children_of
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_RUNS, MOST_LEVELS = 1_000, 64
CUT = f"there are more than {MOST_RUNS} runs, or {MOST_LEVELS} levels, below; the first levels are given"


@router.get("/api/v2/runs/tree", openapi_extra=describe("runId", "root", needed=("runId",)))
async def show(request: Request) -> Response:
    """A run and all below it, those of one parent by their start; `states` counts all but the run itself."""
    sent = request.query_params.get("runId")
    if not sent:
        raise problem(400, "no-run", "`runId` is the id of a run.")
    from_root = read_switch("root", request.query_params.get("root"))
    async with snapshot(request.app.state.pool, "once") as connection:
        run = await find_listed(connection, run_uuid(sent)[0])
        if run is None:
            raise problem(404, "no-such-run", f"No event has named a run '{sent}'.")
        if from_root:
            run = await _climb(connection, run)
        below, cut = await _walk(connection, run.run_id)
        every = list({_key(one): one for one in (run, *chain.from_iterable(below.values()))}.values())
        built = dict(zip(map(_key, every), await build_runs(connection, every), strict=True))
    states = Counter(find_state(child) for children in below.values() for child in children)
    said = CUT if cut else None
    counted = {state: states[state] for state in TEXTS if states[state]}
    return answer({"run": _build(run, below, built), "states": counted, "cut": said}, cut=said)


async def find_listed(connection: Connection, run: UUID) -> ListedRun | None:
    """The run of this id: one that spoke before one that was only named, then the earliest."""
    named = await list_runs(connection, None, MOST_RUNS, run=run)
    return min(named, key=lambda one: (one.placeholder, one.sorted_at, one.job_id), default=None)


async def _climb(connection: Connection, run: ListedRun) -> ListedRun:
    """The run at the top: parents are followed as far as there are any, never twice."""
    met = {run.run_id}
    for _ in range(MOST_LEVELS):
        if run.parent_run is None or run.parent_run in met:
            break
        above = await find_listed(connection, run.parent_run)
        if above is None:
            break
        met.add(above.run_id)
        run = above
    return run


async def _walk(connection: Connection, top: UUID) -> tuple[dict[UUID, list[ListedRun]], bool]:
    """The children by parent, level by level; a circle of parents ends where it closes."""
    below: dict[UUID, list[ListedRun]] = defaultdict(list)
    met, frontier, count = {top}, [top], 0
    for _ in range(MOST_LEVELS):
        if not frontier:
            return below, False
        keys = await list_children_of(connection, frontier, MOST_RUNS - count + 1)
        cut = len(keys) > MOST_RUNS - count
        keys = [key for key in keys[: MOST_RUNS - count] if key[2] not in met]
        listed = await fetch_listed(connection, [(job, run) for _, job, run in keys])
        by_key = {(one.job_id, one.run_id): one for one in listed}
        for parent, job, run in keys:
            if (job, run) in by_key:
                below[parent].append(by_key[job, run])
        count += len(keys)
        frontier = list(dict.fromkeys(run for _, _, run in keys))
        met |= set(frontier)
        if cut:
            break
    return below, True


def _key(run: ListedRun) -> RunKey:
    return run.job_id, run.run_id


def _build(run: ListedRun, below: dict[UUID, list[ListedRun]], built: dict[RunKey, dict[str, Any]]) -> dict[str, Any]:
    """A run with its children; not by recursion, for trees may be deep."""
    top = {**built[_key(run)], "children": []}
    shown, waiting = {run.run_id}, [(run.run_id, top)]
    while waiting:
        parent, above = waiting.pop()
        for child in below.get(parent, ()):
            one = {**built[_key(child)], "children": []}
            above["children"].append(one)
            if child.run_id not in shown:
                shown.add(child.run_id)
                waiting.append((child.run_id, one))
    return top
