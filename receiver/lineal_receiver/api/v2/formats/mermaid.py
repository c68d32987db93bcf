"""A graph as a Mermaid flowchart."""

from typing import Any

from lineal_receiver.api.v2.formats.drawing import draw
from lineal_receiver.api.v2.formats.signs import spell_signs


def write_mermaid(graph: dict[str, Any]) -> str:
    """Columns inside their datasets, jobs rounded, what decides rows dotted."""
    drawing = draw(graph)
    lines = ["flowchart LR"]
    for short, dataset, columns in drawing.datasets:
        label = _quote(dataset["name"])
        if not columns:
            lines.append(f"  {short}[{label}]")
            continue
        lines += [
            f"  subgraph {short} [{label}]",
            *(f"    {column}[{_quote(name)}]" for column, name in columns),
            "  end",
        ]
    lines += [f"  {short}([{_quote(job['name'])}])" for short, job in drawing.jobs]
    for first, last, words, dotted in drawing.edges:
        arrow = "-.->" if dotted else "-->"
        lines.append(f"  {first} {arrow}|{_quote(words)}| {last}" if words else f"  {first} {arrow} {last}")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    """A label: what Mermaid or HTML would read is written by its number; it can't be empty."""
    shown = spell_signs(text) or " "
    letters = (letter if letter.isalnum() or letter in " ._-/:" else f"#{ord(letter)};" for letter in shown)
    return f'"{"".join(letters)}"'
