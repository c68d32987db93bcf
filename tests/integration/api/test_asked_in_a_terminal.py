"""What `lineal` prints of runs that were told to a receiver: asked of its database, as in a terminal."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import subprocess
import sys
from typing import Any
from uuid import UUID

from .test_v2_attention import under

WHY = {"errorMessage": {"message": "no column x\nLINE 7: select x", "programmingLanguage": "SQL"}}


async def ask(database_url: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `lineal` on the database."""
    command = [sys.executable, "-m", "lineal_receiver.cli", *words, "--database-url", database_url]
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONIOENCODING": "utf-8"}
    return await asyncio.to_thread(
        subprocess.run, command, env=env, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False
    )


async def test_a_tree_and_a_list_of_runs_say_what_went_wrong(client: Any, database_url: str) -> None:
    dag, task, well = (str(UUID(int=number)) for number in (1, 2, 3))
    await client.run("dag", 1, event="START")
    await client.run("task", 2, event="START", at=1, facets=under("dag", 1))
    await client.run("task", 2, event="FAIL", at=3, facets={**under("dag", 1), **WHY})
    await client.run("well", 3, event="START", at=4, facets=under("dag", 1))
    await client.run("well", 3, at=5, facets=under("dag", 1))

    tree = await ask(database_url, "runs", dag)
    assert (tree.returncode, tree.stderr) == (0, "")
    assert tree.stdout.splitlines() == [
        "dag  running  2026-03-02 12:00",
        "├─ task  failed  2026-03-02 12:00  2.0 s",
        "│     ! no column x",
        "│       LINE 7: select x",
        "└─ well  completed  2026-03-02 12:00  1.0 s",
        "1 failed, 1 completed",
    ]
    listed = await ask(database_url, "runs", "--job", "task")
    assert [line.split() for line in listed.stdout.splitlines()[1:]] == [
        ["failed", "2026-03-02", "12:00", "2.0", "s", "jobs:task", task],
        ["!", "no", "column", "x"],
        ["LINE", "7:", "select", "x"],
    ]
    rows = csv.DictReader((await ask(database_url, "runs", dag, "--format", "csv")).stdout.splitlines(keepends=True))
    errors = {row["run_id"]: row["error"] for row in rows}
    assert errors == {dag: "", task: WHY["errorMessage"]["message"], well: ""}


async def test_columns_of_a_source_that_no_schema_states_have_short_names(client: Any, database_url: str) -> None:
    def of(field: str, kind: str) -> dict[str, Any]:
        return {"namespace": "data", "name": "lake.raw", "field": field, "transformations": [{"type": kind}]}

    fields = {"x": {"inputFields": [of("a", "DIRECT"), of("b", "INDIRECT")]}}
    made = client.dataset("mart", "x", facets={"columnLineage": {"fields": fields}})
    await client.run("make", 1, inputs=[client.dataset("lake.raw")], outputs=[made])
    for word, flags, target in (("raw.a", (), "mart.x  direct"), ("lake.raw.b", ("--rows",), "mart.x  indirect")):
        told = await ask(database_url, "downstream", word, *flags)
        assert (told.returncode, told.stderr, told.stdout.splitlines()[-1]) == (0, "", f"└─ {target}")
    nothing = await ask(database_url, "downstream", "raw.z")
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert nothing.stderr.splitlines()[1:] == ["  data:lake.raw.a", "  data:lake.raw.b"]


async def test_a_file_that_leaves_something_out_says_so_beside_it(client: Any, database_url: str) -> None:
    await client.run("widen", 1, outputs=[client.dataset("wide", " ".join(f"c{number}" for number in range(20_001)))])
    told = await ask(database_url, "export", "wide", "--format", "openlineage")
    assert told.returncode == 0
    assert told.stderr == "lineal: of a table with more columns than one file holds the first 20,000 are told\n"
    (event,) = map(json.loads, told.stdout.splitlines())
    assert len(event["outputs"][0]["facets"]["schema"]["fields"]) == 20_000


async def test_what_changed_between_two_runs_is_told_in_words(client: Any, database_url: str) -> None:
    table = client.dataset

    def made(fields: str, **inputs: dict[str, Any]) -> dict[str, Any]:
        return table("t", fields, facets={"columnLineage": {"fields": inputs}})  # type: ignore[no-any-return]

    def of(field: str, subtype: str, said: str) -> dict[str, Any]:
        kind = {"type": "DIRECT", "subtype": subtype, "description": said}
        return {"inputFields": [{"namespace": "data", "name": "s", "field": field, "transformations": [kind]}]}

    before = made("a b", a=of("x", "IDENTITY", "x"), b=of("x", "TRANSFORMATION", "x + 1"))
    after = made("a c", a=of("x", "AGGREGATION", "sum(x)"), c=of("y", "IDENTITY", "y"))
    await client.run("make", 1, inputs=[table("s", "x y")], outputs=[before])
    await client.run("make", 2, at=60, inputs=[table("s", "x y"), table("more")], outputs=[after])
    first, second = (str(UUID(int=number)) for number in (1, 2))

    told = await ask(database_url, "diff", "--from-run", first, "--to-run", second)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines() == [
        "in data",
        "columns",
        "  + t.c INT",
        "  - t.b INT",
        "column edges",
        "  + s.y → t.c identity",
        "    = y",
        "  - s.x → t.b transformation",
        "    = x + 1",
        "  ~ s.x → t.a",
        "    identity → aggregation",
        "    = x → sum(x)",
        "table edges",
        "  + make reads more",
    ]
    lineage = {"fields": {"a": of("x", "AGGREGATION", "sum(x)")}}
    untyped = table("t", facets={"schema": {"fields": [{"name": "a"}]}, "columnLineage": lineage})
    await client.run("make", 3, at=120, outputs=[untyped])
    third = str(UUID(int=3))
    untold = await ask(database_url, "diff", "--from-run", second, "--to-run", third)
    assert "  ~ t.a\n    type: INT → not told\n" in untold.stdout
    same = await ask(database_url, "diff", "--from-run", second, "--to-run", second)
    assert (same.returncode, same.stdout) == (1, "nothing changed\n")
    nobody = await ask(database_url, "diff", "--from-run", first, "--to-run", str(UUID(int=9)))
    assert (nobody.returncode, nobody.stdout, nobody.stderr) == (1, "", "lineal: there is no such run\n")
