"""A graph as a table: one kind of one column edge a line."""

import csv
from io import StringIO
from typing import Any

HEAD = (
    "source_namespace",
    "source_name",
    "source_field",
    "target_namespace",
    "target_name",
    "target_field",
    "type",
    "subtype",
    "masking",
    "expression",
    "job_namespace",
    "job_name",
    "last_known",
)


def write_csv(graph: dict[str, Any]) -> str:
    """RFC 4180, with a head; `target_field` is empty where the source decides the rows of the target."""
    datasets = {one["id"]: (one["namespace"], one["name"]) for one in graph["datasets"]}
    jobs = {one["id"]: (one["namespace"], one["name"]) for one in graph["jobs"]}
    text = StringIO()
    table = csv.writer(text)
    table.writerow(HEAD)
    for edge in graph["columnEdges"]:
        for kind in edge["kinds"]:
            table.writerow(
                [
                    *datasets[edge["source"]["dataset"]],
                    edge["source"]["field"],
                    *datasets[edge["target"]["dataset"]],
                    edge["target"]["field"] or "",
                    kind["type"],
                    kind["subtype"],
                    str(kind["masking"]).lower(),
                    edge["expression"] or "",
                    *jobs.get(edge["job"], ("", "")),
                    str(edge["lastKnown"]).lower(),
                ]
            )
    return text.getvalue()
