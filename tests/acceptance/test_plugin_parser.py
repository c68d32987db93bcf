"""A parser that loops, recurses, crashes or eats memory, under a real dbt of four threads: one model loses columns."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from .plugin_project import Project, new_project

# In the process that analyses, sqlglot does what a comment of the SQL tells it to; other statements are read as ever.
STUB = """
import os, signal, sys
if "lineal_producer.worker.analyst" in sys.orig_argv:
    import sqlglot
    plain = sqlglot.parse
    def recurse(depth):
        return recurse(depth + 1) + 1
    def parse(sql, *arguments, **options):
        if "does loop" in sql:
            while True:
                pass
        if "does recurse" in sql:
            sys.setrecursionlimit(10**9)
            recurse(0)
        if "does crash" in sql:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "does eat" in sql:
            eaten = []
            for _ in range(4096):
                eaten.append(b"x" * 2**20)
        return plain(sql, *arguments, **options)
    sqlglot.parse = parse
"""
FAULTS = ("loop", "recurse", "crash", "eat")
KINDS = {
    f"models/{what}.sql": f"select id, amount from {{{{ ref('raw_orders') }}}} -- does {what}\n"
    for what in (*FAULTS, "work", "well")
}
PROFILES = "tiny:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: tiny.duckdb, threads: 4}\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = new_project(tmp_path, **KINDS, **{"profiles.yml": PROFILES})
    stub = tmp_path / "stub"
    stub.mkdir()
    (stub / "sitecustomize.py").write_text(STUB)
    project.env["PYTHONPATH"] = str(stub)
    return project


def by_model(project: Project) -> dict[str, list[dict[str, Any]]]:
    """The events of each model in order."""
    events: dict[str, list[dict[str, Any]]] = {}
    for event in project.events():
        if event["outputs"]:
            events.setdefault(event["outputs"][0]["name"].rpartition(".")[2], []).append(event)
    return events


def test_only_the_model_at_hand_loses_its_columns(project: Project) -> None:
    # Five seconds for an analysis that takes a hundredth of one: the loop alone uses them up.
    ran = project.dbt("build", **project.to_file(), LINEAL_ANALYSIS_SECONDS="5", LINEAL_ANALYSIS_MB="1024")
    assert ran.code == 0, ran.out
    assert ran.err == ""
    events = by_model(project)
    assert {Path(name).stem for name in KINDS} <= set(events)
    for what in FAULTS if sys.platform == "linux" else FAULTS[:-1]:
        start, *_, end = events[what]
        assert (start["eventType"], end["eventType"]) == ("START", "COMPLETE")
        facets = end["outputs"][0]["facets"]
        lineage = facets["lineal_lineage"]
        assert (lineage["status"], lineage["gaps"][0]["code"]) == ("failed", "limit_exceeded"), (what, lineage["gaps"])
        assert lineage["gaps"][0]["message"]
        assert facets["columnLineage"]["fields"] == {}
        columns = [(column["name"], column["status"]) for column in lineage["columns"]]
        assert columns == [("id", "unresolved"), ("amount", "unresolved")], what
    for name in ("work", "well", "orders", "totals"):
        end = events[name][-1]
        assert end["eventType"] == "COMPLETE"
        assert end["outputs"][0]["facets"]["lineal_lineage"]["status"] == "resolved", name
        assert end["outputs"][0]["facets"]["columnLineage"]["fields"]
