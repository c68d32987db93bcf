"""Events to ingest, small and written here: builders by hand, and strategies that make them meet."""

from typing import Any

from hypothesis import strategies as st

PRODUCER = "https://producer.example/1"
CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
RUN = "01900000-0000-7000-8000-0000000000"


def facet(**content: Any) -> dict[str, Any]:
    """A facet with what every facet must have."""
    return {"_producer": PRODUCER, "_schemaURL": f"{CORE}BaseFacet", **content}


def dataset(name: str, **facets: Any) -> dict[str, Any]:
    """A dataset of the warehouse."""
    return {"namespace": "postgres://db.example:5432", "name": name, "facets": facets}


def schema(*fields: str) -> dict[str, Any]:
    """A schema facet; a field is written `name` or `name:type`."""
    named = [field.partition(":") for field in fields]
    return facet(fields=[{"name": name, "type": kind or "text"} for name, _, kind in named])


def lineage(whole: tuple[str, ...] = (), /, **fields: str | None) -> dict[str, Any]:
    """A columnLineage facet: `target="table.field"`, several divided by blanks, None for a constant."""

    def source(text: str, kind: str, subtype: str) -> dict[str, Any]:
        table, _, name = text.partition(".")
        transformation = {"type": kind, "subtype": subtype, "description": "", "masking": False}
        return {**_dataset_name(table), "field": name, "transformations": [transformation]}

    return facet(
        fields={
            target: {"inputFields": [source(text, "DIRECT", "TRANSFORMATION") for text in (texts or "").split()]}
            for target, texts in fields.items()
        },
        dataset=[source(text, "INDIRECT", "FILTER") for text in whole],
    )


def _dataset_name(table: str) -> dict[str, str]:
    return {"namespace": "postgres://db.example:5432", "name": table}


def own(
    status: str, *columns: tuple[str, str], sql: str | None = "q1", schema_hash: str | None = "s1", model: str = "m"
) -> dict[str, Any]:
    """Lineal's facet: (column, status) pairs, and the hashes of the SQL and of the schema that it was read with."""
    return facet(
        modelId=f"model.shop.{model}",
        status=status,
        columns=[{"name": name, "status": state, "reason": None, "expression": f"{name}_x"} for name, state in columns],
        gaps=[],
        relations=[],
        sqlHash=sql,
        schemaHash=schema_hash,
        sqlglotVersion="30",
        rulesVersion="1",
    )


def run_event(
    kind: str | None,
    minute: int,
    run: int = 1,
    job: str = "load",
    inputs: list[dict[str, Any]] | None = None,
    outputs: list[dict[str, Any]] | None = None,
    run_facets: dict[str, Any] | None = None,
    job_facets: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """An event of a run, `minute` minutes after ten."""
    event: dict[str, Any] = {
        "eventTime": f"2026-03-01T{10 + minute // 60:02}:{minute % 60:02}:00Z",
        "producer": PRODUCER,
        "schemaURL": f"{CORE}RunEvent",
        "run": {"runId": f"{RUN}{run:02}", "facets": run_facets or {}},
        "job": {"namespace": "nightly", "name": job, "facets": job_facets or {}},
    }
    if kind is not None:
        event["eventType"] = kind
    if inputs is not None:
        event["inputs"] = inputs
    if outputs is not None:
        event["outputs"] = outputs
    return event


def job_event(
    minute: int, job: str, inputs: list[Any], outputs: list[Any], facets: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A static event of a job."""
    event = run_event(None, minute, 1, job, inputs, outputs, job_facets=facets)
    del event["run"]
    return event | {"schemaURL": f"{CORE}JobEvent"}


def dataset_event(minute: int, of: dict[str, Any]) -> dict[str, Any]:
    """A static event of a dataset."""
    event = run_event(None, minute)
    return {key: event[key] for key in ("eventTime", "producer")} | {"schemaURL": f"{CORE}DatasetEvent", "dataset": of}


def parent(run: int, job: str, root: tuple[int, str] | None = None) -> dict[str, Any]:
    """A parent facet."""
    content: dict[str, Any] = {"run": {"runId": f"{RUN}{run:02}"}, "job": {"namespace": "nightly", "name": job}}
    if root is not None:
        content["root"] = {
            "run": {"runId": f"{RUN}{root[0]:02}"},
            "job": {"namespace": "nightly", "name": root[1]},
        }
    return facet(**content)


TABLES = ("a", "b", "c")
JOBS = ("load", "mend", "app")
minutes = st.integers(0, 8)

schemas = st.sampled_from([schema("x"), schema("x", "y:int"), schema("x:int"), facet(fields=[])])
lineages = st.sampled_from(
    [
        lineage(x="a.x"),
        lineage(x="a.x b.y", y=None),
        lineage(("c.k",), x="b.x"),
        lineage(),
        lineage(x="a.x c.z"),
    ]
)
owns = st.sampled_from(
    [
        own("resolved", ("x", "traced"), ("y", "constant")),
        own("resolved", ("x", "traced"), sql="q2"),
        own("partial", ("x", "traced"), ("y", "unresolved")),
        own("unresolved", ("x", "unresolved"), sql="q3"),
        own("unresolved", ("x", "unresolved"), schema_hash=None),
        own("failed"),
    ]
)
DELETED = facet(_deleted=True)


def entry(name: str, *inputs: str, **fields: str) -> dict[str, Any]:
    """A target of a `lineage` facet with sources of the whole ('table' or 'table.field') and of its fields."""
    found: dict[str, Any] = {**source(name), "inputs": [source(text) for text in inputs]}
    if fields:
        found["fields"] = {
            field: {"inputs": [source(text) for text in texts.split()]} for field, texts in fields.items()
        }
    return found


def source(text: str, *transformations: dict[str, Any]) -> dict[str, Any]:
    """A dataset, or with '.field' a field of it, as a `lineage` facet names it."""
    table, _, field = text.partition(".")
    found: dict[str, Any] = {**_dataset_name(table), "type": "DATASET"}
    if field:
        found["field"] = field
    if transformations:
        found["transformations"] = list(transformations)
    return found


told = st.lists(
    st.sampled_from(
        [
            entry("b", "a"),
            entry("c", "b", x="b.x"),
            entry("b"),
            entry("c", "a.k"),
            {"type": "JOB", "inputs": [source("a")]},
        ]
    ),
    max_size=2,
).map(lambda entries: facet(entries=entries))
targets = st.sampled_from([entry("a", "b"), entry("a"), entry("a", x="c.x")]).map(
    lambda found: facet(**{key: found[key] for key in ("inputs", "fields") if key in found})
)
changes = st.sampled_from(["CREATE", "OVERWRITE", "TRUNCATE", "DROP", "ALTER"]).map(
    lambda change: facet(lifecycleStateChange=change)
)
notes = st.sampled_from([facet(description="one"), facet(description="two"), facet(_deleted=True), None])
versions = st.sampled_from([facet(datasetVersion="1"), facet(datasetVersion="2"), facet(_deleted=True)])


def optional(**facets: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of these facets."""
    return st.fixed_dictionaries({}, optional=facets)


outputs = st.builds(
    lambda name, facets, subset: (
        dataset(name, **facets)
        | ({"outputFacets": {"subset": facet(outputCondition={"type": "location", "locations": []})}} if subset else {})
    ),
    st.sampled_from(TABLES),
    optional(
        schema=schemas | st.just(DELETED),
        columnLineage=lineages | st.just(DELETED),
        lineal_lineage=owns,
        lifecycleStateChange=changes | st.just(DELETED),
        lineage=targets | st.just(DELETED),
        documentation=notes,
        version=versions,
    ),
    st.booleans(),
)
inputs = st.builds(
    lambda name, facets: dataset(name, **facets),
    st.sampled_from(TABLES),
    optional(schema=schemas | st.just(DELETED), documentation=notes, version=versions),
)
run_facets = optional(
    parent=st.sampled_from([parent(8, "app"), parent(9, "app", (7, "dag")), parent(1, "load")]),
    nominalTime=st.sampled_from(
        [facet(nominalStartTime="2026-03-01T00:00:00Z"), facet(nominalStartTime="2026-03-02T00:00:00Z")]
    ),
)
job_facets = optional(
    jobType=st.sampled_from(["BATCH", "STREAMING"]).map(lambda kind: facet(processingType=kind, integration="X")),
    sourceCodeLocation=st.sampled_from(["https://code.example/1", "https://code.example/2"]).map(
        lambda url: facet(type="git", url=url)
    ),
    documentation=notes,
    lineage=told | st.just(DELETED),
)
run_events = st.builds(
    run_event,
    st.sampled_from(["START", "START", "RUNNING", "OTHER", "COMPLETE", "COMPLETE", "COMPLETE", "FAIL", "ABORT", None]),
    minutes,
    st.integers(1, 3),
    st.sampled_from(JOBS),
    st.none() | st.lists(inputs, max_size=2),
    st.none() | st.lists(outputs, max_size=2),
    run_facets,
    job_facets,
)
static_events = st.builds(
    job_event, minutes, st.sampled_from(JOBS), st.lists(inputs, max_size=2), st.lists(outputs, max_size=1), job_facets
) | st.builds(dataset_event, minutes, outputs.map(lambda found: {k: found[k] for k in ("namespace", "name", "facets")}))
event_sets = st.lists(run_events | run_events | run_events | static_events, min_size=2, max_size=14)
