"""Identity of runs and jobs: the same ids and names whichever way an event comes, so that a re-send never doubles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

if TYPE_CHECKING:
    from lineal_producer.descriptions import Batch, Node, RunRef


DEFAULT_NAMESPACE = "dbt"
_WITH_SUFFIX = {"snapshot": ".snapshot", "seed": ".seed"}


def node_run_id(invocation_id: str, unique_id: str, batch: Batch | None = None) -> str:
    """The run of a node in an invocation, one per batch of a microbatch model."""
    name = unique_id if batch is None else f"{unique_id}|{batch['start']}"
    return str(uuid5(as_uuid(invocation_id), name))


def as_uuid(text: str) -> UUID:
    """dbt's invocation id as a UUID; any other text gives a stable one of its own."""
    try:
        return UUID(text)
    except ValueError:
        return uuid5(UUID(int=0), text)


def invocation_job_name(project: str, configured: str | None = None) -> str:
    """The job of a dbt command: OPENLINEAGE_DBT_JOB_NAME when it is set, else `dbt-run-{project}`."""
    return configured or f"dbt-run-{project}"


def job_name(node: Node) -> str:
    """The job of a node, one whatever the command: what openlineage-dbt writes under `dbt run`, so history joins."""
    place = [node["database"], node["schema"]]
    if node["resource_type"] in {"model", "seed", "snapshot"}:
        version = f".v{node['version']}" if node["version"] else ""
        suffix = version + _WITH_SUFFIX.get(node["resource_type"], "")
        return _dotted(*place, node["package"], node["name"]) + suffix
    if node["resource_type"] == "source":
        return freshness_job_name(node["database"], node["schema"], node["unique_id"])
    return _dotted(*place, node["unique_id"])


def freshness_job_name(database: str | None, schema: str | None, unique_id: str) -> str:
    """The job that checks a source's freshness."""
    return _dotted(database, schema, unique_id) + ".freshness"


def exposure_job_name(unique_id: str, target: str | None) -> str:
    """The job of an exposure in one target."""
    return _dotted(unique_id, target)


def _dotted(*parts: str | None) -> str:
    return ".".join(part for part in parts if part)


def parse_parents(env: Mapping[str, str]) -> tuple[RunRef | None, RunRef | None]:
    """The runs that started dbt, (parent, root), as an orchestrator's variables tell; ValueError names a broken one.

    A parent without a root is its own root.
    """
    context = env.get("OPENLINEAGE_CONTEXT", "").strip()
    parent = root = None
    if context:
        parent, root = _parse_context(context)
    parent = parent or _parse_id("OPENLINEAGE_PARENT_ID", env.get("OPENLINEAGE_PARENT_ID", ""))
    root = root or _parse_id("OPENLINEAGE_ROOT_PARENT_ID", env.get("OPENLINEAGE_ROOT_PARENT_ID", ""))
    return parent, root or parent


def _parse_id(variable: str, text: str) -> RunRef | None:
    """`namespace/job/run id`, read from the right: a namespace may hold slashes."""
    text = text.strip()
    if not text:
        return None
    job, _, run_id = text.rpartition("/")
    namespace, _, name = job.rpartition("/")
    if not namespace or not name:
        raise ValueError(f"{variable}={text!r}: expected namespace/job/run id")
    return {"namespace": namespace, "name": name, "run_id": _checked_id(variable, run_id)}


def _checked_id(variable: str, run_id: Any) -> str:
    try:
        return str(UUID(str(run_id)))
    except ValueError as broken:
        raise ValueError(f"{variable}: {run_id!r} is not a UUID") from broken


def _parse_context(text: str) -> tuple[RunRef | None, RunRef | None]:
    try:
        context = json.loads(text)
    except ValueError as broken:
        raise ValueError(f"OPENLINEAGE_CONTEXT is not JSON: {broken}") from broken
    if not isinstance(context, dict):
        raise ValueError("OPENLINEAGE_CONTEXT is not a JSON object")  # noqa: TRY004 - the text is wrong, not a type
    parent = _context_run(context.get("parent", context))
    root = _context_run(context.get("root") or (context.get("parent") or {}).get("root"))
    return parent, root


def _context_run(found: Any) -> RunRef | None:
    """A run in the shape of a parent facet, or flat with namespace, name and run id."""
    if not isinstance(found, dict):
        return None
    job, run = found.get("job"), found.get("run")
    if isinstance(job, dict) and isinstance(run, dict):
        namespace, name, run_id = job.get("namespace"), job.get("name"), run.get("runId")
    else:
        namespace, run_id = found.get("namespace"), found.get("runId") or found.get("run_id")
        name = found.get("name") or found.get("job_name") or found.get("jobName")
    if not namespace or not name or not run_id:
        return None
    return {"namespace": namespace, "name": name, "run_id": _checked_id("OPENLINEAGE_CONTEXT", run_id)}
