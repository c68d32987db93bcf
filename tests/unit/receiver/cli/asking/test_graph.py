"""Answers of the API as trees."""

from __future__ import annotations

import io
from typing import Any

from lineal_receiver.cli.asking.graph import ColumnGraph, TableGraph
from lineal_receiver.cli.asking.naming import Names
from lineal_receiver.cli.asking.paper import LINES, Paper
from lineal_receiver.cli.asking.tree import draw

PAPER = Paper(io.StringIO(), width=None, colours=False, signs=LINES)


def dataset(name: str, *columns: dict[str, Any], namespace: str = "db") -> dict[str, Any]:
    return {
        "id": name,
        "namespace": namespace,
        "name": name,
        "columns": list(columns),
        "lifecycle": None,
        "droppedAt": None,
    }


def column(name: str, status: str = "traced", **more: Any) -> dict[str, Any]:
    told = {"reason": None, "sentence": None, "message": None, "expression": None}
    return {"name": name, "status": status, **told, **more}


def edge(source: str, target: str, subtype: str, *, job: str = "j", last_known: bool = False) -> dict[str, Any]:
    ends = {
        end: dict(zip(("dataset", "field"), name.split("."), strict=True))
        for end, name in (("source", source), ("target", target))
    }
    ends["target"]["field"] = ends["target"]["field"] or None  # type: ignore[assignment]
    kinds = [{"type": "DIRECT", "subtype": subtype, "masking": False}]
    return {**ends, "kinds": kinds, "expression": None, "lastKnown": last_known, "job": job}


def tree(answer: dict[str, Any], root: tuple[str, str], *, upstream: bool) -> list[str]:
    graph = ColumnGraph(answer, Names("db"), upstream=upstream, root=root)
    return list(draw(root, graph.look, graph.below, PAPER))


def test_what_two_jobs_say_of_two_columns_is_one_line() -> None:
    answer = {
        "datasets": [dataset("raw", column("a", "source")), dataset("mart", column("a"))],
        "columnEdges": [
            edge("raw.a", "mart.a", "IDENTITY"),
            edge("raw.a", "mart.a", "TRANSFORMATION", job="k", last_known=True),
        ],
    }

    assert tree(answer, ("mart", "a"), upstream=True) == ["mart.a", "└─ raw.a  identity, transformation, last known"]


def test_what_is_not_known_says_why_and_what_is_known_is_still_there() -> None:
    unknown = {"reason": "not_reported", "sentence": "The producer said nothing of this column."}
    answer = {
        "datasets": [
            dataset("raw", column("a", "constant")),
            dataset(
                "mart", column("a", "unresolved", **unknown), column("b", "unresolved", **unknown, message="so it is")
            ),
        ],
        "columnEdges": [edge("raw.a", "mart.a", "IDENTITY")],
    }

    assert tree(answer, ("mart", "a"), upstream=True) == [
        "mart.a  not all known (not_reported: The producer said nothing of this column.)",
        "└─ raw.a  identity  constant",
    ]
    assert tree(answer, ("mart", "b"), upstream=True) == ["mart.b  not known (not_reported: so it is)"]


def test_a_traced_column_without_a_tie_says_that_there_are_some() -> None:
    answer = {"datasets": [dataset("mart", column("rank"), column("a", "source"))], "columnEdges": []}

    assert tree(answer, ("mart", "rank"), upstream=True) == [
        "mart.rank  traced, to columns that aren't shown here (--rows shows those that only decide)"
    ]
    assert tree(answer, ("mart", "a"), upstream=True) == ["mart.a"]
    assert tree(answer, ("mart", "rank"), upstream=False) == ["mart.rank"]


def test_rows_hang_below_each_column_of_their_dataset_upstream() -> None:
    answer = {
        "datasets": [dataset("raw", column("a"), column("b")), dataset("mart", column("a"))],
        "columnEdges": [edge("raw.a", "mart.a", "IDENTITY"), edge("raw.b", "mart.", "FILTER")],
    }

    assert tree(answer, ("mart", "a"), upstream=True) == [
        "mart.a",
        "├─ raw.a  identity",
        "└─ mart (rows)",
        "   └─ raw.b  filter",
    ]
    assert tree(answer, ("raw", "b"), upstream=False) == ["raw.b", "└─ mart (rows)  filter"]


def test_tables_show_the_jobs_between_them_and_those_at_the_ends() -> None:
    run = {"stateText": "failed", "endedAt": "2026-03-02T12:00:59Z", "startedAt": None}
    answer = {
        "datasets": [
            dataset("raw", namespace="lake"),
            dataset("mart"),
            {**dataset("old"), "lifecycle": "DROP", "droppedAt": "…"},
        ],
        "jobs": [{"id": "j", "name": "load", "lastRun": None}, {"id": "c", "name": "check", "lastRun": run}],
        "tableEdges": [
            {"source": "raw", "job": "j", "target": "mart"},
            {"source": "raw", "job": None, "target": "old"},
            {"source": "mart", "job": "c", "target": None},
        ],
    }
    graph = TableGraph(answer, Names("db"), upstream=False)

    assert list(draw("raw", graph.look, graph.below, PAPER)) == [
        "lake:raw",
        "├─ mart  by load",
        "│  └─ job check  failed 2026-03-02 12:00",
        "└─ old  as was stated  drop",
    ]
    assert list(draw("j", graph.look, graph.below, PAPER))[:2] == ["job load", "└─ mart"]
