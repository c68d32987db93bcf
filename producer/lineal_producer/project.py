"""The lineage of a whole dbt project from what is in its target/, without dbt, database or server."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lineal_producer.analysis import Analysis, Traces, analyse, settled
from lineal_producer.columns import Input, ModelLineage
from lineal_producer.datasets import Datasets
from lineal_producer.dbt.artifacts import Artifacts, Catalog, read_artifacts
from lineal_producer.dbt.compiled import find_sql
from lineal_producer.dbt.nodes import adapter_of, describe_invocation, describe_node
from lineal_producer.dbt.order import in_order, select
from lineal_producer.descriptions import Invocation, Node, Relation
from lineal_producer.errors import SettingsError
from lineal_producer.input_names import InputNames
from lineal_producer.known import Known
from lineal_producer.naming import Namespaces
from lineal_producer.naming.store import Store

BUILT = ("model", "snapshot", "seed")


@dataclass(frozen=True, slots=True)
class Edge:
    """One way in which a source column, or (column None) the rows of a model, decide a target."""

    source_id: str | None
    source_relation: str
    source_column: str
    target_column: str | None
    type: str
    subtype: str
    masking: bool


@dataclass(frozen=True, slots=True)
class ModelResult:
    """The lineage of one model, seed or snapshot under the names of its relations."""

    unique_id: str
    name: str
    resource_type: str
    relation: str | None
    lineage: ModelLineage
    types: dict[str, str]
    edges: tuple[Edge, ...]

    @property
    def pairs(self) -> set[tuple[str, str, str]]:
        """The distinct (source relation, source column, target column)."""
        return {
            (edge.source_relation, edge.source_column, edge.target_column)
            for edge in self.edges
            if edge.target_column is not None
        }


@dataclass(frozen=True, slots=True)
class ProjectLineage:
    """The lineage of the selected nodes of a project."""

    artifacts: Artifacts
    invocation: Invocation
    models: tuple[ModelResult, ...]

    @property
    def statuses(self) -> Counter[str]:
        """How many nodes are resolved, partial, unresolved, failed."""
        return Counter(model.lineage.status for model in self.models)

    @property
    def columns(self) -> Counter[str]:
        """How many columns are traced, constant, unresolved."""
        return Counter(column.status for model in self.models for column in model.lineage.columns)

    @property
    def edges(self) -> int:
        """How many distinct pairs of a source and a target column there are."""
        return sum(len(model.pairs) for model in self.models)


def project_lineage(
    project_dir: Path, target: Path | None = None, wanted: Iterable[str] = (), tracer: Traces | None = None
) -> ProjectLineage:
    """The lineage of a project; ArtifactError says what is missing, SettingsError that a selection means nothing."""
    artifacts = read_artifacts(project_dir, target)
    manifest = artifacts.manifest
    nodes = {key: node for key, node in manifest["nodes"].items() if _is_built(node)}
    chosen = select(manifest["nodes"], wanted) & nodes.keys()
    if wanted and not chosen:
        raise SettingsError("--select", " ".join(wanted), "a name, tag:, path: or package: of a node in the project")
    adapter = adapter_of(manifest)
    invocation = _invocation(artifacts, adapter)
    known = Known(artifacts.catalog.columns, rebuilding=False)
    namespaces = Namespaces.from_json(invocation["namespaces"])
    results = []
    for unique_id in in_order(manifest["nodes"]):
        if unique_id not in nodes:
            continue
        node = _described(nodes[unique_id], artifacts, adapter)
        analysis = analyse(invocation, node, known, tracer)
        if analysis is not None and unique_id in chosen:
            results.append(_result(node, analysis, known, namespaces))
    return ProjectLineage(artifacts, invocation, tuple(results))


def _is_built(node: dict[str, Any]) -> bool:
    return node["resource_type"] in BUILT and (node.get("config") or {}).get("materialized") != "ephemeral"


def _invocation(artifacts: Artifacts, adapter: str) -> Invocation:
    metadata = artifacts.metadata
    return describe_invocation(
        invocation_id=str(metadata.get("invocation_id") or ""),
        project=str(metadata.get("project_name") or artifacts.project_dir.resolve().name),
        command="lineage",
        dbt_version=str(metadata.get("dbt_version") or "unknown"),
        adapter=adapter,
        namespaces=Namespaces(adapter, Store(""), cwd=str(artifacts.project_dir.resolve())),
        project_root=str(artifacts.project_dir),
        target_path=str(artifacts.target),
    )


def _described(node: dict[str, Any], artifacts: Artifacts, adapter: str) -> Node:
    sql = None
    if node["resource_type"] != "seed":
        sql = find_sql(node, artifacts.manifest, artifacts.project_dir, artifacts.target)
    described = describe_node({**node, "compiled_code": sql}, artifacts.manifest, adapter)
    return spelled_as_catalog(described, artifacts.catalog)


def spelled_as_catalog(node: Node, catalog: Catalog) -> Node:
    """The node with relations in the catalog's case, where it is the same relation but for case."""
    spelled = node.copy()
    if node["relation"] is not None:
        spelled["relation"] = _spelled(node["relation"], catalog.relations.get(node["unique_id"]))
    spelled["inputs"] = [
        {**each, "relation": _spelled(each["relation"], catalog.relations.get(each["unique_id"]))}
        for each in node["inputs"]
    ]
    return spelled


def _spelled(relation: Relation, told: Relation | None) -> Relation:
    if told is None or relation[2].casefold() != told[2].casefold():
        return relation
    pairs = list(zip(relation[:2], told[:2], strict=True))
    if any(a and b and a.casefold() != b.casefold() for a, b in pairs):
        return relation
    return (pairs[0][1] if pairs[0][0] else None, pairs[1][1] if pairs[1][0] else None, told[2])


def _result(node: Node, analysis: Analysis, known: Known, namespaces: Namespaces) -> ModelResult:
    columns = known.columns(node["unique_id"]) or []
    lineage = settled(node, analysis, columns)
    datasets = Datasets(node, namespaces)
    names = InputNames(node, datasets, known)
    edges = [edge for column in lineage.columns for edge in _edges(column.inputs, column.name, names)]
    edges += _edges(lineage.rows, None, names)
    return ModelResult(
        node["unique_id"],
        node["name"],
        node["resource_type"],
        datasets.own[1] if datasets.own else None,
        lineage,
        {name: kind for name, kind in columns if kind},
        tuple(edges),
    )


def _edges(inputs: Iterable[Input], target: str | None, names: InputNames) -> Iterator[Edge]:
    for one in inputs:
        namespace, name, field = names.field(one)
        relation = f"{namespace}:{name}" if namespace else name
        source = names.read[(namespace, name)]
        yield Edge(source, relation, field, target, one.type, one.subtype, one.masking)
