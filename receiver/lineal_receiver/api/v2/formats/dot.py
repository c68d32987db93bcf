"""A graph in Graphviz's language."""

from typing import Any

from lineal_receiver.api.v2.formats.drawing import draw
from lineal_receiver.api.v2.formats.signs import spell_signs


def write_dot(graph: dict[str, Any]) -> str:
    """Columns inside their datasets, jobs as ellipses, what decides rows dotted."""
    drawing = draw(graph)
    lines = ["digraph lineage {", "  rankdir=LR;", "  compound=true;", "  node [shape=box];"]
    for short, dataset, columns in drawing.datasets:
        label = f"label={_quote(dataset['name'])}; tooltip={_quote(dataset['namespace'])};"
        lines.append(f"  subgraph cluster_{short} {{ {label}")
        lines.append(f'    {short} [shape=point, label=""];')
        lines += [f"    {column} [label={_quote(name)}];" for column, name in columns]
        lines.append("  }")
    lines += [f"  {short} [shape=ellipse, label={_quote(job['name'])}];" for short, job in drawing.jobs]
    for first, last, words, dotted in drawing.edges:
        style = ", style=dotted" if dotted else ""
        lines.append(f"  {first} -> {last} [label={_quote(words)}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quote(text: str) -> str:
    escaped = spell_signs(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'
