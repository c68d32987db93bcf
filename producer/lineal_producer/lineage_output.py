"""Writes a project's lineage: a table for people, JSON, CSV and Mermaid for programs."""

import csv
import io
import json
from typing import Any

from lineal_producer.project import Edge, ModelResult, ProjectLineage

STATUSES = ("resolved", "partial", "unresolved", "failed")
COLUMN_STATUSES = ("traced", "constant", "unresolved")
# Mermaid refuses to draw more edges than this without being told otherwise.
MERMAID_EDGES = 400
CSV_HEADER = (
    "source_model",
    "source_relation",
    "source_column",
    "target_model",
    "target_relation",
    "target_column",
    "type",
    "subtype",
    "masking",
)


def as_table(project: ProjectLineage) -> str:
    """One line a model, the gaps below it, the totals at the end."""
    rows: list[tuple[str, ...]] = [("model", "status", "columns", "traced", "constant", "unresolved", "edges")]
    notes: list[list[str]] = [[]]
    for model in project.models:
        count = [sum(column.status == status for column in model.lineage.columns) for status in COLUMN_STATUSES]
        total = str(len(model.lineage.columns))
        rows.append((_label(model), model.lineage.status, total, *map(str, count), str(len(model.pairs))))
        notes.append(_notes(model))
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row, below in zip(rows, notes, strict=True):
        left = f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  "
        lines.append(left + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True)))
        lines += [f"  {note}" for note in below]
    return "\n".join([*lines, "", *_totals(project)])


def _label(model: ModelResult) -> str:
    return model.name if model.resource_type == "model" else f"{model.name} ({model.resource_type})"


def _notes(model: ModelResult) -> list[str]:
    """Each gap once: its code, its sentence, and the columns it hides."""
    hidden: dict[tuple[str, str], list[str]] = {}
    for gap in model.lineage.gaps:
        hidden.setdefault((gap.code, gap.message), []).extend([gap.column] if gap.column else [])
    notes = []
    for (code, message), columns in hidden.items():
        shown = ", ".join(columns[:5]) + (f" and {len(columns) - 5} more" if len(columns) > 5 else "")
        notes.append(f"{code}: {message}" + (f" [{shown}]" if columns else ""))
    return notes


def _totals(project: ProjectLineage) -> list[str]:
    statuses = ", ".join(f"{project.statuses[status]} {status}" for status in STATUSES)
    columns = ", ".join(f"{project.columns[status]} {status}" for status in COLUMN_STATUSES)
    return [
        f"models   {len(project.models)}: {statuses}",
        f"columns  {sum(project.columns.values())}: {columns}",
        f"edges    {project.edges}",
    ]


def as_json(project: ProjectLineage) -> str:
    """The documented shape of docs/lineage.md, one object."""
    metadata = project.artifacts.metadata
    document = {
        "project": project.invocation["project"],
        "adapter": project.invocation["adapter"],
        "dialect": project.invocation["dialect"],
        "dbtVersion": metadata.get("dbt_version"),
        "manifestVersion": project.artifacts.version,
        "totals": {
            "models": len(project.models),
            **{status: project.statuses[status] for status in STATUSES},
            "columns": {status: project.columns[status] for status in COLUMN_STATUSES},
            "edges": project.edges,
        },
        "models": [_model(model) for model in project.models],
        "warnings": list(project.artifacts.warnings),
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _model(model: ModelResult) -> dict[str, Any]:
    of_column: dict[str | None, list[Edge]] = {}
    for edge in model.edges:
        of_column.setdefault(edge.target_column, []).append(edge)
    return {
        "uniqueId": model.unique_id,
        "name": model.name,
        "resourceType": model.resource_type,
        "relation": model.relation,
        "status": model.lineage.status,
        "columns": [
            {
                "name": column.name,
                "type": model.types.get(column.name),
                "status": column.status,
                "reason": column.reason,
                "expression": column.expression,
                "inputs": [_input(edge) for edge in of_column.get(column.name, [])],
            }
            for column in model.lineage.columns
        ],
        "rows": [_input(edge) for edge in of_column.get(None, [])],
        "gaps": [{"code": gap.code, "message": gap.message, "column": gap.column} for gap in model.lineage.gaps],
    }


def _input(edge: Edge) -> dict[str, Any]:
    return {
        "uniqueId": edge.source_id,
        "relation": edge.source_relation,
        "column": edge.source_column,
        "type": edge.type,
        "subtype": edge.subtype,
        "masking": edge.masking,
    }


def as_csv(project: ProjectLineage) -> str:
    """One edge a row; the target column is empty where the source decides the rows of the model."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_HEADER)
    for model in project.models:
        for edge in model.edges:
            source = (edge.source_id or "", edge.source_relation, edge.source_column)
            target = (model.unique_id, model.relation or "", edge.target_column or "")
            writer.writerow((*source, *target, edge.type, edge.subtype, "true" if edge.masking else "false"))
    return text.getvalue().rstrip("\n")


def as_mermaid(project: ProjectLineage) -> str:
    """A flowchart of columns, or of relations where there are more edges than Mermaid draws."""
    pairs = sorted(
        (source, column, model.relation or model.unique_id, target)
        for model in project.models
        for source, column, target in model.pairs
    )
    if len(pairs) > MERMAID_EDGES:
        return _mermaid_relations(project)
    relations: dict[str, dict[str, None]] = {}
    for source, column, relation, target in pairs:
        relations.setdefault(source, {})[column] = None
        relations.setdefault(relation, {})[target] = None
    for model in project.models:
        columns = relations.setdefault(model.relation or model.unique_id, {})
        columns.update(dict.fromkeys(column.name for column in model.lineage.columns))
    ids: dict[tuple[str, str], str] = {}
    lines = ["flowchart LR"]
    for number, (relation, columns) in enumerate(relations.items()):
        lines.append(f'  subgraph r{number}["{_escaped(relation)}"]')
        for position, column in enumerate(columns):
            ids[relation, column] = f"r{number}c{position}"
            lines.append(f'    r{number}c{position}["{_escaped(column)}"]')
        if not columns:
            lines.append(f'    r{number}c0["no column is known"]')
        lines.append("  end")
    lines += [f"  {ids[source, column]} --> {ids[relation, target]}" for source, column, relation, target in pairs]
    return "\n".join(lines)


def _mermaid_relations(project: ProjectLineage) -> str:
    ids: dict[str, str] = {}
    lines = ["flowchart LR", f"  %% {project.edges} column edges are too many to draw: relations, with how many each"]
    links: list[str] = []

    def id_of(relation: str) -> str:
        if relation not in ids:
            ids[relation] = f"r{len(ids)}"
            lines.append(f'  {ids[relation]}["{_escaped(relation)}"]')
        return ids[relation]

    for model in project.models:
        target = id_of(model.relation or model.unique_id)
        counted: dict[str, int] = {}
        for source, _, _ in model.pairs:
            counted[source] = counted.get(source, 0) + 1
        links += [f"  {id_of(source)} -->|{count}| {target}" for source, count in sorted(counted.items())]
    return "\n".join([*lines, *links])


def _escaped(text: str) -> str:
    """Text inside a quoted Mermaid label: entity codes for what would end or change it."""
    return "".join(f"#{ord(char)};" if char in '"#;<>&`\\\n' else char for char in text)
