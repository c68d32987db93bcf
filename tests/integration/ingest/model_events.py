"""Small sets of events that meet: few names, few times, all kinds of events, what matters of facets."""

from typing import Any

from hypothesis import strategies as st

from .events import (
    dataset,
    dataset_event,
    facet,
    job_event,
    lineage,
    optional,
    own,
    parent,
    run_event,
    schema,
)

JOBS = ("load", "mend")
TABLES = ("a", "b", "c")
DELETED = facet(_deleted=True)

minutes = st.integers(0, 6)
schemas = st.sampled_from([schema("x"), schema("x", "y"), facet(fields=[]), DELETED])


def reading(status: str, sql: str | None, version: str | None, **fields: str | None) -> dict[str, Any]:
    """What Lineal's producer says of columns: traced ones, constants (None), and '?' for what it couldn't tell."""
    said = {name: sources for name, sources in fields.items() if sources != "?"}
    columns = [
        (name, "unresolved" if sources == "?" else "traced" if sources else "constant")
        for name, sources in fields.items()
    ]
    found: dict[str, Any] = {"lineal_lineage": own(status, *columns, sql=sql, schema_hash=version)}
    return found | ({"columnLineage": lineage(**said)} if said else {})


readings = st.sampled_from(
    [
        {},
        {},
        {"columnLineage": lineage(x="a.x")},
        {"columnLineage": lineage(x="b.y c.z", y=None)},
        {"columnLineage": lineage(y="c.y")},
        {"columnLineage": lineage()},
        {"columnLineage": None},
        {"columnLineage": DELETED},
        reading("resolved", "q1", "s1", x="a.q1", y=None),
        reading("partial", "q1", "s1", x="a.part", y="?"),
        reading("unresolved", "q1", None, x="?"),
        reading("resolved", "q2", "s1", x="a.q2"),
        reading("unresolved", "q2", "s2", x="?", y="?"),
        reading("resolved", None, None, x="a.none"),
        reading("failed", "q1", "s1"),
        reading("resolved", "q3", "s1", x=None),
    ]
)
changes = st.sampled_from(["CREATE", "OVERWRITE", "OVERWRITE", "TRUNCATE", "DROP", "ALTER"]).map(
    lambda change: facet(lifecycleStateChange=change)
)
notes = st.sampled_from([facet(description="one"), facet(description="two"), DELETED, None])


def _output(name: str, facets: dict[str, Any], reading: dict[str, Any], subset: bool) -> dict[str, Any]:
    found = dataset(name, **facets, **reading)
    if subset:
        condition = facet(outputCondition={"type": "location", "locations": []})
        found["outputFacets"] = {"subset": condition}
    return found


outputs = st.builds(
    _output,
    st.sampled_from(TABLES),
    optional(schema=schemas, lifecycleStateChange=changes, documentation=notes),
    readings,
    st.sampled_from([False, False, True]),
)
inputs = st.builds(
    lambda name, facets: dataset(name, **facets),
    st.sampled_from(TABLES),
    optional(schema=schemas, documentation=notes),
)
run_facets = optional(parent=st.sampled_from([parent(8, "dag"), parent(9, "dag", (7, "top")), parent(1, "load"), None]))
job_facets = optional(
    jobType=st.sampled_from(["BATCH", "STREAMING"]).map(lambda kind: facet(processingType=kind, integration="X"))
)
kinds = st.sampled_from(["START", "RUNNING", "OTHER", "COMPLETE", "COMPLETE", "COMPLETE", "FAIL", "ABORT", None])


def unique(things: st.SearchStrategy[dict[str, Any]], most: int) -> st.SearchStrategy[list[dict[str, Any]] | None]:
    """None, or a list that names each dataset once."""
    return st.none() | st.lists(things, max_size=most, unique_by=lambda one: one["name"])


run_events = st.builds(
    run_event,
    kinds,
    minutes,
    st.integers(1, 3),
    st.sampled_from(JOBS),
    unique(inputs, 2),
    unique(outputs, 2),
    run_facets,
    job_facets,
)
static_events = st.builds(
    job_event,
    minutes,
    st.sampled_from(JOBS),
    st.lists(inputs, max_size=2, unique_by=lambda one: one["name"]),
    st.lists(outputs, max_size=2, unique_by=lambda one: one["name"]),
    job_facets,
) | st.builds(
    dataset_event, minutes, outputs.map(lambda one: {key: one[key] for key in ("namespace", "name", "facets")})
)
event_sets = st.lists(run_events | run_events | run_events | static_events, min_size=1, max_size=8)
static_sets = st.lists(run_events | static_events | static_events, min_size=1, max_size=6)
run_sets = st.lists(run_events, min_size=1, max_size=8)
