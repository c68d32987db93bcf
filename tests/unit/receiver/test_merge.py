"""The mill: what events assert, joined in any order, and what is chosen from it."""

import json
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineal_receiver.ids import NONE, dataset_id, job_id
from lineal_receiver.ingest.derive import unite_fields
from lineal_receiver.ingest.envelope import open_envelope
from lineal_receiver.ingest.event import FUTURE, Event, build_event
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.ingest.merge import collect
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.slots import BuildMark, StandIn, Write, count_together, newest_builds, stand_in
from lineal_receiver.ingest.validate import Judge

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
JUDGE = Judge(read_bundle())
BASE = {"_producer": "p", "_schemaURL": "s"}
RUN = UUID("01900000-0000-7000-8000-000000000001")
JOB = job_id("n", "j")


def event(kind: str | None = "COMPLETE", minute: int = 0, **changes: Any) -> Event:
    """A judged event, `minute` minutes after noon."""
    sent: dict[str, Any] = {
        "eventTime": (NOON + timedelta(minutes=minute)).isoformat(),
        "producer": "p",
        "schemaURL": "s",
        "run": {"runId": str(RUN)},
        "job": {"namespace": "n", "name": "j"},
        **({"eventType": kind} if kind else {}),
        **changes,
    }
    envelope = open_envelope(json.dumps({key: value for key, value in sent.items() if value is not ...}).encode())
    verdict = JUDGE.judge(envelope)
    assert verdict.faults == ()
    return build_event(envelope, verdict, NOON + timedelta(days=1))


def table(name: str, **facets: Any) -> dict[str, Any]:
    return {"namespace": "w", "name": name, "facets": {key: {**BASE, **value} for key, value in facets.items()}}


def source(name: str, field: str, *transformations: dict[str, Any]) -> dict[str, Any]:
    return {"namespace": "w", "name": name, "field": field, "transformations": list(transformations)}


def names_of_facets(changes: Changes) -> set[str]:
    kept = [
        *changes.facets,
        *(key for ends in changes.end_facets.values() for end in ends.values() for key in end.facets),
    ]
    return {name for _, _, _, name in kept}


def edges_of(changes: Changes) -> list[tuple[str, str, str, str, str, bool, str | None]]:
    (build,) = changes.builds.values()
    names = {identity: name for identity, (_, name, _) in changes.dataset_names.items()}
    return [
        (e.target_field, names[e.source_dataset], e.source_field, e.type, e.subtype, e.masking, e.expression)
        for e in build.edges
    ]


def lineage(fields: dict[str, Any], dataset: list[Any] | None = None) -> Changes:
    facet = {"fields": fields, **({"dataset": dataset} if dataset is not None else {})}
    return collect([event(outputs=[table("t", columnLineage=facet)])])


@given(
    st.permutations(
        [("START", 0), ("RUNNING", 3), ("COMPLETE", 9), ("FAIL", 8), ("START", 1), ("OTHER", 12), (None, 2)]
    )
)
def test_events_of_a_run_in_any_order(order: list[tuple[str | None, int]]) -> None:
    run = collect(event(kind, minute) for kind, minute in order).runs[JOB, RUN]
    assert (run.start_at, run.running_at, run.first_at, run.last_at) == tuple(
        NOON + timedelta(minutes=minute) for minute in (0, 3, 0, 12)
    )
    assert run.end is not None
    assert run.end[1:3] == (NOON + timedelta(minutes=8), 0)
    assert (run.ends_seen, run.typed, run.placeholder) == (5, True, False)


def test_equal_ends_are_decided_by_rank() -> None:
    run = collect([event("COMPLETE"), event("ABORT"), event("FAIL")]).runs[JOB, RUN]
    assert run.end is not None
    assert (run.end[2], run.ends_seen) == (0, 7)


def test_each_transformation_is_an_edge_and_repeats_are_joined() -> None:
    kind = {"type": "DIRECT", "subtype": "AGGREGATION", "description": "sum(x)", "masking": False}
    other = {"type": "INDIRECT", "subtype": "SORT"}
    changes = lineage(
        {
            "y": {
                "inputFields": [
                    source("a", "x", kind, other),
                    source("a", "x", {**kind, "masking": True, "description": "b"}),
                ]
            }
        }
    )
    assert edges_of(changes) == [
        ("y", "a", "x", "DIRECT", "AGGREGATION", True, "b"),
        ("y", "a", "x", "INDIRECT", "SORT", False, None),
    ]


@pytest.mark.parametrize(
    ("stated", "edge"),
    [
        ({}, ("DIRECT", "", False, None)),
        (
            {"transformationType": "IDENTITY", "transformationDescription": "as is"},
            ("DIRECT", "IDENTITY", False, "as is"),
        ),
        ({"transformationType": "MASKED"}, ("DIRECT", "TRANSFORMATION", True, None)),
    ],
)
def test_what_columnlineage_said_before_transformations(stated: dict[str, Any], edge: tuple[Any, ...]) -> None:
    changes = lineage({"y": {"inputFields": [source("a", "x")], **stated}})
    assert edges_of(changes) == [("y", "a", "x", *edge)]


def test_dependencies_of_the_whole_output_have_no_target_field() -> None:
    changes = lineage({}, [source("a", "x", {"type": "INDIRECT", "subtype": "FILTER"})])
    assert edges_of(changes) == [("", "a", "x", "INDIRECT", "FILTER", False, None)]


def test_columns_are_traced_constant_or_unresolved() -> None:
    fields = {"a": {"inputFields": [source("s", "x")]}, "b": {"inputFields": []}}
    schema = {"fields": [{"name": name} for name in ("c", "b", "a")]}
    changes = collect([event(outputs=[table("t", schema=schema, columnLineage={"fields": fields})])])
    (build,) = changes.builds.values()
    assert [(c.field, c.status, c.reason) for c in build.columns] == [
        ("c", "unresolved", "not_reported"), ("b", "constant", None), ("a", "traced", None),
    ]  # fmt: skip
    assert (build.status, build.model_id, build.sql_hash) == ("partial", "w/t", None)


def test_a_traced_column_without_edges_is_not_believed() -> None:
    own = {
        "modelId": "model.p.t", "status": "resolved", "gaps": [{"code": "g", "message": "why"}], "relations": [],
        "columns": [{"name": "a", "status": "traced"}, {"name": "b", "status": "traced", "self": True}],
    }  # fmt: skip
    changes = collect([event(outputs=[table("t", lineal_lineage=own)])])
    (build,) = changes.builds.values()
    assert [(c.field, c.status, c.reason) for c in build.columns] == [
        ("a", "unresolved", "not_reported"),
        ("b", "traced", None),
    ]
    assert (build.model_id, build.error_message) == ("model.p.t", "g: why")


def test_an_invalid_facet_asserts_nothing_but_is_kept() -> None:
    changes = collect([event(outputs=[table("t", columnLineage={"fields": 3}, schema={"fields": {}})])])
    assert (changes.builds, changes.schemas) == ({}, {})
    assert names_of_facets(changes) == {"columnLineage", "schema"}


def test_a_dataset_listed_twice_has_the_facets_of_both() -> None:
    fields = {"a": {"inputFields": [source("s", "x")]}}
    listed = [table("t", schema={"fields": [{"name": "a"}]}), table("t", columnLineage={"fields": fields})]
    changes = collect([event(outputs=listed, inputs=[table("t")])])
    written, read = (changes.io[dataset_id("w", "t"), JOB, RUN, side] for side in "oi")
    assert written.schema is not None
    assert written.build is not None
    assert read.schema is None


def test_a_failed_event_names_but_does_not_assert() -> None:
    fields = {"a": {"inputFields": [source("s", "x")]}}
    sent = table(
        "t", schema={"fields": [{"name": "a"}]}, columnLineage={"fields": fields}, documentation={"description": "d"}
    )
    changes = collect([event("FAIL", outputs=[sent])])
    row = changes.io[dataset_id("w", "t"), JOB, RUN, "o"]
    assert (row.named_at, row.schema, row.build) == (None, None, None)
    assert len(changes.builds) == 1
    assert names_of_facets(changes) == {"documentation"}


def test_a_parent_that_is_the_run_itself_is_none() -> None:
    parent = {**BASE, "run": {"runId": str(RUN)}, "job": {"namespace": "n", "name": "j"}}
    changes = collect([event(run={"runId": str(RUN), "facets": {"parent": parent}})])
    assert changes.runs[JOB, RUN].parent is None


def test_an_event_from_the_future_is_marked() -> None:
    assert event(minute=60 * 25).flags & FUTURE
    assert not event(minute=60 * 23).flags & FUTURE
    assert collect([event(minute=60 * 25)]).runs[JOB, RUN].future


def test_static_events_have_no_run() -> None:
    changes = collect([event(None, run=..., inputs=[table("a")], outputs=[table("b")])])
    assert set(changes.io) == {(dataset_id("w", "a"), JOB, NONE, "i"), (dataset_id("w", "b"), JOB, NONE, "o")}
    assert changes.runs == {}
    assert len(changes.versions) == 1


def mark(
    name: str, sql: str | None = "q", status: str = "resolved", schema: str | None = "s", rules: str = "1"
) -> BuildMark:
    return BuildMark(name.encode(), sql, schema, "30", rules, status, 2)


def write(minute: int, lifecycle: str | None = None, build: BuildMark | None = None) -> Write:
    return Write(UUID(int=minute), NOON + timedelta(minutes=minute), lifecycle, build)


@pytest.mark.parametrize(
    ("lifecycles", "counted"),
    [
        ([None, None, None], [3, 2, 1]),
        (["CREATE", "OVERWRITE", None], [3, 2]),
        (["TRUNCATE", None, None], [3]),
        ([None, "DROP", None], [3, 1]),
    ],
)
def test_writes_count_together_back_to_what_emptied_the_table(lifecycles: list[str | None], counted: list[int]) -> None:
    writes = [write(3 - index, lifecycle) for index, lifecycle in enumerate(lifecycles)]
    assert [w.run.int for w in count_together(writes, None)] == counted


def test_writes_before_a_drop_do_not_count() -> None:
    group = count_together([write(3), write(2), write(1)], NOON + timedelta(minutes=2))
    assert [w.run.int for w in group] == [3, 2]


def test_of_each_sql_the_newest_build_counts() -> None:
    group = [
        write(4, None, mark("b", "q1")),
        write(3, None, mark("a", "q1")),
        write(2),
        write(1, None, mark("c", "q2")),
    ]
    assert [build.id for build in newest_builds(group)] == [b"b", b"c"]
    unsaid = [write(2, None, mark("b", None)), write(1, None, mark("a", None)), write(0, None, mark("b", None))]
    assert [build.id for build in newest_builds(unsaid)] == [b"b", b"a"]


@pytest.mark.parametrize(
    ("base", "other", "chosen"),
    [
        (mark("new", status="partial"), mark("old"), b"old"),
        (mark("new", status="unresolved"), mark("old", status="partial"), b"old"),
        (mark("new"), mark("old"), b"new"),
        (mark("new", status="partial"), mark("old", rules="2"), b"new"),
        (mark("new", status="partial"), mark("old", schema="t"), b"new"),
        (mark("new", status="partial", schema=None), mark("old"), b"old"),
        (mark("new", None, status="partial"), mark("old", None), b"new"),
    ],
)
def test_a_better_reading_of_the_same_sql_stands_in(base: BuildMark, other: BuildMark, chosen: bytes) -> None:
    assert stand_in(base, [StandIn(other, NOON)], None) == chosen
    assert stand_in(base, [StandIn(other, NOON)], NOON + timedelta(minutes=1)) == base.id


def test_fields_that_readers_saw_are_united_by_name() -> None:
    old, new = '[{"name":"a","type":"int"},{"name":"b"}]', '[{"name":"a","type":"text"}]'
    assert unite_fields([old, new]) == [{"name": "a", "type": "text"}, {"name": "b"}]
