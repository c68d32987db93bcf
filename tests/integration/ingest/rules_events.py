"""Small sets of events about few tables: retries, conflicting ends, late words, changes of tables and of names."""

from typing import Any

from hypothesis import strategies as st

from .events import dataset, facet, lineage, parent, run_event, schema

TABLES = ("a", "b", "c")
JOBS = ("load", "mend")
minutes = st.integers(0, 9)
DELETED = facet(_deleted=True)


def renamed(old: str) -> dict[str, Any]:
    """A lifecycle facet: the table was called `old`."""
    return facet(
        lifecycleStateChange="RENAME",
        previousIdentifier={"namespace": "postgres://db.example:5432", "name": old},
    )


changes = st.sampled_from(["DROP", "OVERWRITE", "TRUNCATE", "ALTER", "CREATE"]).map(
    lambda change: facet(lifecycleStateChange=change)
)
schemas = st.sampled_from([schema("x"), schema("x", "y"), schema("z"), facet(fields=[]), DELETED, None])
readings = st.sampled_from(
    [lineage(x="a.x"), lineage(x="b.x", y=None), lineage(("c.k",), x="b.x"), lineage(), DELETED, None]
)


def facets(**choices: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=choices)


def output(lifecycle: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda name, said: dataset(name, **said),
        st.sampled_from(TABLES),
        facets(schema=schemas, columnLineage=readings, lifecycleStateChange=lifecycle),
    )


inputs = st.builds(
    lambda name, said: dataset(name, **said),
    st.sampled_from(TABLES),
    facets(schema=st.sampled_from([schema("x"), schema("k")])),
)
run_facets = facets(parent=st.sampled_from([parent(8, "app"), parent(9, "app"), parent(3, "mend")]))
job_facets = facets(
    jobType=st.sampled_from(["BATCH", "STREAMING"]).map(lambda kind: facet(processingType=kind, integration="X"))
)


def run_events(lifecycle: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        run_event,
        st.sampled_from(["START", "START", "RUNNING", "OTHER", "COMPLETE", "COMPLETE", "COMPLETE", "FAIL", "ABORT"]),
        minutes,
        st.integers(1, 4),
        st.sampled_from(JOBS),
        st.none() | st.lists(inputs, max_size=2, unique_by=lambda one: one["name"]),
        st.none() | st.lists(output(lifecycle), max_size=2, unique_by=lambda one: one["name"]),
        run_facets,
        job_facets,
    )


moves = st.sampled_from(TABLES).map(renamed)
few_changes = st.sampled_from(["DROP", "OVERWRITE"]).map(lambda change: facet(lifecycleStateChange=change))
moving = st.lists(run_events(few_changes) | run_events(moves), min_size=2, max_size=8)
plain = st.lists(run_events(changes), min_size=2, max_size=10)
sets = plain | moving
