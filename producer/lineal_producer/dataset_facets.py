"""The facets of a node's output and inputs: schema, type, owners, tags, where they are stored and listed."""

from collections.abc import Iterable
from typing import Any, Literal

from lineal_producer import facets
from lineal_producer.datasets import Dataset, Datasets
from lineal_producer.descriptions import ColumnDoc, InputNode, Invocation, Node, Relation, Storage
from lineal_producer.known import Columns, Known
from lineal_producer.naming import Namespaces
from lineal_producer.naming.files import file_format
from lineal_producer.records import NodeEnd

_TYPES = {"view": "VIEW", "external": "FILE", "materialized_view": "VIEW"}
# Materializations after which a relation holds what this run put there and nothing else.
_REPLACED = {"table", "view", "seed", "external"}


def output_facets(
    producer: str, node: Node, dataset: Dataset, columns: Columns, datasets: Datasets, namespaces: Namespaces
) -> dict[str, Any]:
    """The facets of what a node builds but for its lineage; `columns` are all of it, or none when they aren't known."""
    told: dict[str, Any] = {"dataSource": facets.data_source(producer, dataset[0])}
    if columns:
        told["schema"] = _schema(producer, columns, node["columns"])
    if node["description"]:
        told["documentation"] = facets.dataset_documentation(producer, node["description"])
    told["datasetType"] = facets.dataset_type(producer, _TYPES.get(node["materialized"] or "", "TABLE"))
    if node["owners"]:
        told["ownership"] = facets.dataset_ownership(producer, node["owners"])
    tags = _tags(producer, node["tags"], node["columns"], columns)
    if tags is not None:
        told["tags"] = tags
    return told | _place(
        producer, node["relation"], node["external_location"], node.get("storage"), datasets, namespaces, dataset
    )


def input_facets(
    producer: str, each: InputNode, dataset: Dataset, known: Known, datasets: Datasets, namespaces: Namespaces
) -> dict[str, Any]:
    """The facets of what a node reads: of a source all that the project says, which nobody else will."""
    is_source = each["resource_type"] == "source"
    told: dict[str, Any] = {"dataSource": facets.data_source(producer, dataset[0])}
    columns = known.of_input(each)
    # A model tells its own schema; repeating it without types would only take them away again.
    if columns and (each["resource_type"] in {"source", "seed"} or all(kind for _, kind in columns)):
        told["schema"] = _schema(producer, columns, each["columns"])
    if is_source:
        if each["description"]:
            told["documentation"] = facets.dataset_documentation(producer, each["description"])
        if owners := each.get("owners"):
            told["ownership"] = facets.dataset_ownership(producer, owners)
        tags = _tags(producer, each.get("tags", []), each["columns"], columns)
        if tags is not None:
            told["tags"] = tags
    return told | _place(producer, each["relation"], each["external_location"], None, datasets, namespaces, dataset)


def change_of(invocation: Invocation, node: Node, end: NodeEnd | None) -> Literal["OVERWRITE"] | None:
    """What an ended run did to its output as a whole; None where the next one may find what was there before."""
    if end is None or end["status"] != "success" or invocation["command"] == "clone" or node["batch"] is not None:
        return None
    return "OVERWRITE" if node["materialized"] in _REPLACED else None


def _schema(producer: str, columns: Columns, documented: Iterable[ColumnDoc]) -> facets.Facet:
    described = {column["name"].casefold(): column["description"] for column in documented}
    fields = [
        facets.schema_field(name, kind, described.get(name.casefold()), position)
        for position, (name, kind) in enumerate(columns, start=1)
    ]
    return facets.schema(producer, fields)


def _tags(
    producer: str, tags: list[str], documented: Iterable[ColumnDoc], columns: Columns | None
) -> facets.Facet | None:
    """The tags of a relation, and of its columns as the database spells these."""
    spelled = {name.casefold(): name for name, _ in columns or []}
    of_columns = {spelled.get(each["name"].casefold(), each["name"]): each["tags"] for each in documented}
    return facets.dataset_tags(producer, tags, of_columns)


def _place(
    producer: str,
    relation: Relation | None,
    location: str | None,
    storage: Storage | None,
    datasets: Datasets,
    namespaces: Namespaces,
    dataset: Dataset,
) -> dict[str, Any]:
    """In which form a dataset lies where, which catalog lists it, which other names it has."""
    if location is not None or relation is None:
        layer = dataset[0].partition(":")[0]
        return {"storage": facets.storage(producer, layer, file_format(location or ""))}
    told: dict[str, Any] = {}
    if storage is not None:
        told["storage"] = facets.storage(producer, storage["layer"], storage["format"])
    catalog = namespaces.catalog(relation[0])
    if catalog is not None:
        kind, framework, name = catalog
        told["catalog"] = facets.catalog(producer, storage["layer"] if storage else framework, kind, name)
    other = datasets.elsewhere(relation)
    if other is not None:
        told["symlinks"] = facets.symlinks(producer, [other])
    return told
