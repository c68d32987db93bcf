"""A model's lineage as plain JSON data."""

from __future__ import annotations

from typing import Any

from lineal_producer.columns.model import Input, ModelLineage


def to_json(lineage: ModelLineage) -> dict[str, Any]:
    """The lineage as dicts, lists and strings, in the shape of `lineal-dbt lineage --jsonl`."""
    return {
        "status": lineage.status,
        "target": lineage.target,
        "columns": [
            {
                "name": column.name,
                "status": column.status,
                "reason": column.reason,
                "expression": column.expression,
                "inputs": [input_json(item) for item in column.inputs],
            }
            for column in lineage.columns
        ],
        "rows": [input_json(item) for item in lineage.rows],
        "gaps": [{"code": gap.code, "message": gap.message, "column": gap.column} for gap in lineage.gaps],
    }


def input_json(item: Input) -> dict[str, Any]:
    """One input as a dict."""
    return {
        "table": item.table,
        "column": item.column,
        "type": item.type,
        "subtype": item.subtype,
        "masking": item.masking,
    }
