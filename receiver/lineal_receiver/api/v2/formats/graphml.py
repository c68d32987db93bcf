"""A graph as GraphML: datasets, columns and jobs as nodes, with their names, and edges with what is known of them."""

from itertools import pairwise
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from lineal_receiver.api.v2.formats.signs import spell_signs

KEYS = {
    "node": ("kind", "namespace", "name", "field", "type", "status", "reason"),
    "edge": ("kind", "kinds", "masking", "expression", "job", "lastKnown"),
}


def write_graphml(graph: dict[str, Any]) -> str:
    """The document; ids are those of the answer, a column's with its place among the dataset's columns."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for domain, keys in KEYS.items():
        lines += [
            f'  <key id="{domain[0]}_{key}" for="{domain}" attr.name="{key}" attr.type="string"/>' for key in keys
        ]
    lines.append('  <graph id="lineage" edgedefault="directed">')
    columns: dict[tuple[str, str], str] = {}
    for dataset in graph["datasets"]:
        own = str(dataset["id"])
        lines += _node(own, kind="dataset", namespace=dataset["namespace"], name=dataset["name"])
        for place, column in enumerate(dataset["columns"]):
            columns[own, column["name"]] = f"{own}.{place}"
            told = {key: column[key] for key in ("type", "status", "reason")}
            names = {"namespace": dataset["namespace"], "name": dataset["name"], "field": column["name"]}
            lines += _node(f"{own}.{place}", kind="column", **names, **told)
    jobs = {str(job["id"]): job for job in graph["jobs"]}
    for own, job in jobs.items():
        lines += _node(own, kind="job", namespace=job["namespace"], name=job["name"])
    for use in graph["tableEdges"]:
        ends = [str(use[end]) if use[end] is not None else None for end in ("source", "job", "target")]
        met = [end for end in ends if end is not None]
        for first, last in pairwise(met):
            lines += _edge(first, last, kind="table")
    for edge in graph["columnEdges"]:
        source, target = str(edge["source"]["dataset"]), str(edge["target"]["dataset"])
        first = columns.get((source, edge["source"]["field"]), source)
        last = columns.get((target, edge["target"]["field"] or ""), target)
        job = jobs.get(str(edge["job"]))
        lines += _edge(
            first,
            last,
            kind="column" if edge["target"]["field"] is not None else "rows",
            kinds=", ".join("/".join(filter(None, (kind["type"], kind["subtype"]))) for kind in edge["kinds"]),
            masking=str(edge["masking"]).lower(),
            expression=edge["expression"],
            job=None if job is None else job["name"],
            lastKnown=str(edge["lastKnown"]).lower(),
        )
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _node(own: str, **data: str | None) -> list[str]:
    return [f"    <node id={quoteattr(own)}>", *_data("n", data), "    </node>"]


def _edge(first: str, last: str, **data: str | None) -> list[str]:
    return [f"    <edge source={quoteattr(first)} target={quoteattr(last)}>", *_data("e", data), "    </edge>"]


def _data(domain: str, data: dict[str, str | None]) -> list[str]:
    return [
        f'      <data key="{domain}_{key}">{escape(spell_signs(text))}</data>'
        for key, text in data.items()
        if text is not None
    ]
