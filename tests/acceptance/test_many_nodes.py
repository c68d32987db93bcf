"""What a node costs doesn't grow with the nodes before it, and none of many is lost: counted, in a real dbt."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from .plugin_project import LONG, Project

NODES = 160
# Runs dbt in this process and counts, for each of its events that we see to: function calls, and bytes for the outbox.
PROGRAM = """
import atexit, gc, json, sys
out, told = sys.argv.pop(1), []
atexit.register(lambda: open(out, "w").write(json.dumps(told)))
import lineal_producer.dbt.hooks as hooks
from lineal_producer.outbox import Outbox
dispatch, append, written = hooks._dispatch, Outbox.append, [0]
def counted_append(self, line, **how):
    written[0] += len(line)
    append(self, line, **how)
def counted(action, event):
    calls, before = [0], written[0]
    def count(frame, what, argument):
        calls[0] += what in ("call", "c_call")
    gc.disable()  # a collection calls what others have asked for
    sys.setprofile(count)
    try: dispatch(action, event)
    finally:
        sys.setprofile(None)
        gc.enable()
    if action.endswith("_node"):
        told.append([event.data.node_info.unique_id, action, calls[0], written[0] - before])
hooks._dispatch, Outbox.append = counted, counted_append
from dbt.cli.main import cli
sys.argv[0] = "dbt"
cli()
"""


def test_a_node_costs_what_the_first_ones_cost_and_every_event_arrives(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    project.write(
        {
            "dbt_project.yml": "name: many\nversion: 1.0.0\nprofile: many\n",
            "profiles.yml": "many:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: ':memory:', threads: 1}\n",
            "models/base.sql": "select 1 as a, 2 as b",
        }
    )
    names = [f"m{number}" for number in range(100, 100 + NODES)]
    project.write({f"models/{name}.sql": "select a, b + 1 as b from {{ ref('base') }}" for name in names})
    counts = tmp_path / "counts.json"
    command = [sys.executable, "-c", PROGRAM, str(counts), "run", "--profiles-dir", "."]
    env = project.environment(**project.to_file())
    done = subprocess.run(command, cwd=project.root, env=env, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

    told = Counter((event["job"]["name"].rpartition(".")[2], event["eventType"]) for event in project.events())
    for name in ("base", *names):
        assert told[name, "START"] == told[name, "COMPLETE"] == 1
    assert told["dbt-run-many", "COMPLETE"] == 1
    assert project.waiting() == []

    seen = [one for one in json.loads(counts.read_text()) if not one[0].endswith(".base")]
    assert len(seen) == 2 * NODES
    for action in ("start_node", "end_node"):
        calls = [count for _, what, count, _ in seen if what == action]
        # What the clock decides (whether the child must be woken, whether a sync is due) takes some 15 calls; one call
        # for each node before would be 80 more at least.
        assert max(calls[120:]) <= min(calls[:40]) + 50, (action, calls)
    starts = [size for _, what, _, size in seen if what == "start_node"]
    # The first, or one soon after it where the database is slow, also tells how its input's columns were read.
    assert max(starts[40:]) <= min(starts[:40])
