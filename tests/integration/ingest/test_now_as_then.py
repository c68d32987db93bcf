"""The graph of now is that as of the latest time, whatever was renamed, dropped, overwritten, deleted or joined.

`pytest tests/integration/ingest/test_now_as_then.py --hypothesis-profile=deep` tries some thousand sets more.
"""

import random
from typing import Any

import asyncpg
import httpx
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from lineal_receiver.ingest.persist import Vault

from .commands import command
from .conftest import empty
from .events import dataset, dataset_event, facet, job_event, lineage, optional, parent, run_event, schema
from .generated import Records
from .model_events import reading, unique
from .ways import keep

PROFILE = settings.default or settings()
EXAMPLES = PROFILE.max_examples if PROFILE.max_examples > 100 else 20
SPACE, JOB_SPACE = "postgres://db.example:5432", "nightly"
TABLES, JOBS = ("a", "b", "c", "d"), ("load", "mend")
LATEST = "2026-03-02T00:00:00Z"


def renamed(name: str) -> dict[str, Any]:
    """A statement gave what was called so its name."""
    return facet(lifecycleStateChange="RENAME", previousIdentifier={"namespace": SPACE, "name": name})


minutes = st.integers(0, 9)
tables, jobs = st.sampled_from(TABLES), st.sampled_from(JOBS)
changes = st.sampled_from(["OVERWRITE", "TRUNCATE", "DROP", "CREATE"]).map(
    lambda change: facet(lifecycleStateChange=change)
)
plain = st.sampled_from([{}, {}, {"columnLineage": lineage(x="a.x")}, {"columnLineage": lineage(x="b.y c.z", y=None)}])
told = st.sampled_from(
    [
        reading("resolved", "q1", "s1", x="a.q1", y=None),
        reading("partial", "q1", "s1", x="a.part", y="?"),
        reading("resolved", "q2", "s1", x="a.q2"),
        reading("failed", "q1", "s1"),
    ]
)
lost = st.just(reading("unresolved", "q2", "s2", x="?", y="?"))


def outputs(readings: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Outputs with these readings of their columns."""
    return st.builds(
        lambda name, facets, said: dataset(name, **facets, **said),
        tables,
        optional(
            schema=st.sampled_from([schema("x"), schema("x", "y")]),
            lifecycleStateChange=changes | tables.map(renamed) | tables.map(renamed),
            symlinks=tables.map(lambda name: facet(identifiers=[{"namespace": SPACE, "name": name, "type": "TABLE"}])),
        ),
        readings,
    )


parents = optional(parent=st.sampled_from([parent(8, "dag"), parent(9, "dag")]))


def run_events(readings: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Events of runs whose outputs have these readings."""
    return st.builds(
        run_event,
        st.sampled_from(["COMPLETE"] * 5 + ["START", "FAIL"]),
        minutes,
        st.integers(1, 6),
        jobs,
        unique(tables.map(dataset), 2),
        unique(outputs(readings), 2),
        parents,
    )


static_events = st.builds(
    job_event,
    minutes,
    jobs,
    st.lists(tables.map(dataset), max_size=1),
    st.lists(outputs(plain | told | lost), max_size=1),
) | st.builds(dataset_event, minutes, outputs(plain | told | lost))


def _delete(minute: int, name: str) -> Any:
    kind, space = ("job", JOB_SPACE) if name in JOBS else ("dataset", SPACE)
    arguments = {"kind": kind, "namespace": space, "name": name}
    return command("delete", minute, 0, **arguments, at=f"2026-03-01T10:{minute:02}:00Z", ids=[])


def _join(minute: int, old: str, new: str) -> Any:
    kind, space = ("job", JOB_SPACE) if new in JOBS else ("dataset", SPACE)
    ends = {"old": {"namespace": space, "name": old}, "new": {"namespace": space, "name": new}}
    return command("put_alias", minute, 1, kind=kind, **ends)


commands = st.one_of(
    st.builds(_delete, minutes, tables | jobs),
    st.builds(_join, minutes, tables, tables),
    st.builds(_join, minutes, jobs, jobs),
)
mixed = run_events(plain | told | lost) | run_events(plain | told | lost) | static_events
records = st.builds(
    Records.of,
    st.lists(mixed, min_size=1, max_size=8),
    st.lists(commands, max_size=2),
)
BUILT_THEN_RENAMED = Records.of(
    [
        run_event("COMPLETE", 1, 1, outputs=[dataset("b", columnLineage=lineage(x="a.x"))]),
        run_event("COMPLETE", 2, 2, outputs=[dataset("c", lifecycleStateChange=renamed("b"))]),
    ]
)
UNDER_ONE_PARENT = Records.of(
    [
        run_event("COMPLETE", minute, minute, outputs=[dataset("c", columnLineage=lineage(x=source))],
                  run_facets={"parent": parent(8, "dag")})
        for minute, source in enumerate(("a.x", "b.y"), start=1)
    ]
)  # fmt: skip

READ_UNDER_A_SYMLINK = Records.of(
    [
        dataset_event(
            3,
            dataset(
                "c",
                symlinks=facet(identifiers=[{"namespace": SPACE, "name": "a", "type": "TABLE"}]),
                **reading("resolved", "q2", "s1", x="a.q2"),
            ),
        ),
        dataset_event(8, dataset("a")),
    ]
)

WRITTEN_UNDER_A_SYMLINK = Records.of(
    [
        run_event(
            "COMPLETE",
            3,
            1,
            outputs=[
                dataset(
                    "c",
                    symlinks=facet(identifiers=[{"namespace": SPACE, "name": "a", "type": "TABLE"}]),
                    **reading("resolved", "q2", "s1", x="a.q2"),
                )
            ],
        ),
        run_event("COMPLETE", 8, 2, outputs=[dataset("a")]),
    ]
)

RENAMED_UNDER_AN_ALIAS_BY_STATIC_EVENTS = Records.of(
    [
        job_event(
            2,
            "mend",
            [],
            [
                dataset(
                    "c",
                    symlinks=facet(identifiers=[{"namespace": SPACE, "name": "d", "type": "TABLE"}]),
                    **reading("resolved", "q2", "s1", x="a.q2"),
                )
            ],
        ),
        dataset_event(8, dataset("b", schema=schema("x"), lifecycleStateChange=renamed("d"))),
    ]
)


@settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink an example would take many minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(records=BUILT_THEN_RENAMED, seed=0)
@example(records=UNDER_ONE_PARENT, seed=0)
@example(records=RENAMED_UNDER_AN_ALIAS_BY_STATIC_EVENTS, seed=0)
@example(records=WRITTEN_UNDER_A_SYMLINK, seed=0)
@example(records=READ_UNDER_A_SYMLINK, seed=0)
@given(records=records, seed=st.integers(0, 99))
async def test_the_graph_of_now_is_that_as_of_the_latest_time(
    shared_pool: asyncpg.Pool, http: httpx.AsyncClient, records: Records, seed: int
) -> None:
    await empty(shared_pool)
    every = [*records.bodies, *records.commands]
    async with Vault(shared_pool) as vault:
        for record in random.Random(seed).sample(every, len(every)):
            await keep(vault, record)
    for kind, space, name in [("dataset", SPACE, one) for one in TABLES] + [("job", JOB_SPACE, one) for one in JOBS]:
        asked = {"type": kind, "namespace": space, "name": name, "depth": "2"}
        now = await read_graph(http, asked)
        assert now == await read_graph(http, asked | {"asOf": LATEST}), name


def told_in_a_run(minute: int, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A run that wrote this."""
    return run_event("COMPLETE", minute, minute, outputs=list(outputs))


@pytest.mark.parametrize(("told", "job"), [(told_in_a_run, "load"), (dataset_event, None)])
async def test_sources_of_columns_are_called_as_when_they_were_read(
    shared_pool: asyncpg.Pool, http: httpx.AsyncClient, told: Any, job: str | None
) -> None:
    """A newer write, which says nothing of columns, had the table's own rows come from what it was called before."""
    await empty(shared_pool)
    events = [
        told(1, dataset("c", columnLineage=lineage(x="b.x", y=None), lifecycleStateChange=renamed("b"))),
        told(6, dataset("c")),
    ]
    async with Vault(shared_pool) as vault:
        for record in Records.of(events, []).bodies:
            await keep(vault, record)
    asked = {"type": "dataset", "namespace": SPACE, "name": "c", "depth": "2"}
    expected = {
        "target": "c",
        "tables": {("c", job, "c")},
        "columns": {("c", "x", job, "c", "x", False)},
        "known": {("c", "x", "traced", None), ("c", "y", "constant", None)},
    }
    assert await read_graph(http, asked) == expected
    assert await read_graph(http, asked | {"asOf": LATEST}) == expected


async def read_graph(http: httpx.AsyncClient, asked: dict[str, str]) -> Any:
    """What is around a node, by name: table edges, column edges and what is known of the columns that these reach."""
    response = await http.get("/api/v2/lineage", params=asked)
    assert response.status_code in (200, 404), response.text
    if response.status_code == 404:
        return None
    graph = response.json()
    names = {None: None} | {one["id"]: one["name"] for one in graph["datasets"] + graph["jobs"]}
    return {
        "target": graph["target"]["name"],
        "tables": {(names[use["source"]], names[use["job"]], names[use["target"]]) for use in graph["tableEdges"]},
        "columns": {
            (*_end(names, edge["source"]), names[edge["job"]], *_end(names, edge["target"]), edge["lastKnown"])
            for edge in graph["columnEdges"]
        },
        "known": {
            (one["name"], column["name"], column["status"], column["reason"])
            for one in graph["datasets"]
            for column in one["columns"]
            if column["status"] in ("traced", "constant")
        },
    }


def _end(names: dict[str | None, str | None], end: dict[str, str]) -> tuple[str | None, str]:
    return names[end["dataset"]], end["field"]
