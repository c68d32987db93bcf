"""The column lineage of an output as facets: OpenLineage's own, and Lineal's with what that one has no place for."""

from typing import Any

from lineal_producer import facets
from lineal_producer.analysis import Analysis
from lineal_producer.columns import RULES_VERSION, Column, Input, ModelLineage, sqlglot_version
from lineal_producer.datasets import Datasets
from lineal_producer.descriptions import Invocation, Node
from lineal_producer.input_names import InputNames, Read
from lineal_producer.known import Known
from lineal_producer.privacy import hidden

# Reasons for which SQL that is there could not be read; others are known limits (`columns_unknown`, `python_model`).
_FAULTS = {"parser_error", "analysis_failed", "limit_exceeded"}


def extraction_error(producer: str, invocation: Invocation, analysis: Analysis | None) -> dict[str, facets.Facet]:
    """The facet `extractionError` of a run whose SQL could not be read as a whole; empty for any other."""
    gaps = analysis.lineage.gaps if analysis is not None else ()
    faults = [gap for gap in gaps if gap.column is None and gap.code in _FAULTS]
    if not faults:
        return {}
    messages = [hidden(gap.message, invocation["sql_mode"]) or gap.code for gap in faults]
    return {"extractionError": facets.extraction_error(producer, messages)}


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
    names = InputNames(node, datasets, known)
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


def _input_fields(inputs: tuple[Input, ...], names: InputNames, description: str | None) -> list[dict[str, Any]]:
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
    node: Node, invocation: Invocation, analysis: Analysis, lineage: ModelLineage, names: InputNames
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


def _lineal_column(column: Column, message: str | None, mode: str, names: InputNames) -> dict[str, Any]:
    return {
        "name": column.name,
        "status": column.status,
        "reason": column.reason,
        "message": hidden(message, mode),
        "expression": hidden(column.expression, mode),
        "self": any(names.dataset(one.relation) == names.own for one in column.inputs),
    }
