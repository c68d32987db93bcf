"""The column lineage of an output as facets: OpenLineage's own, and Lineal's with what that one has no place for."""

from typing import Any

from lineal_producer import facets
from lineal_producer.analysis import Analysis, sqlglot_version
from lineal_producer.columns import RULES_VERSION, Column, Input, ModelLineage
from lineal_producer.datasets import Dataset, Datasets
from lineal_producer.known import Known
from lineal_producer.privacy import hidden
from lineal_producer.records import Invocation, Node

Read = dict[Dataset, str | None]


def lineage_facets(
    producer: str,
    invocation: Invocation,
    node: Node,
    analysis: Analysis,
    lineage: ModelLineage,
    datasets: Datasets,
    known: Known,
) -> tuple[dict[str, Any], Read]:
    """The facets `columnLineage` and `lineal_lineage`, and every dataset they name with dbt's id of it."""
    names = _Names(datasets, known, node)
    mode = invocation["sql_mode"]
    fields: dict[str, Any] = {}
    for column in lineage.columns:
        if column.inputs or column.status == "constant":
            description = hidden(column.expression, mode)
            fields[column.name] = {"inputFields": _input_fields(column.inputs, names, description)}
    rows = _input_fields(lineage.rows, names, None)
    for relation in lineage.relations:
        names.dataset(relation)
    told = {
        "columnLineage": facets.column_lineage(producer, fields, rows),
        "lineal_lineage": facets.custom(
            producer, facets.LINEAGE_SCHEMA, _lineal_fields(node, invocation, analysis, lineage, names)
        ),
    }
    return told, names.read


class _Names:
    """Dataset and field names of the engine's inputs, each relation looked up once."""

    def __init__(self, datasets: Datasets, known: Known, node: Node) -> None:
        self._datasets = datasets
        self._found: dict[tuple[str, ...], Dataset] = {}
        self._known = known
        self._node = node
        self._spelled: dict[Dataset, dict[str, str]] = {}
        self.own = datasets.own
        self.read: Read = {}

    def dataset(self, relation: tuple[str, ...]) -> Dataset:
        found = self._found.get(relation)
        if found is None:
            found, unique_id = self._datasets.find(relation)
            self._found[relation] = found
            self.read.setdefault(found, unique_id)
            self._spelled.setdefault(found, self._spelling(unique_id))
        return found

    def _spelling(self, unique_id: str | None) -> dict[str, str]:
        if unique_id is None:
            return {}
        each = next((one for one in self._node["inputs"] if one["unique_id"] == unique_id), None)
        columns = self._known.of_input(each) if each else self._known.columns(unique_id)
        spelled: dict[str, str] = {}
        for name, _ in columns or []:
            spelled.setdefault(name.casefold(), name)
            spelled[name] = name
        return spelled

    def field(self, one: Input) -> tuple[str, str, str]:
        dataset = self.dataset(one.relation)
        spelled = self._spelled[dataset]
        name = spelled.get(one.column) or spelled.get(one.column.casefold()) or one.column
        return dataset[0], dataset[1], name


def _input_fields(inputs: tuple[Input, ...], names: _Names, description: str | None) -> list[dict[str, Any]]:
    """Each input field once, with all its ways of having an effect."""
    merged: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for one in inputs:
        way: dict[str, Any] = {"type": one.type, "subtype": one.subtype, "masking": one.masking}
        if description is not None:
            way["description"] = description
        ways = merged.setdefault(names.field(one), [])
        if way not in ways:
            ways.append(way)
    return [
        {"namespace": namespace, "name": name, "field": field, "transformations": ways}
        for (namespace, name, field), ways in merged.items()
    ]


def _lineal_fields(
    node: Node, invocation: Invocation, analysis: Analysis, lineage: ModelLineage, names: _Names
) -> dict[str, Any]:
    mode = invocation["sql_mode"]
    messages = {gap.column: gap.message for gap in lineage.gaps if gap.column is not None}
    return {
        "modelId": node["unique_id"],
        "status": lineage.status,
        "columns": [_lineal_column(column, messages.get(column.name), mode, names) for column in lineage.columns],
        "gaps": [
            {"code": gap.code, "message": hidden(gap.message, mode) or gap.code, "column": gap.column}
            for gap in lineage.gaps
        ],
        "relations": [
            {"namespace": namespace, "name": name, "modelId": unique_id}
            for (namespace, name), unique_id in names.read.items()
        ],
        "sqlHash": analysis.sql_hash,
        "schemaHash": analysis.schema_hash,
        "lineageHash": analysis.lineage_hash,
        "dialect": invocation["dialect"],
        "sqlglotVersion": sqlglot_version(),
        "rulesVersion": str(RULES_VERSION),
    }


def _lineal_column(column: Column, message: str | None, mode: str, names: _Names) -> dict[str, Any]:
    return {
        "name": column.name,
        "status": column.status,
        "reason": column.reason,
        "message": hidden(message, mode),
        "expression": hidden(column.expression, mode),
        "self": any(names.dataset(one.relation) == names.own for one in column.inputs),
    }
