"""Graphs as other tools read them: each format is made from the answer of /api/v2/lineage."""

from collections.abc import Callable
from typing import Any

from lineal_receiver.api.v2.formats.csv import write_csv
from lineal_receiver.api.v2.formats.dot import write_dot
from lineal_receiver.api.v2.formats.graphml import write_graphml
from lineal_receiver.api.v2.formats.mermaid import write_mermaid
from lineal_receiver.api.v2.formats.openlineage import write_openlineage

FORMATS: dict[str, tuple[Callable[[dict[str, Any]], str], str, str]] = {
    "openlineage": (write_openlineage, "application/x-ndjson", "ndjson"),
    "graphml": (write_graphml, "application/graphml+xml", "graphml"),
    "mermaid": (write_mermaid, "text/vnd.mermaid", "mmd"),
    "dot": (write_dot, "text/vnd.graphviz", "dot"),
    "csv": (write_csv, "text/csv", "csv"),
}
"""By name: how it is written, its media type, the end of a file's name."""
