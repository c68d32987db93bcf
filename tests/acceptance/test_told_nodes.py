"""What dbt's process tells of nodes is in the end what dbt's own objects say: in a real dbt, by value."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from lineal_producer import records
from lineal_producer.dbt.told import Shelf
from lineal_producer.told_records import Told

from .every_kind import SPAN, new_project_of_every_kind
from .plugin_project import LONG, Project
from .wide_project import new_wide_project

# Runs dbt in this process and keeps, of each node that begins, its description from dbt's objects, and what is written.
PROGRAM = """
import atexit, json, sys
out, nodes, lines = sys.argv.pop(1), [], []
atexit.register(lambda: open(out, "w").write(json.dumps({"nodes": nodes, "lines": lines}, default=str)))
from lineal_producer.dbt import session
from lineal_producer.dbt.nodes import describe_node
from lineal_producer.outbox import Outbox
start, append = session.Session._start, Outbox.append
def started(self, running, *arguments, **how):
    node = describe_node(running.node, running.manifest, running.adapter.type())
    nodes.append([session._key(running.node), node])
    start(self, running, *arguments, **how)
def appended(self, line, **how):
    lines.extend(line.decode().splitlines())
    append(self, line, **how)
session.Session._start, Outbox.append = started, appended
from dbt.cli.main import cli
sys.argv[0] = "dbt"
cli()
"""


@pytest.mark.parametrize(
    ("make", "command", "kinds"),
    [
        (new_project_of_every_kind, ["build", *SPAN], {"model", "seed", "snapshot", "test", "unit_test"}),
        (new_project_of_every_kind, ["source", "freshness"], {"source"}),
        (new_wide_project, ["build", *SPAN], {"model", "seed", "test"}),
    ],
)
def test_what_is_told_of_nodes_describes_them_as_dbts_objects_do(
    tmp_path: Path, make: Callable[[Path], Project], command: list[str], kinds: set[str]
) -> None:
    project, kept = make(tmp_path), tmp_path / "kept.json"
    program = [sys.executable, "-c", PROGRAM, str(kept), *command, "--profiles-dir", "."]
    env = project.environment(**project.to_file())
    subprocess.run(program, cwd=project.root, env=env, capture_output=True, text=True, timeout=LONG, check=False)

    told = json.loads(kept.read_text())
    expected = dict(told["nodes"])
    shelf, begun, columns = Shelf(), {}, []
    lines = [records.from_line(line.encode()) for line in told["lines"]]
    assert lines[0]["kind"] == "invocation_start"
    for line in lines:
        if line["kind"] in ("node_shape", "node_told", "node_begun", "columns_told"):
            found = shelf.take(cast("Told", line), lines[0]["invocation"])
            if found is not None and found["kind"] == "node_start":
                begun[found["unique_id"]] = json.loads(json.dumps(found["node"]))
            elif found is not None:
                columns.append(found)
    assert begun.keys() == expected.keys()
    assert {node["resource_type"] for node in begun.values()} == kinds
    for key, node in begun.items():
        assert node == expected[key], key
    relations = {each["unique_id"]: each["relation"] for node in begun.values() for each in _relations(node)}
    for each in columns:
        assert list(each["relation"]) == relations[each["unique_id"]]


def _relations(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *node["inputs"]] if node["relation"] else node["inputs"]
