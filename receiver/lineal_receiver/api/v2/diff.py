"""GET /api/v2/diff: what changed of a dataset or column between two times, or between two runs."""

from datetime import datetime, timezone
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v2.asking import Node, find_node, read_moment, read_node, read_number
from lineal_receiver.api.v2.graph.states import ColumnName, EdgeName, Name, State, take_said, take_state
from lineal_receiver.api.v2.parameters import TEXT, TIME, describe
from lineal_receiver.api.v2.run_tree import find_listed
from lineal_receiver.api.v2.runs import build_run
from lineal_receiver.ids import run_uuid
from lineal_receiver.store.read_run_list import ListedRun
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

MOST_DEPTH = 20
CUT = "there is more than can be compared; the nearest is"
BETWEEN: dict[str, tuple[str, dict[str, Any], Any]] = {
    "from": ("a time or date", TIME, "2026-03-01"),
    "to": ("a time or date; now unless told", TIME, "2026-03-02"),
    "fromRun": ("instead of times and a target: the id of a run", TEXT, None),
    "toRun": ("and of the run that it is compared with", TEXT, None),
}

Change = tuple[list[Any], list[Any], list[Any]]
"""What came, what went, what there is on both sides and is another."""


@router.get("/api/v2/diff", openapi_extra=describe("namespace", "name", "field", "nodeId", "depth", own=BETWEEN))
async def show(request: Request) -> Response:
    """What came, went and changed: columns of the target, edges to it as far up as `depth` says, tables."""
    asked = request.query_params
    first, last = asked.get("fromRun"), asked.get("toRun")
    if first or last:
        if not (first and last):
            raise problem(400, "bad-run", "Two runs are compared: `fromRun` and `toRun`.")
        async with snapshot(request.app.state.pool, "once") as connection:
            body = await _compare_runs(connection, first, last)
        return answer(body, cut=body["cut"])
    since, until = read_moment("from", asked.get("from")), read_moment("to", asked.get("to"))
    if since is None:
        raise problem(400, "bad-from", "`from` is a time like 2026-03-02T12:00:00Z, or a date; `to` another, or now.")
    readings, depth = read_node(request), read_number("depth", asked.get("depth"), 1, MOST_DEPTH)
    if readings.kind == "job":
        raise problem(400, "no-target", "Ask for a dataset or column; of jobs, runs are compared.")
    until = until or datetime.now(timezone.utc)
    async with snapshot(request.app.state.pool, "once") as connection:
        node = await find_node(connection, readings, until)
        before = await find_node(connection, readings, since)
        states = [await take_state(connection, one, at, depth) for one, at in ((before, since), (node, until))]
    body = _build(*states, node=node, before=before)
    ends = {"from": {"at": since, "run": None}, "to": {"at": until, "run": None}}
    return answer({"target": node.describe(), **ends, **body}, cut=body["cut"])


async def _compare_runs(connection: Connection, first: str, last: str) -> dict[str, Any]:
    found: list[ListedRun] = []
    for sent in (first, last):
        run = await find_listed(connection, run_uuid(sent)[0])
        if run is None:
            raise problem(404, "no-such-run", f"No event has named a run '{sent}'.")
        found.append(run)
    states = [await take_said(connection, run) for run in found]
    ends = {end: {"at": run.end_at, "run": build_run(run)} for end, run in zip(("from", "to"), found, strict=True)}
    return {"target": None, **ends, **_build(*states)}


def _build(old: State, new: State, *, node: Node | None = None, before: Node | None = None) -> dict[str, Any]:
    """The comparison; a target that was called otherwise `before` is called as it is after."""
    if node is not None and before is not None and before.id != node.id:
        _rename(old, (before.namespace, before.name), (node.namespace, node.name))
    columns, edges = _compare(old.columns, new.columns), _compare(old.edges, new.edges)
    tables = _compare(dict.fromkeys(old.uses), dict.fromkeys(new.uses))
    return {
        "same": not any(any(change) for change in (columns, edges, tables)),
        "columns": {
            "came": [_name_column(key) | {"type": new.columns[key]["type"]} for key in columns[0]],
            "went": [_name_column(key) | {"type": old.columns[key]["type"]} for key in columns[1]],
            "changed": [_name_column(key) | {"from": old.columns[key], "to": new.columns[key]} for key in columns[2]],
        },
        "columnEdges": {
            "came": [_name_edge(key) | new.edges[key] for key in edges[0]],
            "went": [_name_edge(key) | old.edges[key] for key in edges[1]],
            "changed": [_name_edge(key) | {"from": old.edges[key], "to": new.edges[key]} for key in edges[2]],
        },
        "tableEdges": {
            noun: [dict(zip(("source", "job", "target"), map(_name, key), strict=True)) for key in keys]
            for noun, keys in zip(("came", "went"), tables[:2], strict=True)
        },
        "cut": CUT if old.cut or new.cut else None,
    }


def _compare(old: dict[Any, Any], new: dict[Any, Any]) -> Change:
    came = sorted((key for key in new if key not in old), key=_order)
    went = sorted((key for key in old if key not in new), key=_order)
    return came, went, sorted((key for key in new if key in old and old[key] != new[key]), key=_order)


def _order(key: Any) -> str:
    return repr(key)


def _rename(state: State, old: Name, new: Name) -> None:
    def call(column: ColumnName) -> ColumnName:
        return (*new, column[2]) if column[:2] == old else column

    state.columns = {call(column): known for column, known in state.columns.items()}
    state.edges = {(call(source), call(target), job): known for (source, target, job), known in state.edges.items()}
    ends = {old: new}
    state.uses = {
        (ends.get(source, source) if source else None, job, ends.get(target, target) if target else None): None
        for source, job, target in state.uses
    }


def _name(name: Name | None) -> dict[str, str] | None:
    return None if name is None else {"namespace": name[0], "name": name[1]}


def _name_column(column: ColumnName) -> dict[str, Any]:
    return {"namespace": column[0], "name": column[1], "field": column[2] or None}


def _name_edge(key: EdgeName) -> dict[str, Any]:
    source, target, job = key
    return {"source": _name_column(source), "target": _name_column(target), "job": _name(job)}
